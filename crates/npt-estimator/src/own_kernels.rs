//! Kernels of one's own by name.

use crate::{Error, samples::with_kinds};
use npt_core::{
    ReadyKernels, Samples,
    catalogue::{Catalogue, Entry},
};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// The kernels on samples of one type, to which others are added at run time.
pub(crate) type Kernels<S> = LazyLock<RwLock<Arc<Catalogue<S, f64>>>>;

/// Samples on which there are kernels by name, kernels of one's own included.
pub trait NamedSamples: Samples + private::Sealed + 'static {
    #[doc(hidden)]
    fn lock() -> &'static RwLock<Arc<Catalogue<Self, f64>>>;
}

mod private {
    pub trait Sealed {}
}

macro_rules! named {
    ($($kind:ident($samples:ty) $field:ident $words:literal;)+) => {
        $(
            impl private::Sealed for $samples {}

            impl NamedSamples for $samples {
                fn lock() -> &'static RwLock<Arc<Catalogue<Self, f64>>> {
                    static KERNELS: Kernels<$samples> =
                        LazyLock::new(|| RwLock::new(Arc::new(<$samples>::ready_kernels())));
                    &KERNELS
                }
            }
        )+
    };
}
with_kinds!(named);

/// All kernels on samples of this type: those of the library, and those that were added.
pub(crate) fn kernels<S: NamedSamples>() -> Arc<Catalogue<S, f64>> {
    Arc::clone(&S::lock().read().unwrap_or_else(PoisonError::into_inner))
}

/// Adds a kernel of one's own to those that this process knows by name. From then on estimators may have it, and files of models
/// with it can be read.
///
/// The samples are one of the types of [`AnySamples`](crate::AnySamples). A process must add the kernels of a model before it loads
/// the model.
///
/// # Errors
/// [`Error::KernelName`] if there is a kernel of this name on these samples.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Kernel, Rows, catalogue::{Entry, Range}, parameters};
/// use npt_estimator::{Data, Estimator, add_kernel};
///
/// /// 1/(1 + ‖a − b‖²/s²).
/// #[derive(Clone)]
/// struct Cauchy {
///     scale: f64,
/// }
///
/// impl Kernel<Rows<f64>> for Cauchy {
///     type Scalar = f64;
///
///     parameters!("cauchy", scale);
///
///     fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
///         let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
///         1.0 / (1.0 + squared / self.scale.powi(2))
///     }
/// }
///
/// let cauchy = Entry::new("cauchy", "1/(1 + ‖a − b‖²/s²).", || Cauchy { scale: 1.0 })
///     .parameter("scale", "The distance s at which it is one half.", Range::Positive, None);
/// add_kernel::<Rows<f64>>(cauchy)?;
///
/// let estimator = Estimator::new("ridge(penalty = 0.01)", "cauchy(scale = 2) + 0.1 * linear")?;
/// let data = Data::from(array![[0.0], [1.0], [2.0], [4.0]]);
/// let model = estimator.fit(&data, vec![0.0, 1.0, 1.5, 0.5])?;
/// assert_eq!(model.kernel(), "sum(cauchy(scale = 2), scaled(factor = 0.1, linear))");
/// # Ok::<(), npt_estimator::Error>(())
/// ```
pub fn add_kernel<S: NamedSamples>(entry: Entry<S, f64>) -> Result<(), Error> {
    let mut kernels = S::lock().write().unwrap_or_else(PoisonError::into_inner);
    let mut known = kernels.entries().iter();
    if known.any(|known| known.name() == entry.name()) {
        let name = entry.name();
        return Err(Error::KernelName { name });
    }
    *kernels = Arc::new(Catalogue::clone(&kernels).with(entry));
    Ok(())
}
