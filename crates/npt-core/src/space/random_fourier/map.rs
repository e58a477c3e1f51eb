//! Waves of random frequencies as features.

use crate::{Error, Kernel, RawFeatures, RawMap, Rows, Scalar, SpectralMeasure, linalg};
use linfa_linalg::qr::QR;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::Rng;
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;

/// The features cos⟨ωₖ, x − c⟩/√m and sin⟨ωₖ, x − c⟩/√m of m frequencies ωₖ, 2m of them, from an origin c.
///
/// Their inner products are a kernel of their own, κ̂(a, b) = Σ cos⟨ωₖ, a − b⟩ / m: it is the one that a
/// space of them represents.
#[derive(Debug, Clone, PartialEq)]
pub struct FourierMap<F> {
    /// One a row.
    frequencies: Array2<F>,
    /// From where angles are measured: they are smaller so, and better known.
    origin: Array1<F>,
}

impl<F: Scalar> FourierMap<F> {
    /// With frequencies drawn for a kernel of `features` features. `orthogonal` ones are drawn as many at a
    /// time as there are features, in directions at right angles to each other.
    pub(super) fn draw<K: SpectralMeasure>(
        kernel: &K,
        frequencies: usize,
        origin: Array1<F>,
        orthogonal: bool,
        rng: &mut Xoshiro256Plus,
    ) -> Result<Self, Error> {
        let features = origin.len();
        let mut drawn = Array2::<F>::zeros((frequencies, features));
        let mut deviations = vec![0.0; features];
        for mut block in drawn.axis_chunks_iter_mut(Axis(0), features) {
            let directions = standard_normal(block.nrows(), features, orthogonal, rng)?;
            for (mut frequency, direction) in block.outer_iter_mut().zip(directions.outer_iter()) {
                kernel.draw_deviations(rng, &mut deviations);
                let parts = frequency.iter_mut().zip(&deviations).zip(direction);
                parts.for_each(|((part, deviation), z)| *part = F::cast(deviation * z));
            }
        }
        Ok(Self {
            frequencies: drawn,
            origin,
        })
    }

    /// The frequencies ω, one a row.
    pub fn frequencies(&self) -> &Array2<F> {
        &self.frequencies
    }
}

/// Standard normal vectors, one a row, at the most as many as they have entries; orthogonal to each other if
/// that is wanted: each is standard normal by itself.
fn standard_normal(
    count: usize,
    size: usize,
    orthogonal: bool,
    rng: &mut Xoshiro256Plus,
) -> Result<Array2<f64>, Error> {
    let mut normal =
        Array2::<f64>::from_shape_simple_fn((size, count), || rng.sample(StandardNormal));
    if orthogonal {
        let lengths = normal.map_axis(Axis(0), |column| column.dot(&column).sqrt());
        let decomposition = normal.qr().map_err(|_| Error::Eigensolver { size })?;
        // Directions and lengths of normal vectors are independent.
        normal = decomposition.generate_q() * lengths;
    }
    Ok(normal.reversed_axes())
}

impl<F: Scalar> RawMap for FourierMap<F> {
    type Samples = Rows<F>;
    type Scalar = F;

    fn dimension(&self) -> usize {
        2 * self.frequencies.nrows()
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let (expected, found) = (self.origin.len(), x.view().ncols());
        if expected == found {
            Ok(())
        } else {
            Err(Error::ColumnCount { expected, found })
        }
    }

    fn features(&self, x: &Rows<F>, rows: &[usize], rest: bool) -> Result<RawFeatures<F>, Error> {
        let x = x.view().select(Axis(0), rows) - &self.origin;
        let angles = linalg::product(x.view(), self.frequencies.t());
        let count = self.frequencies.nrows();
        let amplitude = F::cast(count).sqrt().recip();
        let mut values = Array2::zeros((rows.len(), 2 * count));
        for ((mut features, angles), &row) in
            values.outer_iter_mut().zip(angles.outer_iter()).zip(rows)
        {
            if let Some(angle) = angles.iter().find(|angle| !angle.is_finite()) {
                // Frequency times distance leaves the range.
                return Err(Error::KernelNotFinite {
                    row,
                    column: row,
                    value: angle.as_f64(),
                });
            }
            let (mut cosines, mut sines) = features.view_mut().split_at(Axis(0), count);
            for (k, angle) in angles.iter().enumerate() {
                let (sine, cosine) = angle.sin_cos();
                cosines[k] = cosine * amplitude;
                sines[k] = sine * amplitude;
            }
        }
        Ok(RawFeatures {
            values,
            // Nothing of the kernel that they represent is left out.
            rest: rest.then(|| Array1::zeros(rows.len())),
        })
    }
}

/// κ̂, the kernel that the features represent.
impl<F: Scalar> Kernel<Rows<F>> for FourierMap<F> {
    type Scalar = F;

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let difference = &ArrayView1::from(a) - &ArrayView1::from(b);
        let waves = self.frequencies.dot(&difference).mapv_into(F::cos);
        waves.sum() / F::cast(waves.len())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
