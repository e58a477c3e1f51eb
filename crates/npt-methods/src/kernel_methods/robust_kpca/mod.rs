//! Kernel principal components of samples that are partly missing, or partly wrong.

mod energy;
mod model;

pub use model::RobustKpcaModel;

use super::Kpca;
use crate::{
    Error,
    error::{require, require_no_weights, require_positive},
    preprocessing::Imputer,
};
use energy::{DataTerm, Energy};
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use model::{Units, check_rows};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Axis, Data, Ix2};
use npt_core::{
    Gaussian, Kernel, KernelizedError, Rows, Scalar,
    catalogue::Range,
    watch::{Carrier, Progress},
};
use rayon::prelude::*;

/// Kernel PCA of samples with missing or wrong values: finds components and, for every sample, a reconstruction on which
/// the components and the values that are there agree. Samples are vectors, and the kernel is Gaussian.
///
/// # Definition
/// With P the space of the first q principal components of the φ(zᵢ), the reconstructions zᵢ of training samples xᵢ
/// minimise Σ e(zᵢ), and the reconstruction z of a new x minimises e(z):
///
/// e(z) = ‖φ(z) − Pφ(z)‖² + C·(1 − exp(−γ Σⱼ ρ(zⱼ − xⱼ))), over the features j that are not missing,
///
/// with ρ(t) = t² where values are noisy, and ρ(t) = t²/(1 + t²/s²) (Geman and McClure's) where some are wrong by more
/// than the scale s: beyond this scale, the size of the error hardly counts. With ρ(t) = t² the second term is
/// C/2·‖φ(z) − φ(x)‖². Missing values are NaN.
///
/// For outliers that are whole samples, take [`KpcaL1`](crate::KpcaL1).
///
/// # Algorithm
/// The fit alternates kernel PCA of the reconstructions with a descent (L-BFGS) of each reconstruction from where it is; neither
/// raises Σ e. Missing values begin at the median of their feature. A new sample has two starts: the sample, completed by the
/// training reconstruction closest to it, and that reconstruction.
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | q | | from 1 to the rank of the centred kernel matrix |
/// | γ | | that of the kernel |
/// | [`fidelity`](RobustKpcaParams::fidelity) | 1 | C > 0 |
/// | [`outlier_scale`](RobustKpcaParams::outlier_scale) | none | s > 0, in the units of the samples; without it ρ(t) = t² |
/// | [`tolerance`](RobustKpcaParams::tolerance) | 10⁻³ | the relative decrease of Σ e at which the fit ends, > 0 |
/// | [`max_iterations`](RobustKpcaParams::max_iterations) | 100 | the most rounds |
///
/// # Errors
/// [`KernelizedError::Space`] for the kernel, samples without variance, infinite values, and samples whose values are all missing;
/// [`KernelizedError::Method`] with [`Error::NoValues`] for a feature that is missing everywhere, [`Error::Parameter`],
/// [`Error::Components`], [`Error::Overflow`], [`Error::NotConverged`], [`Error::Weights`] for samples with weights.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::Fit};
/// use ndarray::{Array2, array};
/// use npt_core::Gaussian;
/// use npt_methods::RobustKpca;
///
/// // A parabola, of which every fifth sample has lost its height.
/// let mut x = Array2::from_shape_fn((61, 2), |(i, k)| (i as f64 / 30.0 - 1.0).powi(k as i32 + 1));
/// let complete = x.clone();
/// for i in (0..61).step_by(5) {
///     x[[i, 1]] = f64::NAN;
/// }
/// let model = RobustKpca::params(6, Gaussian::new(1.0)).fidelity(10.0).fit(&DatasetBase::from(x))?;
/// let off = (&model.reconstructions() - &complete).mapv(f64::abs);
/// assert!(off.iter().all(|&d| d < 0.06));
/// let z = model.reconstruct(&array![[0.6, f64::NAN]])?;
/// assert!((z[[0, 1]] - 0.36).abs() < 0.005);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// M. H. Nguyen, F. De la Torre, "Robust Kernel Principal Component Analysis", NIPS 21, 2008: the energy, for noise,
/// missing values and outliers within samples. There it is minimised by a fixed-point iteration.
#[derive(Debug, Clone, Copy)]
pub struct RobustKpca;

impl RobustKpca {
    /// The first `components` components, with the defaults of the table.
    pub fn params<F>(components: usize, kernel: Gaussian<F>) -> RobustKpcaParams<F> {
        RobustKpcaParams {
            components,
            kernel,
            fidelity: 1.0,
            outlier_scale: None,
            tolerance: 1e-3,
            max_iterations: 100,
        }
    }
}

/// Parameters of [`RobustKpca`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RobustKpcaParams<F> {
    components: usize,
    kernel: Gaussian<F>,
    fidelity: f64,
    outlier_scale: Option<f64>,
    tolerance: f64,
    max_iterations: usize,
}

npt_core::parameters_by_name! {
    impl[F] Parameters for RobustKpcaParams<F>, "RobustKpca"; {
        required {
            components: usize, Range::AtLeast(1), "The number q of components.";
        }
        default {
            fidelity: f64 = 1.0, Range::Positive, "The weight C of what the samples say, beside what the components say.";
            tolerance: f64 = 1e-3, Range::Positive, "The relative decrease of Σ e in a round at which the fit ends.";
            max_iterations: usize = 100, Range::AtLeast(1), "The most rounds of components and reconstructions.";
        }
        optional {
            outlier_scale: f64, Range::Positive, "The scale s beyond which a value counts as wrong, in the units of the samples; by default no value does.";
        }
    }
}

