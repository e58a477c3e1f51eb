//! Spaces whose linear functions are expansions, sums of kernel values.

use super::{ExactSpace, Expansion, KernelSpace, center_columns, check_coefficients, column_means};
use crate::{AsSamples, Error, Kernel, Samples, Scalar};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, concatenate};
use num_traits::{One as _, Zero as _};
use std::sync::Arc;

/// A space in which linear functions of the coordinates can be written as expansions, sums of kernel values,
/// and points as sums of φ(xᵢ).
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, ExpansionSpace, Linear, Rank, SpaceBuilder};
///
/// // With the linear kernel a point is a vector: here of a line through the mean (2, 1).
/// let x = array![[1.0, 0.0], [3.0, 0.0], [1.0, 2.0], [3.0, 2.0], [0.0, -1.0], [4.0, 3.0]];
/// let (space, ..) = Exact::new(Linear::new()).rank(Rank::Components(1)).fit_space(&x)?.into_parts();
/// let points = space.points(array![[0.0], [2.0_f64.sqrt()]].view())?;
/// let vectors = points.coefficients().t().dot(&points.samples().view());
/// let expected = array![[2.0, 1.0], [3.0, 2.0]];
/// // The axis may point either way.
/// let mirrored = array![[2.0, 1.0], [1.0, 0.0]];
/// let is = |other: ndarray::Array2<f64>| (&vectors - other).iter().all(|d| d.abs() < 1e-14);
/// assert!(is(expected) || is(mirrored));
/// # Ok::<(), npt_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "methods in the space `{Self}` are no sums of kernel values",
    label = "here a space of landmarks, or of all samples, is needed",
    note = "in a space of random features the same method runs by coordinates: `.by_coordinates()`, or `Kernelized`"
)]
pub trait ExpansionSpace: KernelSpace {
    /// The type of the kernel.
    type Kernel: Kernel<Self::Samples, Scalar = Self::Scalar>;

    /// The kernel κ, not centred.
    fn kernel(&self) -> &Self::Kernel;

    /// Returns the functions ⟨βₖ, y(x)⟩ + bₖ as an expansion, from the β, shape (r, outputs), and the b.
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] unless β has r rows, and as many columns as there are b.
    fn expand(
        &self,
        directions: ArrayView2<'_, Self::Scalar>,
        offsets: ArrayView1<'_, Self::Scalar>,
    ) -> Result<Expansion<Self::Samples, Self::Kernel, Self::Scalar>, Error>;

    /// Returns the functions ⟨βₖ, y(x)⟩ + bₖ as an expansion, for β = Σ αᵢy(xᵢ) + δ with known α, one row a training
    /// sample, and a rest δ that rounding left.
    ///
    /// Several α give the same β, and functions that differ at new samples: a direction that was cut at rounding level
    /// is nothing to the training samples, but may be something to new ones. If a space keeps all training samples, and
    /// nothing else was cut, the functions are Σ αᵢκ(xᵢ, x) + b with the given α, plus what δ adds. These are the
    /// functions of a classical formula, to the conditioning of that formula. Otherwise the functions are those of
    /// [`expand`](Self::expand).
    ///
    /// # Errors
    /// The errors of [`expand`](Self::expand).
    fn expand_dual(
        &self,
        directions: ArrayView2<'_, Self::Scalar>,
        dual: ArrayView2<'_, Self::Scalar>,
        rest: ArrayView2<'_, Self::Scalar>,
        offsets: ArrayView1<'_, Self::Scalar>,
    ) -> Result<Expansion<Self::Samples, Self::Kernel, Self::Scalar>, Error> {
        let _ = (dual, rest);
        self.expand(directions, offsets)
    }

    /// Returns points of the space as sums of φ(xᵢ), from their coordinates y, shape (points, r). The expansion has
    /// one column of coefficients γ a point.
    ///
    /// # Definition
    /// The point with coordinates y is p = φ̄ + Σₖ yₖwₖ = Σᵢ γᵢφ(xᵢ), with wₖ the axes and φ̄ the
    /// mean of the training samples. In a centred space, φ̄ is no part of the coordinates, but it is part of the
    /// points. So the expansion is ⟨p, φ(x)⟩ = Σᵢ γᵢκ(xᵢ, x), with κ itself, not centred.
    ///
    /// # Errors
    /// [`Error::NoSamples`] and [`Error::SampleNotFinite`] for the coordinates,
    /// [`Error::ColumnCount`] if there are more or fewer than r.
    fn points(
        &self,
        coordinates: ArrayView2<'_, Self::Scalar>,
    ) -> Result<Expansion<Self::Samples, Self::Kernel, Self::Scalar>, Error>;
}

