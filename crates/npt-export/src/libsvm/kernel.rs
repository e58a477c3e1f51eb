//! The kernels of LIBSVM, with their names there and in the catalogue.

use npt_core::{Description, ParameterValue};

/// A kernel that LIBSVM has.
pub(super) struct KernelType {
    /// The name in LIBSVM.
    pub(super) name: &'static str,
    /// The name in the catalogue.
    ready: &'static str,
    /// The names of the parameters, in LIBSVM and in the catalogue.
    pub(super) parameters: &'static [(&'static str, &'static str)],
}

const KERNEL_TYPES: [KernelType; 4] = [
    KernelType {
        name: "linear",
        ready: "linear",
        parameters: &[],
    },
    KernelType {
        name: "polynomial",
        ready: "polynomial",
        parameters: &[
            ("degree", "degree"),
            ("gamma", "gamma"),
            ("coef0", "constant"),
        ],
    },
    KernelType {
        name: "rbf",
        ready: "gaussian",
        parameters: &[("gamma", "gamma")],
    },
    KernelType {
        name: "sigmoid",
        ready: "sigmoid",
        parameters: &[("gamma", "gamma"), ("coef0", "constant")],
    },
];

impl KernelType {
    /// Returns the kernel that has this name in LIBSVM.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        KERNEL_TYPES.iter().find(|known| known.name == name)
    }

    /// Returns the kernel of LIBSVM that is described, of dense or sparse vectors, with its description for dense vectors.
    pub(super) fn described(description: &Description) -> Option<(&'static Self, &Description)> {
        if description.name == "sparse" {
            return Self::described(&description.parts.first()?.1);
        }
        let known = KERNEL_TYPES
            .iter()
            .find(|known| known.ready == description.name)?;
        let is_held = |value: &ParameterValue| match value {
            // The degree is a C int in LIBSVM.
            ParameterValue::Integer(value) => i32::try_from(*value).is_ok(),
            _ => true,
        };
        let has_all = known.parameters.iter().all(|(_, name)| {
            let mut own = description.parameters.iter();
            own.any(|parameter| parameter.name == *name && is_held(&parameter.value))
        });
        has_all.then_some((known, description))
    }

    /// The description of the kernel in the catalogue, without parameters.
    pub(super) fn description(&self) -> Description {
        Description::new(self.ready)
    }
}