impl<F> RobustKpcaParams<F> {
    /// The weight C > 0 of the samples, beside the weight 1 of the components; 1 by default.
    pub fn fidelity(mut self, fidelity: f64) -> Self {
        self.fidelity = fidelity;
        self
    }

    /// The scale s > 0 beyond which a value counts as wrong, in the units of the samples; by default no value does.
    pub fn outlier_scale(mut self, scale: f64) -> Self {
        self.outlier_scale = Some(scale);
        self
    }

    /// The relative decrease of Σ e in a round at which the fit ends, > 0; 10⁻³ by default.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The most rounds of components and reconstructions, at least 1; 100 by default.
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    fn validate(&self) -> Result<(), Error> {
        let of = "RobustKpca";
        require_positive(of, "fidelity", self.fidelity)?;
        if let Some(scale) = self.outlier_scale {
            require_positive(of, "outlier_scale", scale)?;
        }
        require_positive(of, "tolerance", self.tolerance)?;
        require(
            self.max_iterations > 0,
            of,
            "max_iterations",
            0.0,
            "at least 1",
        )
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, KernelizedError<Error>> for RobustKpcaParams<F>
where
    F: Scalar,
    D: Data<Elem = F>,
{
    type Object = RobustKpcaModel<F>;

    fn fit(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<Self::Object, KernelizedError<Error>> {
        let x = dataset.records();
        let prepared = || {
            self.validate()?;
            require_no_weights("fits of RobustKpca", dataset)?;
            Imputer::median().fit(&DatasetBase::from(x.view()))
        };
        let imputer = prepared().map_err(of_space)?;
        let filled: Array2<F> = imputer.transform(x.view());
        self.kernel.check(&Rows::new(filled.clone())?)?;
        check_rows(x.view())?;
        let units = Units::new(&self.kernel, imputer.values());
        let z = units.of_inputs(filled.view()).map_err(of_space)?;
        let x = units.of_inputs(x.view()).map_err(of_space)?;
        let mut model = self.alternate(&units, &x, z)?;
        model.kpca = model
            .kpca
            .with_feature_names(dataset.feature_names().to_vec());
        Ok(model)
    }
}

impl<F: Scalar> RobustKpcaParams<F> {
    /// Returns the data term in units of the kernel.
    fn data_term(&self, units: &Units) -> Result<DataTerm, Error> {
        let squared_scale = match self.outlier_scale {
            None => f64::INFINITY,
            Some(scale) => {
                let squared = (scale / units.width).powi(2);
                let allowed = "neither too large nor too small beside the width of the kernel";
                require(
                    squared.is_normal(),
                    "RobustKpca",
                    "outlier_scale",
                    scale,
                    allowed,
                )?;
                squared
            }
        };
        Ok(DataTerm {
            fidelity: self.fidelity,
            squared_scale,
        })
    }

    /// Fits the model, beginning with reconstructions z of x. Both z and x are in units of the kernel.
    fn alternate(
        &self,
        units: &Units,
        x: &Array2<f64>,
        mut z: Array2<f64>,
    ) -> Result<RobustKpcaModel<F>, KernelizedError<Error>> {
        let data = self.data_term(units).map_err(KernelizedError::Method)?;
        let mut objectives: Vec<f64> = Vec::new();
        let mut progress = Progress::start("robust components", None);
        loop {
            // In the units of z the kernel has γ = 1.
            let components = Kpca::params(self.components, Gaussian::new(1.0));
            let components = components.fit(&DatasetBase::from(z.clone()))?;
            let energy = Energy::new(components.expansion(), z.clone(), data);
            let energy = energy.map_err(of_space)?;
            let before: f64 = of_rows(x, &z, |x, z| energy.at(x, &z.to_vec()).cost)
                .iter()
                .sum();
            let last = objectives.last().map_or(f64::INFINITY, |&last| last);
            objectives.push(before);
            let decrease = last - before;
            let rounds = objectives.len() - 1;
            let finished = progress.should_finish(rounds, "the objective", before);
            if finished || decrease <= self.tolerance * before.abs() {
                let reconstructions = units.inputs(z.view());
                let kpca = Kpca::params(self.components, self.kernel);
                let kpca = kpca.fit(&DatasetBase::from(reconstructions.clone()))?;
                return Ok(RobustKpcaModel {
                    kpca,
                    energy,
                    units: units.clone(),
                    reconstructions,
                    objectives,
                });
            }
            if objectives.len() > self.max_iterations {
                return Err(KernelizedError::Method(Error::NotConverged {
                    method: "RobustKpca",
                    measure: "the relative decrease of the objective",
                    value: decrease / before.abs(),
                }));
            }
            let found = of_rows(x, &z, |x, z| energy.descend(x, &z.to_vec()));
            for (mut z, found) in z.outer_iter_mut().zip(found) {
                z.assign(&Array1::from(found.position));
            }
        }
    }
}

/// Calls `of` with each sample and its reconstruction, in parallel.
fn of_rows<O: Send>(
    x: &Array2<f64>,
    z: &Array2<f64>,
    of: impl Fn(ArrayView1<'_, f64>, ArrayView1<'_, f64>) -> O + Sync,
) -> Vec<O> {
    let rows = x
        .axis_iter(Axis(0))
        .into_par_iter()
        .zip(z.axis_iter(Axis(0)));
    let carrier = Carrier::new();
    rows.map(|(x, z)| carrier.over(|| of(x, z))).collect()
}

/// Converts an error: an error of the samples is an error of the space.
fn of_space(error: Error) -> KernelizedError<Error> {
    match error {
        Error::Core(error) => KernelizedError::Space(error),
        other => KernelizedError::Method(other),
    }
}
