//! Estimators of typed methods.

use super::{Estimator, chosen::Chosen, headings};
use crate::{AnyKernel, Error, NamedSamples, methods::METHODS, spaces};
use npt_core::{Description, Exact, Kernel, KernelMethod, Parameter, Parameters};
use std::any::TypeId;

impl Estimator {
    /// The estimator by name of a typed kernel method: the same parameters, kernel and space.
    ///
    /// # Errors
    /// [`Error::NoName`] for a linear method that is not of this library; [`Error::Description`] for a kernel that no catalogue knows,
    /// and for values out of range.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Gaussian, Rows};
    /// use npt_estimator::Estimator;
    /// use npt_methods::KernelRidge;
    ///
    /// let ridge = KernelRidge::params(Gaussian::new(0.5)).method(|ridge| ridge.penalty(0.1));
    /// let estimator = Estimator::typed::<_, _, Rows<f64>>(&ridge)?;
    /// assert!(estimator.to_string().starts_with("ridge(penalty = [0.1]) in exact("));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn typed<P, K, S>(method: &KernelMethod<P, Exact<K>>) -> Result<Self, Error>
    where
        P: Parameters + 'static,
        K: Kernel<S, Scalar = f64>,
        S: NamedSamples,
    {
        let params = TypeId::of::<P>();
        let known = METHODS.iter().find(|known| known.params == params);
        let heading = &known.ok_or(Error::NoName)?.heading;
        let mut description = Description::new(heading.name());
        for entry in heading.parameters() {
            let value = method.inner().parameter(entry.name());
            if let Some(value) = value.filter(|value| entry.default() != Some(value)) {
                let name = entry.name().to_owned();
                description.parameters.push(Parameter { name, value });
            }
        }
        let space = method.builder();
        let kernel = AnyKernel::new(&space.kernel().describe());
        Ok(Self {
            method: Chosen::described("method", headings(), &description)?,
            kernel: kernel.map_err(|error| Error::description("kernel", error))?,
            space: Chosen::described("space", spaces::headings(), &space.describe())?,
            transformers: Vec::new(),
            pre_image: None,
        })
    }
}
