//! Random frequencies: independent, orthogonal to each other, or the rows of a fast transform.

use super::Directions;
use crate::{
    Scalar, SpectralMeasure,
    linalg::{self, walsh_hadamard},
    watch::{Progress, check},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, s};
use rand::Rng;
use rand_distr::{ChiSquared, Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256Plus;

/// The number of fast transforms, each after a change of signs.
const TURNS: usize = 3;

/// Frequencies ω, of which only angles ⟨ω, x⟩ are needed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Frequencies<F> {
    /// Frequencies that are kept, one a row.
    Dense(Array2<F>),
    /// Frequencies whose angles are computed by fast transforms.
    Structured(Structured<F>),
}

/// Frequencies in blocks of P, the smallest power of two that is not below the number of features p. The frequencies of a
/// block are the rows of R·HD₁HD₂HD₃·C/P, with the Walsh–Hadamard matrix H, random signs D, scales C of the features and
/// random lengths R.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Structured<F> {
    /// C, one a feature.
    scales: Array1<F>,
    blocks: Vec<Block<F>>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Block<F> {
    /// The P signs of each turn, in the order in which the turns are applied.
    signs: [Array1<F>; TURNS],
    /// R/P, one for each frequency that is taken from the block.
    lengths: Array1<F>,
}

impl<F: Scalar> Frequencies<F> {
    /// Draws `count` frequencies for a kernel of samples with `features` features.
    pub(super) fn draw(
        measure: &dyn SpectralMeasure,
        count: usize,
        features: usize,
        directions: Directions,
        rng: &mut Xoshiro256Plus,
    ) -> Self {
        if directions == Directions::Structured {
            return Self::Structured(Structured::draw(measure, count, features, rng));
        }
        let mut progress = Progress::start("random frequencies", count);
        let orthogonal = directions == Directions::Orthogonal;
        let mut drawn = Array2::<F>::zeros((count, features));
        let mut deviations = vec![0.0; features];
        let blocks = drawn.axis_chunks_iter_mut(Axis(0), features);
        for (number, mut block) in blocks.enumerate() {
            progress.at(number * features);
            let directions = standard_normal(block.nrows(), features, orthogonal, rng);
            for (mut frequency, direction) in block.outer_iter_mut().zip(directions.outer_iter()) {
                measure.draw_deviations(rng, &mut deviations);
                let parts = frequency.iter_mut().zip(&deviations).zip(direction);
                parts.for_each(|((part, deviation), z)| *part = F::cast(deviation * z));
            }
        }
        Self::Dense(drawn)
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::Dense(frequencies) => frequencies.nrows(),
            Self::Structured(structured) => structured.blocks.iter().map(|b| b.lengths.len()).sum(),
        }
    }

    /// Computes ⟨ωₖ, x⟩ for each row x, one column a frequency.
    pub(super) fn angles(&self, x: Array2<F>) -> Array2<F> {
        match self {
            Self::Dense(frequencies) => linalg::product(x.view(), frequencies.t()),
            Self::Structured(structured) => structured.angles(x, self.count()),
        }
    }
}

impl<F: Scalar> Structured<F> {
    fn draw(
        measure: &dyn SpectralMeasure,
        count: usize,
        features: usize,
        rng: &mut Xoshiro256Plus,
    ) -> Self {
        let size = features.next_power_of_two();
        let mut deviations = vec![1.0; features];
        let (widest, scales) = relative_deviations(measure, &mut deviations, rng);
        let squares = ChiSquared::new(size as f64).expect("there are features");
        let mut length = |rng: &mut Xoshiro256Plus| {
            measure.draw_deviations(rng, &mut deviations);
            // A row in a random direction, as long as a standard normal vector, has entries that are standard normal.
            let length = (squares.sample(rng) / size as f64).sqrt();
            F::cast(deviations[widest] * length / size as f64)
        };
        let blocks = (0..count).step_by(size).map(|start| {
            let mut sign = |_| if rng.r#gen() { F::one() } else { -F::one() };
            Block {
                signs: [(); TURNS].map(|()| Array1::from_shape_fn(size, &mut sign)),
                lengths: (start..count.min(start + size))
                    .map(|_| length(rng))
                    .collect(),
            }
        });
        let blocks = blocks.collect();
        Self { scales, blocks }
    }

