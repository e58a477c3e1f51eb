//! Euclidean distances of all pairs, computed so that nothing cancels.

use crate::{
    Rows, Samples, Scalar,
    linalg::{self, fill_rows, fill_values},
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// The number of samples by which an origin is chosen.
const FEW_SAMPLES: usize = 9;

/// Knuth's multiplier, 2³²/φ: its multiples are spread evenly, and have no period that the rows could have as well.
const SPREAD: u32 = 2_654_435_769;

/// An origin near most samples, wherever a minority of them is: the median of a few samples, feature by feature; 0 if there
/// are no samples. A mean is no such origin: one far sample would take it away from all others.
pub(crate) fn center<F: Scalar>(x: &Rows<F>) -> Array1<F> {
    let count = x.len().min(FEW_SAMPLES);
    let row = |k: usize| {
        if x.len() <= FEW_SAMPLES {
            return k;
        }
        let place = (k as u32).wrapping_mul(SPREAD);
        ((u64::from(place) * x.len() as u64) >> 32) as usize
    };
    let rows: Vec<ArrayView1<'_, F>> = (0..count)
        .map(|k| x.view().index_axis_move(Axis(0), row(k)))
        .collect();
    let mut values = vec![F::zero(); count];
    (0..x.view().ncols())
        .map(|feature| {
            for (value, row) in values.iter_mut().zip(&rows) {
                *value = row[feature];
            }
            values.sort_unstable_by(|a, b| a.partial_cmp(b).expect("samples are finite"));
            // The median is one of the values, not a mean of two: between two clusters a mean would be far from both.
            values.get(count / 2).copied().unwrap_or(F::zero())
        })
        .collect()
}

/// The number of samples up to which they are compared with others by differences. For a pair, differences cost more than a
/// product, but they need no origin of the others, no copies of them and no norms: a prediction for one sample takes a third
/// of the time.
const FEW: usize = 4;

/// Returns whether differences are cheaper than a product for these samples against others.
pub(super) fn are_few<F: Scalar>(a: &Rows<F>) -> bool {
    a.len() <= FEW
}

/// The length scales by which features are divided before distances are taken: none, or one for each feature. Differences
/// are divided, not features: the differences of near samples are exact.
pub(in crate::kernels) struct Scales<'a, F>(Option<&'a [F]>);

impl<F> Clone for Scales<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Scales<'_, F> {}

impl<'a, F: Scalar> Scales<'a, F> {
    pub(in crate::kernels) const NONE: Self = Self(None);

    pub(in crate::kernels) fn new(scales: &'a [F]) -> Self {
        Self(Some(scales))
    }

    /// The length scale ℓₖ of a feature; 1 if there are none.
    pub(super) fn of(self, feature: usize) -> F {
        self.0.map_or(F::one(), |scales| scales[feature])
    }

    /// The sum of `term((aₖ − bₖ)/ℓₖ)` over the features.
    pub(in crate::kernels) fn sum(self, a: &[F], b: &[F], term: impl Fn(F) -> F) -> F {
        let pairs = a.iter().zip(b);
        match self.0 {
            None => pairs.map(|(&a, &b)| term(a - b)).sum(),
            Some(scales) => pairs
                .zip(scales)
                .map(|((&a, &b), &scale)| term((a - b) / scale))
                .sum(),
        }
    }

    /// Adds `term((a − bⱼ)/ℓₖ)` to each sum, for one feature k.
    pub(in crate::kernels) fn add(
        self,
        feature: usize,
        sums: &mut [F],
        a: F,
        b: ArrayView1<'_, F>,
        term: impl Fn(F) -> F,
    ) {
        let pairs = sums.iter_mut().zip(b);
        match self.0 {
            None => pairs.for_each(|(sum, &b)| *sum += term(a - b)),
            Some(scales) => {
                let scale = scales[feature];
                pairs.for_each(|(sum, &b)| *sum += term((a - b) / scale));
            }
        }
    }

    /// The [`sum`](Self::sum) of each pair, shape (a, b); then `finish` is called for each row of `a`. The inner loop runs
    /// along the samples of `b`, where it can be vectorised.
    pub(super) fn sums(
        self,
        a: &Rows<F>,
        b: &Rows<F>,
        term: impl Fn(F) -> F + Sync,
        finish: impl Fn(&mut [F]) + Sync,
    ) -> Array2<F> {
        let features = b.view().reversed_axes().as_standard_layout().into_owned();
        let mut matrix = linalg::arbitrary((a.len(), b.len()));
        fill_values(&mut matrix, |i, row| {
            row.fill(F::zero());
            for (k, (&a, b)) in a.get(i).iter().zip(features.outer_iter()).enumerate() {
                self.add(k, row, a, b, &term);
            }
            finish(row);
        });
        matrix
    }

    /// The samples less an origin, divided by the length scales.
    pub(super) fn moved(self, x: &Rows<F>, origin: &Array1<F>) -> Array2<F> {
        let mut moved = &x.view() - origin;
        if let Some(scales) = self.0 {
            moved /= &ArrayView1::from(scales);
        }
        moved
    }

    /// The squared distance ‖a − b‖².
    pub(super) fn squared_distance(self, a: &[F], b: &[F]) -> F {
        self.sum(a, b, |difference| difference * difference)
    }

    /// The squared distances ‖a − b‖² of all pairs, shape (a, b), each to a few ε of its own size.
    pub(super) fn squared_distances(self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        if are_few(a) {
            let mut matrix = Array2::zeros((a.len(), b.len()));
            fill_rows(&mut matrix, |i, row| {
                let pairs = row.iter_mut().enumerate();
                pairs.for_each(|(j, value)| *value = self.squared_distance(a.get(i), b.get(j)));
            });
            return matrix;
        }
        let origin = center(b);
        let (a_moved, b_moved) = (self.moved(a, &origin), self.moved(b, &origin));
        from_inner_products(a_moved.view(), b_moved.view(), |i, j| {
            self.squared_distance(a.get(i), b.get(j))
        })
    }
}

/// The squared distances ‖a − b‖² = ‖a‖² + ‖b‖² − 2⟨a, b⟩ of all pairs, by one matrix product. Pairs for which the formula
/// cancels get `direct(i, j)` instead.
pub(super) fn from_inner_products<F: Scalar>(
    a: ArrayView2<'_, F>,
    b: ArrayView2<'_, F>,
    direct: impl Fn(usize, usize) -> F + Sync,
) -> Array2<F> {
    // A squared distance of at least this share of ‖a‖² + ‖b‖² has lost less than four bits.
    let share = F::cast(16).recip();
    let two = F::cast(2);
    let norms = |points: ArrayView2<'_, F>| -> Array1<F> {
        points.outer_iter().map(|row| row.dot(&row)).collect()
    };
    let (a_norms, b_norms) = (norms(a), norms(b));
    let mut matrix = linalg::product(a, b.reversed_axes());
    fill_rows(&mut matrix, |i, row| {
        for (j, (value, &b_norm)) in row.iter_mut().zip(&b_norms).enumerate() {
            let norms = a_norms[i] + b_norm;
            *value = norms - two * *value;
            // Negated, so that a norm that overflowed is caught as well.
            if !(*value >= share * norms && norms < F::infinity()) {
                *value = direct(i, j);
            }
        }
    });
    matrix
}