impl<S: Samples, K: Kernel<S>> ExpansionSpace for ExactSpace<S, K> {
    type Kernel = K;

    fn kernel(&self) -> &K {
        self.raw_map().kernel()
    }

    fn expand(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
        offsets: ArrayView1<'_, K::Scalar>,
    ) -> Result<Expansion<S, K, K::Scalar>, Error> {
        check_coefficients(self.rank(), directions.nrows())?;
        check_coefficients(offsets.len(), directions.ncols())?;
        let of_features = self.rotation().undo(directions);
        let (mut alpha, constants) = self.raw_map().expand(of_features.view());
        drop_rounding(&mut alpha);
        let offsets = &offsets + &constants - &self.shift().dot(&of_features);
        let map = self.raw_map();
        Expansion::about(
            Arc::clone(map.shared_kernel()),
            map.origin_of_values(),
            map.samples(),
            alpha.view(),
            offsets,
        )
    }

    fn expand_dual(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
        dual: ArrayView2<'_, K::Scalar>,
        rest: ArrayView2<'_, K::Scalar>,
        offsets: ArrayView1<'_, K::Scalar>,
    ) -> Result<Expansion<S, K, K::Scalar>, Error> {
        let map = self.raw_map();
        if !self.is_whole() || !map.is_of_all_samples() {
            return self.expand(directions, offsets);
        }
        let (kernel, samples, origin) =
            (map.shared_kernel(), map.samples(), map.origin_of_values());
        check_coefficients(samples.len(), dual.nrows())?;
        let of_rest = map.expand(self.rotation().undo(rest).view()).0;
        let (mut alpha, mut offsets) = (&dual + &of_rest, offsets.to_owned());
        if map.is_centered() || self.shift().iter().any(|&v| v != K::Scalar::zero()) {
            // The functions are Σ αᵢ(φ(xᵢ) − φ̄), whose mean at the samples is 0. The constant is not computed from
            // the shift, which knows less of the directions that were cut.
            center_columns(&mut alpha);
            let none = Array1::zeros(alpha.ncols());
            let sums = Expansion::about(Arc::clone(kernel), origin, samples, alpha.view(), none)?;
            offsets -= &column_means(sums.evaluate(samples)?.view());
        }
        Expansion::about(Arc::clone(kernel), origin, samples, alpha.view(), offsets)
    }

    fn points(
        &self,
        coordinates: ArrayView2<'_, K::Scalar>,
    ) -> Result<Expansion<S, K, K::Scalar>, Error> {
        let coordinates = coordinates.as_samples()?;
        let (expected, found) = (self.rank(), coordinates.view().ncols());
        if expected != found {
            return Err(Error::ColumnCount { expected, found });
        }
        let of_features = self.rotation().undo(coordinates.view().reversed_axes());
        let map = self.raw_map();
        let mut gamma = map.expand(of_features.view()).0;
        gamma += &map.origin(self.shift()).insert_axis(Axis(1));
        let none = Array1::zeros(gamma.ncols());
        let kernel = Arc::clone(map.shared_kernel());
        let Some(origin) = map.origin_of_values() else {
            return Expansion::new(kernel, map.samples(), gamma.view(), none);
        };
        // φ(o) + Σ γᵢ(φ(xᵢ) − φ(o))
        let rest = gamma.sum_axis(Axis(0)).mapv(|sum| K::Scalar::one() - sum);
        let gamma = concatenate![Axis(0), gamma, rest.insert_axis(Axis(0))];
        let samples = map.samples().append(origin)?;
        Expansion::new(kernel, &samples, gamma.view(), none)
    }
}

/// Sets to 0 the coefficients of a sample if all are 0 but for rounding, as those of a sample that is no support vector.
fn drop_rounding<F: Scalar>(alpha: &mut Array2<F>) {
    let largest = alpha.fold(F::zero(), |m, v| m.max(v.abs()));
    let level = F::cast(alpha.nrows() + 8) * F::epsilon() * largest;
    for mut row in alpha.outer_iter_mut() {
        if row.iter().all(|v| v.abs() <= level) {
            row.fill(F::zero());
        }
    }
}
