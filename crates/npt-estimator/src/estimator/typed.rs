//! Estimators of typed methods.

use super::{Estimator, chosen::Chosen, headings};
use crate::{AnyKernel, Error, NamedSamples, methods::METHODS, spaces};
use npt_core::{
    Description, Exact, Kernel, KernelMethod, Nystrom, Parameter, Parameters, Pivoting,
};
use std::any::TypeId;

/// A builder of spaces that has a name, on samples `S`: [`Exact`], or [`Nystrom`] with [`Pivoting`].
pub trait NamedSpace<S>: private::Sealed {
    #[doc(hidden)]
    fn kernel_and_space(&self) -> (Description, Description);
}

mod private {
    pub trait Sealed {}
}

impl<K> private::Sealed for Exact<K> {}

impl<S: NamedSamples, K: Kernel<S, Scalar = f64>> NamedSpace<S> for Exact<K> {
    fn kernel_and_space(&self) -> (Description, Description) {
        (self.kernel().describe(), self.describe())
    }
}

impl<K> private::Sealed for Nystrom<K, Pivoting> {}

impl<S: NamedSamples, K: Kernel<S, Scalar = f64>> NamedSpace<S> for Nystrom<K, Pivoting> {
    fn kernel_and_space(&self) -> (Description, Description) {
        (self.kernel().describe(), self.describe())
    }
}

impl Estimator {
    /// The estimator by name of a typed kernel method: the same parameters, kernel and space.
    ///
    /// # Errors
    /// [`Error::NoName`] for a linear method that is not of this library; [`Error::Description`] for a kernel that no catalogue knows,
    /// landmarks that have no name, and values out of range.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Axes, Gaussian, Pivoting};
    /// use npt_estimator::Estimator;
    /// use npt_methods::KernelRidge;
    ///
    /// let ridge = KernelRidge::params(Gaussian::new(0.5)).method(|ridge| ridge.penalty(0.1));
    /// let estimator = Estimator::typed(&ridge)?;
    /// assert!(estimator.to_string().starts_with("ridge(penalty = [0.1]) in exact("));
    /// let few = ridge.space(|space| space.axes(Axes::Cholesky).with_landmarks(Pivoting::random(20)));
    /// assert!(Estimator::typed(&few)?.to_string().contains("nystrom(landmarks = 20, "));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn typed<P, B, S>(method: &KernelMethod<P, B>) -> Result<Self, Error>
    where
        P: Parameters + 'static,
        B: NamedSpace<S>,
        S: NamedSamples,
    {
        let params = TypeId::of::<P>();
        let known = METHODS.iter().find(|known| known.params == params);
        let heading = &known.ok_or(Error::NoName)?.heading;
        let mut description = Description::new(heading.name());
        for entry in heading.parameters() {
            let value = method.inner().parameter(entry.name());
            if let Some(value) = value.filter(|value| entry.default() != Some(value)) {
                let parameter = Parameter::new(entry.name(), value);
                description.parameters.push(parameter);
            }
        }
        let (kernel, space) = method.builder().kernel_and_space();
        let kernel = AnyKernel::new(&kernel);
        Ok(Self {
            method: Chosen::described("method", headings(), &description)?,
            kernel: kernel.map_err(|error| Error::description("kernel", error))?,
            space: Chosen::described("space", spaces::headings(), &space)?,
            transformers: Vec::new(),
            pre_image: None,
        })
    }
}
