//! The parts of a process that are kept once its targets are known.

use super::{LeaveOneOut, by_coordinates::variances};
use crate::model_selection::{ByCoordinates, ByKernelValues};
use linfa::Float as _;
use ndarray::{Array1, Array2, Axis};
use npt_core::{
    AsSamples, Error, Expansion, ExpansionSpace, Kernel, KernelSpace, Samples, linalg,
    watch::Progress,
};
use num_traits::Float as _;
use std::sync::Arc;

/// The road of a Gaussian process: [`ByKernelValues`], with a mean that is an expansion, in spaces that are [`ExpansionSpace`];
/// or [`ByCoordinates`], in spaces of any kind.
pub trait ProcessRoad<P: KernelSpace> {
    /// The process given its targets.
    #[doc(hidden)]
    type Given: Given<P>;
}

impl<P: ExpansionSpace> ProcessRoad<P> for ByKernelValues {
    type Given = Process<P>;
}

impl<P: KernelSpace> ProcessRoad<P> for ByCoordinates {
    type Given = SpaceProcess<P>;
}

/// A process given its targets; `prior` is its mean m before the targets were known.
pub trait Given<P: KernelSpace> {
    /// The means of f + m.
    fn means(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
        prior: P::Scalar,
    ) -> Result<Array1<P::Scalar>, Error>;

    /// The means and the variances of f + m, with noise of the variance `noise`.
    fn means_and_variances(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
        prior: P::Scalar,
        noise: f64,
    ) -> Result<(Array1<P::Scalar>, Array1<P::Scalar>), Error>;

    /// The predictions of each training target from all other targets.
    fn leave_one_out(&self, prior: P::Scalar) -> LeaveOneOut<P::Scalar>;

    /// Refuses parts that disagree.
    #[cfg(feature = "serde")]
    fn check_parts(&self) -> Result<(), String>;
}

/// The process given its targets, with a mean that is an expansion.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "P: serde::Serialize, P::Scalar: serde::Serialize, P::Samples: serde::Serialize, P::Kernel: serde::Serialize",
        deserialize = "P: serde::Deserialize<'de>, P::Scalar: serde::Deserialize<'de>, P::Samples: serde::Deserialize<'de>, P::Kernel: serde::Deserialize<'de>"
    ))
)]
pub enum Process<P: ExpansionSpace> {
    /// The process by kernel values, with K + σ²I = LLᵀ.
    Products {
        kernel: Arc<P::Kernel>,
        samples: P::Samples,
        expansion: Expansion<P::Samples, P::Kernel, P::Scalar>,
        /// α = (K + σ²I)⁻¹(t − m)
        residuals: Array1<P::Scalar>,
        /// t − m
        targets: Array1<P::Scalar>,
        lower: Array2<P::Scalar>,
    },
    /// The process by coordinates: weights w of covariance σ²(YᵀY + σ²I)⁻¹, with YᵀY + σ²I = LLᵀ.
    Coordinates {
        space: P,
        expansion: Expansion<P::Samples, P::Kernel, P::Scalar>,
        lower: Array2<P::Scalar>,
        leave_one_out: LeaveOneOut<P::Scalar>,
    },
}

/// The number of new samples whose kernel values are in memory together.
const PANEL: usize = 1024;

/// The number of new samples that are read together: several panels.
const ROWS_AT_ONCE: usize = 8 * PANEL;

impl<P: ExpansionSpace> Process<P> {
    /// The mean of f + m as an expansion.
    pub(super) fn expansion(&self) -> &Expansion<P::Samples, P::Kernel, P::Scalar> {
        match self {
            Self::Products { expansion, .. } | Self::Coordinates { expansion, .. } => expansion,
        }
    }
}

impl<P: ExpansionSpace> Given<P> for Process<P> {
    fn means(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
        _: P::Scalar,
    ) -> Result<Array1<P::Scalar>, Error> {
        Ok(self.expansion().evaluate(x)?.remove_axis(Axis(1)))
    }

    fn means_and_variances(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
        prior: P::Scalar,
        noise: f64,
    ) -> Result<(Array1<P::Scalar>, Array1<P::Scalar>), Error> {
        let means = self.means(x, prior)?;
        let variances = match self {
            Self::Products {
                kernel,
                samples,
                lower,
                ..
            } => variances_of_values(&**kernel, samples, lower, x)?,
            Self::Coordinates { space, lower, .. } => {
                let mut variances = Vec::new();
                of_coordinates(space, lower, noise, x, |_, of_block| {
                    variances.extend(of_block);
                })?;
                variances.into()
            }
        };
        Ok((means, variances))
    }

    fn leave_one_out(&self, prior: P::Scalar) -> LeaveOneOut<P::Scalar> {
        match self {
            Self::Products {
                residuals,
                targets,
                lower,
                ..
            } => LeaveOneOut::of_factor(residuals, targets, prior, lower),
            Self::Coordinates { leave_one_out, .. } => leave_one_out.clone(),
        }
    }

    #[cfg(feature = "serde")]
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        agree("functions", self.expansion().offsets().len(), "process", 1)?;
        match self {
            Self::Products {
                kernel,
                samples,
                expansion,
                residuals,
                targets,
                lower,
            } => {
                agree("targets", targets.len(), "samples", samples.len())?;
                agree("residuals", residuals.len(), "samples", samples.len())?;
                finite("the targets and residuals", targets.iter().chain(residuals))?;
                check_factor(lower, "samples", samples.len())?;
                let compatible = expansion.samples().check_compatible(samples);
                let checked = compatible.and_then(|()| kernel.check(samples));
                checked.map_err(|error| error.to_string())
            }
            Self::Coordinates { space, lower, .. } => check_factor(lower, "axes", space.rank()),
        }
    }
}

