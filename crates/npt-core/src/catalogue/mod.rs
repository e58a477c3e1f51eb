//! Kernels by name: a list of kernels for each type of samples, and the kernels that are made from it.

mod entry;
mod error;
mod heading;
mod named;
mod parameters;
mod range;
mod ready;
mod text;

#[cfg(test)]
mod tests;

pub use entry::{Entry, Parts};
pub use error::{DescriptionError, Fault};
pub use heading::{Heading, ParameterEntry};
pub use named::NamedKernel;
pub use parameters::Parameters;
pub use range::Range;
pub use ready::ReadyKernels;

use crate::{Description, Kernel as _, Samples, Scalar};
use std::fmt;
use text::Written;

/// The kernels that can be made by name for samples of type `S`.
///
/// A kernel is written as [`Description`] prints it, `sum(gaussian(gamma = 0.5), scaled(factor = 0.1, linear))`, or as a formula,
/// `gaussian(gamma = 0.5) + 0.1 * linear`. Parameters that have a default may be left out.
///
/// # Example
/// ```
/// use npt_core::{Catalogue, Kernel, ReadyKernels, Rows};
///
/// let catalogue: Catalogue<Rows<f64>, f64> = Rows::ready_kernels();
/// let kernel = catalogue.read("gaussian(gamma = 0.5) + 0.1 * linear")?;
/// let value = (-0.5_f64 * 25.0).exp() + 0.1 * (1.0 * 4.0 + 2.0 * -2.0);
/// assert!((kernel.eval(&[1.0, 2.0], &[4.0, -2.0]) - value).abs() < 1e-16);
/// assert_eq!(kernel.to_string(), "sum(gaussian(gamma = 0.5), scaled(factor = 0.1, linear))");
/// assert_eq!(catalogue.read(&kernel.to_string())?.to_string(), kernel.to_string());
///
/// let error = catalogue.read("linear + gausian(gamma = 1)").unwrap_err();
/// assert_eq!(error.to_string(), "character 10: there is no kernel gausian; the nearest name is gaussian");
/// # Ok::<(), npt_core::catalogue::DescriptionError>(())
/// ```
pub struct Catalogue<S, F> {
    entries: Vec<Entry<S, F>>,
}

impl<S: Samples, F: Scalar> Default for Catalogue<S, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Samples, F: Scalar> Catalogue<S, F> {
    /// A catalogue without kernels; [`ReadyKernels::ready_kernels`] has the kernels of this crate.
    pub fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// Adds a kernel. An entry of the same name is replaced.
    ///
    /// # Example
    /// ```
    /// use npt_core::catalogue::{Entry, Range};
    /// use npt_core::{Kernel, ReadyKernels, Rows, parameters};
    ///
    /// /// 1 where the samples are nearer than a radius, else 0.
    /// #[derive(Clone)]
    /// struct Near {
    ///     radius: f64,
    /// }
    ///
    /// impl Kernel<Rows<f64>> for Near {
    ///     type Scalar = f64;
    ///
    ///     parameters!("near", radius);
    ///
    ///     fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
    ///         let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
    ///         f64::from(squared < self.radius.powi(2))
    ///     }
    /// }
    ///
    /// let near = Entry::new("near", "1 where ‖a − b‖ < r, else 0", || Near { radius: 1.0 })
    ///     .parameter("radius", "the radius r", Range::Positive, Some(1.0.into()));
    /// let catalogue = Rows::<f64>::ready_kernels().with(near);
    /// let kernel = catalogue.read("2 * near(radius = 5)")?;
    /// assert_eq!(kernel.eval(&[0.0, 0.0], &[3.0, 3.9]), 2.0);
    /// # Ok::<(), npt_core::catalogue::DescriptionError>(())
    /// ```
    pub fn with(mut self, entry: Entry<S, F>) -> Self {
        self.entries.retain(|known| known.name() != entry.name());
        self.entries.push(entry);
        self
    }

    /// The kernels, in the order in which they were added.
    pub fn entries(&self) -> &[Entry<S, F>] {
        &self.entries
    }

    /// Makes the kernel that a text describes.
    ///
    /// # Errors
    /// [`DescriptionError`], with the position in the text.
    pub fn read(&self, text: &str) -> Result<NamedKernel<S, F>, DescriptionError> {
        self.make_whole(&text::read(text)?)
    }

    /// Makes the kernel of a description.
    ///
    /// # Errors
    /// [`DescriptionError`], without a position.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Gaussian, Kernel, ReadyKernels, Rows};
    ///
    /// let typed = Gaussian::new(0.5).times(Gaussian::new(0.1));
    /// let description = Kernel::<Rows<f64>>::describe(&typed);
    /// let named = Rows::<f64>::ready_kernels().kernel(&description)?;
    /// assert_eq!(named.eval(&[1.0], &[3.0]), typed.eval(&[1.0], &[3.0]));
    /// # Ok::<(), npt_core::catalogue::DescriptionError>(())
    /// ```
    pub fn kernel(&self, description: &Description) -> Result<NamedKernel<S, F>, DescriptionError> {
        self.make_whole(&Written::of(description, 0)?)
    }

    /// Makes a kernel, and checks that its own description is not too deep to be read. That description may be deeper than
    /// what was written: a kernel of dense vectors is described inside of `sparse`.
    fn make_whole(&self, written: &Written) -> Result<NamedKernel<S, F>, DescriptionError> {
        let kernel = self.make(written)?;
        let described = Written::of(&kernel.describe(), 0);
        described.map_err(|error| error.fault.at(written.at))?;
        Ok(kernel)
    }

    fn make(&self, written: &Written) -> Result<NamedKernel<S, F>, DescriptionError> {
        let names = || self.entries.iter().map(Entry::name);
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.name() == written.name);
        let entry = entry
            .ok_or_else(|| Fault::unknown_name("kernel", &written.name, names()).at(written.at))?;
        if !entry.parts().allows(written.parts.len()) {
            let (expected, found) = (entry.parts(), written.parts.len());
            let of = entry.name().to_owned();
            return Err(Fault::Parts {
                of,
                expected,
                found,
            }
            .at(written.at));
        }
        let values = entry.heading().values(written)?;
        let mut kernel = entry.make(self, &written.parts, written.at)?;
        for (parameter, (at, value)) in values {
            kernel
                .set_parameter(&entry.path(parameter), value)
                .map_err(|error| Fault::Parameter(error).at(at))?;
        }
        Ok(kernel)
    }
}

impl<S, F> Clone for Catalogue<S, F> {
    fn clone(&self) -> Self {
        Self {
            entries: self.entries.clone(),
        }
    }
}

impl<S, F> fmt::Debug for Catalogue<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.entries).finish()
    }
}
