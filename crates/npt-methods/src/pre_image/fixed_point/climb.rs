//! The iteration itself, for many points at once: one block of kernel values per step.

use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{
    Gaussian, Kernel, Rows, Scalar, linalg,
    watch::{Steps, check},
};

/// The landmarks that g of all points is a function of, about their mean and in units of the kernel's width, so
/// that κ(x, z) = exp(−‖x − z‖²).
pub(super) struct Landscape<F> {
    landmarks: Rows<F>,
    mean: Array1<F>,
    width: F,
    /// The largest distance of a landmark from the mean.
    radius: F,
}

/// The end of an iteration: a top, or the best z and the value of g where it failed.
pub(super) enum Climb<F> {
    Top(Array1<F>),
    Failed(Array1<F>, F),
}

/// The state of an iteration under way.
struct Position<F> {
    z: Array1<F>,
    value: F,
    /// The step from z to its image under the fixed-point map.
    step: Array1<F>,
    length: F,
    /// The share of the step that is tried.
    share: F,
}

/// The values of g and of the fixed-point map at one z.
struct Look<'a, F> {
    value: F,
    target: ArrayView1<'a, F>,
    /// The sum Σ |γᵢ|κᵢ of the terms that cancel in g.
    magnitude: F,
}

impl<F: Scalar> Landscape<F> {
    pub(super) fn new(landmarks: ArrayView2<'_, F>, gamma: F) -> Result<Self, Error> {
        let mut landmarks = landmarks.to_owned();
        let mean = crate::records::center(&mut landmarks);
        let width = gamma.sqrt().recip();
        landmarks /= width;
        let squared = landmarks.outer_iter().map(|row| row.dot(&row));
        let radius = squared.fold(F::zero(), F::max).sqrt();
        Ok(Self {
            landmarks: Rows::new(landmarks)?,
            mean,
            width,
            radius,
        })
    }