/// Shares the kernel, which need not be `Clone`.
impl<P: ExpansionSpace + Clone> Clone for Process<P> {
    fn clone(&self) -> Self {
        match self {
            Self::Products {
                kernel,
                samples,
                expansion,
                residuals,
                targets,
                lower,
            } => Self::Products {
                kernel: Arc::clone(kernel),
                samples: samples.clone(),
                expansion: expansion.clone(),
                residuals: residuals.clone(),
                targets: targets.clone(),
                lower: lower.clone(),
            },
            Self::Coordinates {
                space,
                expansion,
                lower,
                leave_one_out,
            } => Self::Coordinates {
                space: space.clone(),
                expansion: expansion.clone(),
                lower: lower.clone(),
                leave_one_out: leave_one_out.clone(),
            },
        }
    }
}

/// The process given its targets, in a space of any kind: weights w of coordinates, of covariance σ²(YᵀY + σ²I)⁻¹, with
/// YᵀY + σ²I = LLᵀ.
#[derive(Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "P: serde::Serialize, P::Scalar: serde::Serialize",
        deserialize = "P: serde::Deserialize<'de>, P::Scalar: serde::Deserialize<'de>"
    ))
)]
pub struct SpaceProcess<P: KernelSpace> {
    pub(super) space: P,
    /// The mean of w, shape (r, 1).
    pub(super) mean: Array2<P::Scalar>,
    pub(super) lower: Array2<P::Scalar>,
    pub(super) leave_one_out: LeaveOneOut<P::Scalar>,
}

impl<P: KernelSpace> SpaceProcess<P> {
    /// The means at samples with these coordinates.
    fn means_of(&self, y: &Array2<P::Scalar>, prior: P::Scalar) -> Array1<P::Scalar> {
        linalg::product(y.view(), self.mean.view()).remove_axis(Axis(1)) + prior
    }
}

impl<P: KernelSpace> Given<P> for SpaceProcess<P> {
    fn means(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
        prior: P::Scalar,
    ) -> Result<Array1<P::Scalar>, Error> {
        Ok(self.means_of(&self.space.coordinates(x)?, prior))
    }

    fn means_and_variances(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
        prior: P::Scalar,
        noise: f64,
    ) -> Result<(Array1<P::Scalar>, Array1<P::Scalar>), Error> {
        let (mut means, mut variances) = (Vec::new(), Vec::new());
        of_coordinates(&self.space, &self.lower, noise, x, |y, of_block| {
            means.extend(self.means_of(y, prior));
            variances.extend(of_block);
        })?;
        Ok((means.into(), variances.into()))
    }

    fn leave_one_out(&self, _: P::Scalar) -> LeaveOneOut<P::Scalar> {
        self.leave_one_out.clone()
    }

    #[cfg(feature = "serde")]
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        agree("columns of weights", self.mean.ncols(), "process", 1)?;
        finite("the weights", &self.mean)?;
        let weights = self.mean.nrows();
        check_factor(&self.lower, "weights", weights)?;
        agree("weights", weights, "axes", self.space.rank())
    }
}

/// The variances k(x, x) − ‖L⁻¹k(x)‖² of new records x, computed a panel at a time.
fn variances_of_values<S: Samples, K: Kernel<S>>(
    kernel: &K,
    samples: &S,
    lower: &Array2<K::Scalar>,
    x: &dyn AsSamples<Samples = S>,
) -> Result<Array1<K::Scalar>, Error> {
    let mut variances = Vec::new();
    let mut progress = None;
    x.visit_blocks(ROWS_AT_ONCE, &mut |all, before, block| {
        let progress = progress.get_or_insert_with(|| Progress::start("variances", all));
        let rows: Vec<usize> = (0..block.len()).collect();
        let mut of_block = kernel.diag(block);
        let parts = of_block.axis_chunks_iter_mut(Axis(0), PANEL);
        for (rows, mut part) in rows.chunks(PANEL).zip(parts) {
            progress.at(before + rows[0]);
            let cross = kernel.cross(samples, &block.select(rows));
            let half = linalg::solve_lower(lower.view(), cross.view());
            for (variance, column) in part.iter_mut().zip(half.axis_iter(Axis(1))) {
                *variance = (*variance - column.dot(&column)).max(K::Scalar::cast(0.0));
            }
        }
        variances.extend(of_block);
        Ok(())
    })?;
    Ok(variances.into())
}

/// Calls `take` with the coordinates and the variances of new records, a block at a time.
fn of_coordinates<P: KernelSpace>(
    space: &P,
    lower: &Array2<P::Scalar>,
    noise: f64,
    x: &dyn AsSamples<Samples = P::Samples>,
    mut take: impl FnMut(&Array2<P::Scalar>, Array1<P::Scalar>),
) -> Result<(), Error> {
    x.visit_blocks(ROWS_AT_ONCE, &mut |_, before, block| {
        let placed = space.coordinates_and_residuals(block);
        let (y, residuals) = placed.map_err(|error| error.after_rows(before))?;
        let variances = variances(y.view(), residuals, lower, noise);
        take(&y, variances);
        Ok(())
    })
}

/// Checks that a triangle is the factor of a positive definite matrix of `expected` rows.
#[cfg(feature = "serde")]
fn check_factor<F: npt_core::Scalar>(
    lower: &Array2<F>,
    what: &str,
    expected: usize,
) -> Result<(), String> {
    use npt_core::serial::{agree, finite, positive};
    agree("rows of the factor", lower.nrows(), what, expected)?;
    agree("columns of the factor", lower.ncols(), what, expected)?;
    finite("the entries of the factor", lower)?;
    let mut diagonal = lower.diag().into_iter();
    diagonal.try_for_each(|&entry| positive("an entry of the factor's diagonal", entry))
}
