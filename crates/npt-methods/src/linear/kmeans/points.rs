//! Samples, and the centroids that are nearest to them.
//!
//! Distances are compared by ½‖c‖² − ⟨x, c⟩ from one matrix product. Where that cannot tell them apart, they are compared by differences.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, CowArray, Ix2, Zip, s};
use npt_core::{Scalar, linalg, watch::Carrier};
use rayon::prelude::*;

/// The number of rows that a thread looks at together.
const PANEL: usize = 256;

/// Samples as rows, in row-major order.
pub(super) struct Points<'a, F> {
    pub(super) rows: ArrayView2<'a, F>,
    /// ‖x‖² of each row.
    squares: Array1<F>,
}

/// The centroid nearest to a sample.
#[derive(Clone, Copy)]
pub(super) struct Nearest<F> {
    pub(super) cluster: usize,
    /// An upper bound of the distance to this centroid.
    pub(super) within: F,
    /// A lower bound of the distances to all other centroids.
    pub(super) beyond: F,
}

impl<'a, F: Scalar> Points<'a, F> {
    pub(super) fn new(rows: ArrayView2<'a, F>) -> Self {
        let squares = squares(rows);
        Self { rows, squares }
    }

    pub(super) fn row(&self, i: usize) -> &[F] {
        let columns = self.rows.ncols();
        &self.rows.to_slice().expect("rows are in row-major order")[i * columns..(i + 1) * columns]
    }

    /// Returns ‖x‖.
    pub(super) fn length(&self, i: usize) -> F {
        self.squares[i].sqrt()
    }

    /// Returns the largest ‖x‖².
    pub(super) fn largest_square(&self) -> F {
        self.squares.iter().copied().fold(F::zero(), F::max)
    }

    /// Finds the nearest centroid of each of some samples. A sample leaves its current cluster only for one that is nearer by more
    /// than rounding: else samples on a border could change sides for ever.
    pub(super) fn nearest(
        &self,
        samples: &[usize],
        centroids: &Centroids<'_, F>,
        current: Option<&Array1<usize>>,
    ) -> Vec<Nearest<F>> {
        let carrier = Carrier::new();
        let of_panel = |samples: &[usize]| {
            let rows = self.panel(samples);
            let products = linalg::product(rows.view(), centroids.columns.view());
            let nearest = samples.iter().zip(products.outer_iter());
            nearest
                .map(|(&i, products)| {
                    let products = products
                        .to_slice()
                        .expect("products are in row-major order");
                    let current = current.map(|clusters| clusters[i]);
                    centroids.nearest(self.rows.row(i), self.squares[i], products, current)
                })
                .collect::<Vec<_>>()
        };
        let panels = samples.par_chunks(PANEL);
        let panels: Vec<_> = panels
            .map(|panel| carrier.over(|| of_panel(panel)))
            .collect();
        panels.concat()
    }

    /// Returns the rows of some samples, which are ascending. Rows that form one stretch are not copied.
    fn panel(&self, samples: &[usize]) -> CowArray<'_, F, Ix2> {
        let first = samples[0];
        if samples.last() == Some(&(first + samples.len() - 1)) {
            return self.rows.slice(s![first..first + samples.len(), ..]).into();
        }
        let shape = (samples.len(), self.rows.ncols());
        let mut rows = Vec::with_capacity(shape.0 * shape.1);
        for &i in samples {
            rows.extend_from_slice(self.row(i));
        }
        let rows = Array2::from_shape_vec(shape, rows).expect("as many rows as samples");
        rows.into()
    }

    /// Returns the squared distances of all samples from some of them, shape (samples, some). Values up to `level` become 0.
    pub(super) fn squared_distances(&self, some: &[usize], level: F) -> Array2<F> {
        let chosen = self.rows.select(Axis(0), some);
        let mut distances = linalg::product(self.rows, chosen.t());
        // A squared distance that is known to a sixteenth of it suffices to draw by.
        let doubt = rounding::<F>(self.rows.ncols()) * F::cast(16);
        for (i, mut distances) in distances.outer_iter_mut().enumerate() {
            for (distance, &j) in distances.iter_mut().zip(some) {
                let squares = self.squares[i] + self.squares[j];
                *distance = squares - (*distance + *distance);
                if !(*distance > level + doubt * squares) {
                    *distance = squared_distance(self.rows.row(i), self.rows.row(j));
                }
                if *distance <= level {
                    *distance = F::zero();
                }
            }
        }
        distances
    }
}