    fn angles(&self, x: Array2<F>, count: usize) -> Array2<F> {
        let mut angles = Array2::zeros((x.nrows(), count));
        let scaled = x * &self.scales;
        let mut room = Array1::zeros(self.scales.len().next_power_of_two());
        for (x, mut angles) in scaled.outer_iter().zip(angles.outer_iter_mut()) {
            let mut start = 0;
            for Block { signs, lengths } in &self.blocks {
                room.fill(F::zero());
                room.slice_mut(s![..x.len()]).assign(&x);
                for signs in signs {
                    room *= signs;
                    walsh_hadamard(room.as_slice_mut().expect("is contiguous"));
                }
                let end = start + lengths.len();
                let turned = room.slice(s![..lengths.len()]);
                angles
                    .slice_mut(s![start..end])
                    .assign(&(&turned * lengths));
                start = end;
            }
        }
        angles
    }
}

/// The largest number of draws of the deviations: rounding may leave deviations that are all 0, and these are drawn again.
const TRIES: usize = 1000;

/// Returns the deviations of an isotropic kernel in units of the largest, which is 1, and the position of the largest.
/// The deviations of each frequency are these times one number.
fn relative_deviations<F: Scalar>(
    measure: &dyn SpectralMeasure,
    deviations: &mut [f64],
    rng: &mut Xoshiro256Plus,
) -> (usize, Array1<F>) {
    for _ in 0..TRIES {
        measure.draw_deviations(rng, deviations);
        let by_size = |a: &usize, b: &usize| deviations[*a].total_cmp(&deviations[*b]);
        let widest = (0..deviations.len()).max_by(by_size).unwrap_or(0);
        let most = deviations[widest];
        if most > 0.0 {
            return (
                widest,
                deviations.iter().map(|d| F::cast(d / most)).collect(),
            );
        }
    }
    (0, Array1::ones(deviations.len()))
}

/// Draws standard normal vectors, one a row, at most as many as a vector has entries. They are orthogonal to each
/// other if `orthogonal` is true: each is then standard normal by itself but for its sign, on which no kernel value
/// of the waves depends.
fn standard_normal(
    count: usize,
    size: usize,
    orthogonal: bool,
    rng: &mut Xoshiro256Plus,
) -> Array2<f64> {
    let mut normal = Array2::zeros((count, size));
    for mut row in normal.outer_iter_mut() {
        check();
        row.iter_mut().for_each(|z| *z = rng.sample(StandardNormal));
    }
    if !orthogonal {
        return normal;
    }
    let lengths = normal.map_axis(Axis(1), |row: ArrayView1<'_, f64>| row.dot(&row).sqrt());
    // Directions and lengths of normal vectors are independent.
    linalg::orthonormal_rows(normal.view()) * lengths.insert_axis(Axis(1))
}

#[cfg(feature = "serde")]
impl<F: Scalar> Frequencies<F> {
    /// Checks that the frequencies are finite, and that they belong to samples with this many features.
    pub(super) fn check_parts(&self, features: usize) -> Result<(), String> {
        use crate::serial::{agree, finite};
        if features == 0 || self.count() == 0 {
            return Err("there are no frequencies, or no features".into());
        }
        match self {
            Self::Dense(frequencies) => {
                agree(
                    "columns of frequencies",
                    frequencies.ncols(),
                    "features",
                    features,
                )?;
                finite("the frequencies", frequencies)
            }
            Self::Structured(Structured { scales, blocks }) => {
                agree("scales", scales.len(), "features", features)?;
                finite("the scales", scales)?;
                let size = features.next_power_of_two();
                for Block { signs, lengths } in blocks {
                    for signs in signs {
                        agree("signs", signs.len(), "entries of a block", size)?;
                        finite("the signs", signs)?;
                    }
                    agree(
                        "lengths",
                        lengths.len().max(size),
                        "entries of a block",
                        size,
                    )?;
                    finite("the lengths", lengths)?;
                }
                Ok(())
            }
        }
    }
}
