//! Waves of random frequencies as features.

use super::frequencies::Frequencies;
use crate::{Error, Kernel, RawFeatures, RawMap, Rows, Scalar};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use std::{fmt, sync::Arc};

/// The 2m features cos⟨ωₖ, x − c⟩/√m and sin⟨ωₖ, x − c⟩/√m of m frequencies ωₖ that were drawn for a kernel κ, with an
/// origin c.
///
/// Their inner products are a kernel of their own, κ̂(a, b) = Σ cos⟨ωₖ, a − b⟩ / m. A space of these
/// features represents κ̂.
#[derive(PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "K: serde::Serialize, F: serde::Serialize"))
)]
pub struct FourierMap<K, F> {
    kernel: Arc<K>,
    frequencies: Frequencies<F>,
    /// The origin from which angles are measured: it makes them smaller, and so better known.
    origin: Array1<F>,
}

impl<K, F: Scalar> FourierMap<K, F> {
    pub(super) fn new(kernel: Arc<K>, frequencies: Frequencies<F>, origin: Array1<F>) -> Self {
        Self {
            kernel,
            frequencies,
            origin,
        }
    }

    /// The kernel κ that the frequencies were drawn for; no feature depends on it any more.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The frequencies ω, one a row.
    pub fn frequencies(&self) -> Array2<F> {
        let axes = Array2::eye(self.origin.len());
        self.frequencies.angles(axes).reversed_axes()
    }

    /// The origin c.
    pub fn origin(&self) -> ArrayView1<'_, F> {
        self.origin.view()
    }
}

impl<K: Send + Sync, F: Scalar> RawMap for FourierMap<K, F> {
    type Samples = Rows<F>;
    type Scalar = F;

    fn dimension(&self) -> usize {
        2 * self.frequencies.count()
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
        let angles = self.frequencies.angles(x);
        let count = self.frequencies.count();
        let amplitude = F::cast(count).sqrt().recip();
        let mut values = Array2::zeros((rows.len(), 2 * count));
        for ((mut features, angles), &row) in
            values.outer_iter_mut().zip(angles.outer_iter()).zip(rows)
        {
            if !angles.iter().all(|angle| angle.is_finite()) {
                let of = "the angles";
                return Err(Error::Overflow { of, row });
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
            // The features leave out nothing of the kernel κ̂ that they represent.
            rest: rest.then(|| Array1::zeros(rows.len())),
        })
    }
}

/// κ̂, the kernel that the features represent.
impl<K: Send + Sync, F: Scalar> Kernel<Rows<F>> for FourierMap<K, F> {
    type Scalar = F;

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let difference = &ArrayView1::from(a) - &ArrayView1::from(b);
        let angles = self.frequencies.angles(difference.insert_axis(Axis(0)));
        angles.mapv_into(F::cos).sum() / F::cast(self.frequencies.count())
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        RawMap::check(self, x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<K, F: Clone> Clone for FourierMap<K, F> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            frequencies: self.frequencies.clone(),
            origin: self.origin.clone(),
        }
    }
}

/// Shows frequencies and origin; the kernel need not be `Debug`.
impl<K, F: fmt::Debug> fmt::Debug for FourierMap<K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FourierMap")
            .field("frequencies", &self.frequencies)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

crate::checked! {
    #[serde(bound(deserialize = "K: serde::Deserialize<'de>, F: serde::Deserialize<'de>"))]
    FourierMap<K, F> {
        kernel: Arc<K>,
        frequencies: Frequencies<F>,
        origin: Array1<F>,
    }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<K, F: Scalar> FourierMap<K, F> {
    fn check_parts(&self) -> Result<(), String> {
        crate::serial::finite("the coordinates of the origin", &self.origin)?;
        self.frequencies.check_parts(self.origin.len())
    }
}