/// Centroids as rows.
pub(super) struct Centroids<'a, F> {
    rows: ArrayView2<'a, F>,
    /// The centroids as columns, in row-major order.
    columns: Array2<F>,
    /// ‖c‖² of each centroid.
    squares: Array1<F>,
    /// The largest ‖c‖².
    largest_square: F,
}

impl<'a, F: Scalar> Centroids<'a, F> {
    pub(super) fn new(rows: ArrayView2<'a, F>) -> Self {
        let squares = squares(rows);
        Self {
            rows,
            columns: rows.t().as_standard_layout().into_owned(),
            largest_square: squares.iter().copied().fold(F::zero(), F::max),
            squares,
        }
    }

    /// Finds the centroid nearest to x, from ‖x‖² and the products of x with all centroids.
    fn nearest(
        &self,
        x: ArrayView1<'_, F>,
        square: F,
        products: &[F],
        current: Option<usize>,
    ) -> Nearest<F> {
        let half = F::one() / F::cast(2);
        let score = |c: usize| half * self.squares[c] - products[c];
        let (mut cluster, mut least, mut second) = (0, F::infinity(), F::infinity());
        for c in 0..products.len() {
            let score = score(c);
            if score < least {
                (cluster, least, second) = (c, score, least);
            } else if score < second {
                second = score;
            }
        }
        // Terms as large as ‖x‖‖c‖ cancel. Half the sum of the squares is more, and the scores of two centroids count.
        let known = rounding::<F>(x.len()) * (square + self.largest_square);
        let mut own = least;
        // Negated, so that scores that overflowed are looked at as well.
        if !(second - least > known) {
            let open = (0..products.len()).filter(|&c| !(score(c) - least > known));
            let open: Vec<usize> = open.collect();
            cluster = self.nearest_of(&open, x, current);
            own = score(cluster);
            second = least;
        }
        let length = |score: F| (square + score + score).max(F::zero()).sqrt();
        Nearest {
            cluster,
            within: length(own + known),
            beyond: length(second - known),
        }
    }

    /// Finds the nearest of some centroids, by differences.
    fn nearest_of(&self, some: &[usize], x: ArrayView1<'_, F>, current: Option<usize>) -> usize {
        let distance = |c: usize| squared_distance(x, self.rows.row(c));
        let clearly = F::one() - rounding(x.len());
        let first = current
            .filter(|current| some.contains(current))
            .unwrap_or(some[0]);
        let nearer = |(best, least): (usize, F), &c: &usize| {
            let distance = distance(c);
            if distance < least * clearly {
                (c, distance)
            } else {
                (best, least)
            }
        };
        some.iter().fold((first, distance(first)), nearer).0
    }
}

/// Returns the nearest centroid of each row.
pub(super) fn nearest<F: Scalar>(
    x: ArrayView2<'_, F>,
    centroids: ArrayView2<'_, F>,
) -> Array1<usize> {
    let x = x.as_standard_layout();
    let all: Vec<usize> = (0..x.nrows()).collect();
    let nearest = Points::new(x.view()).nearest(&all, &Centroids::new(centroids), None);
    nearest.into_iter().map(|nearest| nearest.cluster).collect()
}

/// Returns the rounding of a sum of `terms` products, relative to the sum of their absolute values.
pub(super) fn rounding<F: Scalar>(terms: usize) -> F {
    F::cast(terms + 8) * F::epsilon()
}

fn squares<F: Scalar>(rows: ArrayView2<'_, F>) -> Array1<F> {
    rows.outer_iter().map(|row| row.dot(&row)).collect()
}

/// The number of terms that are added up side by side.
const LANES: usize = 8;

pub(super) fn squared_distance<F: Scalar>(a: ArrayView1<'_, F>, b: ArrayView1<'_, F>) -> F {
    let square = |a: F, b: F| (a - b) * (a - b);
    let (Some(a), Some(b)) = (a.to_slice(), b.to_slice()) else {
        return Zip::from(a)
            .and(b)
            .fold(F::zero(), |sum, &a, &b| sum + square(a, b));
    };
    let mut sums = [F::zero(); LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += square(a[lane], b[lane]);
        }
    }
    let whole = a.len() / LANES * LANES;
    let rest = a[whole..].iter().zip(&b[whole..]);
    let rest = rest.fold(F::zero(), |sum, (&a, &b)| sum + square(a, b));
    sums.into_iter().fold(rest, |sum, lane| sum + lane)
}