    pub(super) fn landmarks(&self) -> ArrayView2<'_, F> {
        self.landmarks.view()
    }

    /// Computes g at the landmarks, one row per row of γ.
    pub(super) fn at_landmarks(&self, gamma: ArrayView2<'_, F>) -> Array2<F> {
        let gram = Gaussian::new(F::one()).gram(&self.landmarks);
        linalg::product(gamma, gram.view())
    }

    /// Converts inputs to the units of the landscape.
    pub(super) fn position(&self, inputs: ArrayView2<'_, F>) -> Array2<F> {
        (&inputs - &self.mean) / self.width
    }

    /// Converts z to the units of the samples.
    pub(super) fn input(&self, z: &Array1<F>) -> Array1<F> {
        z * self.width + &self.mean
    }

    /// The relative error of g and its gradient. A kernel value has an error of up to 16 ε, and the errors of as
    /// many terms as there are landmarks add up like a random walk.
    fn noise(&self) -> F {
        let terms = F::cast(self.landmarks().nrows()).sqrt();
        (F::cast(16) + terms) * F::epsilon()
    }

    /// Runs one iteration per row of γ, from the rows of `starts`. Each iteration that arrives at a top is a step of the progress.
    pub(super) fn climb(
        &self,
        mut gamma: Array2<F>,
        starts: Array2<F>,
        max_iterations: usize,
        tolerance: F,
        steps: &Steps,
    ) -> Vec<Climb<F>> {
        let mut ends: Vec<Option<Climb<F>>> = starts.outer_iter().map(|_| None).collect();
        let mut positions: Vec<Option<Position<F>>> = starts.outer_iter().map(|_| None).collect();
        let mut active: Vec<usize> = (0..starts.nrows()).collect();
        let mut tried = starts;
        for _ in 0..max_iterations {
            check();
            let weights = self.weights(&tried, &gamma);
            let values = weights.sum_axis(Axis(1));
            let sums = linalg::product(weights.view(), self.landmarks());
            let targets = sums / values.view().insert_axis(Axis(1));
            let mut next = Vec::with_capacity(active.len());
            for (row, &id) in active.iter().enumerate() {
                let look = Look {
                    value: values[row],
                    target: targets.row(row),
                    magnitude: weights.row(row).fold(F::zero(), |sum, w| sum + w.abs()),
                };
                match self.advance(positions[id].take(), tried.row(row), &look, tolerance) {
                    Ok(position) => {
                        next.push((row, &position.z + &(&position.step * position.share)));
                        positions[id] = Some(position);
                    }
                    Err(end) => {
                        steps.take(usize::from(matches!(end, Climb::Top(_))));
                        ends[id] = Some(end);
                    }
                }
            }
            let rows: Vec<usize> = next.iter().map(|&(row, _)| row).collect();
            if rows.len() < active.len() {
                active = rows.iter().map(|&row| active[row]).collect();
                gamma = gamma.select(Axis(0), &rows);
            }
            if active.is_empty() {
                break;
            }
            tried = Array2::from_shape_fn((next.len(), tried.ncols()), |(i, j)| next[i].1[j]);
        }
        for id in active {
            let last = positions[id].take().expect("active ones have a position");
            ends[id] = Some(Climb::Failed(last.z, last.value));
        }
        ends.into_iter().flatten().collect()
    }

    /// Computes γᵢκ(xᵢ, z), one row per z.
    fn weights(&self, z: &Array2<F>, gamma: &Array2<F>) -> Array2<F> {
        let mut z = z.clone();
        let mut beyond = Vec::new();
        for (row, mut z) in z.outer_iter_mut().enumerate() {
            if z.iter().any(|v| !v.is_finite()) {
                z.fill(F::zero());
                beyond.push(row);
            }
        }
        let z = Rows::new(z).expect("what is not finite was replaced");
        let mut weights = Gaussian::new(F::one()).cross(&z, &self.landmarks);
        // Kernel values at the end of the range of numbers are not known to relative rounding, or at
        // all: they count as 0.
        let smallest = F::min_positive_value() / F::epsilon();
        weights.zip_mut_with(gamma, |value, &gamma| {
            *value = if *value > smallest {
                *value * gamma
            } else {
                F::zero()
            };
        });
        // For a z beyond the range of numbers, all landmarks are too far to count.
        for row in beyond {
            weights.row_mut(row).fill(F::zero());
        }
        weights
    }

    /// Moves to the position that was tried, or halves the step.
    fn advance(
        &self,
        position: Option<Position<F>>,
        tried: ArrayView1<'_, F>,
        look: &Look<'_, F>,
        tolerance: F,
    ) -> Result<Position<F>, Climb<F>> {
        let noise = self.noise() * look.magnitude;
        // Negated, so that NaN counts as dead.
        let dead = !(look.value > noise) || look.target.iter().any(|v| !v.is_finite());
        let step = &look.target - &tried;
        let length = step.dot(&step).sqrt();
        let mut share = F::one();
        if let Some(mut from) = position {
            let above = look.value > from.value + noise;
            // At the top g is flat, and only shorter steps show that the iteration goes on.
            let level = look.value >= from.value - noise && length < from.length;
            if dead || !(above || level) {
                from.share /= F::cast(2);
                return if from.share > F::epsilon() {
                    Ok(from)
                } else {
                    Err(Climb::Failed(from.z, from.value))
                };
            }
            share = share.min(from.share * F::cast(2));
        } else if dead {
            let inside = tried.iter().all(|v| v.is_finite());
            let value = if inside {
                look.value
            } else {
                F::neg_infinity()
            };
            return Err(Climb::Failed(tried.to_owned(), value));
        }
        let z = tried.to_owned();
        let unknown = F::cast(2) * noise / look.value * (self.radius + F::one());
        if length <= tolerance.max(unknown) {
            return Err(Climb::Top(z));
        }
        let value = look.value;
        Ok(Position {
            z,
            value,
            step,
            length,
            share,
        })
    }
}
