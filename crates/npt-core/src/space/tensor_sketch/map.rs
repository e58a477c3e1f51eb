//! Features that are products of randomly signed sums.

use crate::{
    Error, Kernel, Polynomial, RawFeatures, RawMap, Rows, Scalar, linalg::walsh_hadamard,
    require_memory,
};
use ndarray::{Array1, Array2};
use rand::{Rng, seq::index};
use rand_xoshiro::Xoshiro256Plus;

/// Features of the polynomial kernel (γ⟨a, b⟩ + c)ᵈ: f_k(x) = ∏ⱼ ⟨wⱼₖ, x′⟩ / √m for j = 1, …, d and k = 1, …, m, with
/// x′ = (√γ·x, √c) and random signs wⱼₖ.
///
/// Entry i of wⱼₖ is sⱼᵢ·(−1)^⟨k, hⱼᵢ⟩ with random signs s and random numbers h below M, the smallest power of two that
/// is not below m. So a hashed copy of x′ and a Walsh–Hadamard transform give all ⟨wⱼₖ, x′⟩ at once. The h of one j differ
/// from each other as far as M allows it, because entries that share a place add an error that no other entries add.
///
/// The inner products of the features are a kernel of their own, κ̂. A space of these features represents κ̂.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SketchMap<F> {
    /// The kernel κ that places and signs were drawn for.
    kernel: Polynomial<F>,
    /// The number of features, m.
    features: usize,
    /// The number of columns of the samples.
    columns: usize,
    /// The hashes, one for each factor of the product.
    hashes: Vec<Hash<F>>,
}

/// The places that entries of x′ are added to, and the signs that they take.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Hash<F> {
    places: Vec<usize>,
    signs: Vec<F>,
}

impl<F: Scalar> SketchMap<F> {
    /// Draws random hashes for samples with `columns` columns.
    pub(super) fn draw(
        kernel: &Polynomial<F>,
        features: usize,
        columns: usize,
        rng: &mut Xoshiro256Plus,
    ) -> Self {
        let buckets = features.next_power_of_two();
        let sign = |positive| if positive { F::one() } else { -F::one() };
        let hash = |_| Hash {
            places: places(columns + 1, buckets, rng),
            signs: (0..=columns).map(|_| sign(rng.r#gen())).collect(),
        };
        Self {
            kernel: *kernel,
            features,
            columns,
            hashes: (0..kernel.degree()).map(hash).collect(),
        }
    }

    /// The kernel κ that places and signs were drawn for.
    pub fn kernel(&self) -> Polynomial<F> {
        self.kernel
    }

    /// Computes the features of one sample; `buckets` is room for the transform.
    fn map(&self, x: &[F], buckets: &mut [F], features: &mut [F]) {
        let scale = F::cast(self.features).sqrt().recip();
        features.fill(scale);
        let (of_entries, last) = (self.kernel.gamma().sqrt(), self.kernel.constant().sqrt());
        for Hash { places, signs } in &self.hashes {
            buckets.fill(F::zero());
            let hashed = x.iter().zip(places).zip(signs);
            hashed.for_each(|((&v, &place), &sign)| buckets[place] += sign * of_entries * v);
            buckets[places[self.columns]] += signs[self.columns] * last;
            walsh_hadamard(buckets);
            let pairs = features.iter_mut().zip(&*buckets);
            pairs.for_each(|(feature, &factor)| *feature *= factor);
        }
    }

    fn buckets(&self) -> Vec<F> {
        vec![F::zero(); self.features.next_power_of_two()]
    }
}

/// Draws random places below `buckets` for `count` entries. No place is drawn again before all have been drawn.
fn places(count: usize, buckets: usize, rng: &mut Xoshiro256Plus) -> Vec<usize> {
    let mut places = Vec::with_capacity(count);
    while places.len() < count {
        let few = buckets.min(count - places.len());
        places.extend(index::sample(rng, buckets, few));
    }
    places
}

impl<F: Scalar> RawMap for SketchMap<F> {
    type Samples = Rows<F>;
    type Scalar = F;

    fn dimension(&self) -> usize {
        self.features
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let (expected, found) = (self.columns, x.view().ncols());
        if expected != found {
            return Err(Error::ColumnCount { expected, found });
        }
        require_memory::<F>("the features of a sample", 1, self.features)
    }

    fn features(&self, x: &Rows<F>, rows: &[usize], rest: bool) -> Result<RawFeatures<F>, Error> {
        let mut values = Array2::zeros((rows.len(), self.features));
        let mut buckets = self.buckets();
        for (&row, mut features) in rows.iter().zip(values.outer_iter_mut()) {
            let features = features.as_slice_mut().expect("rows are contiguous");
            self.map(crate::Samples::get(x, row), &mut buckets, features);
            if !features.iter().all(|value| value.is_finite()) {
                let of = "the features";
                return Err(Error::Overflow { of, row });
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
impl<F: Scalar> Kernel<Rows<F>> for SketchMap<F> {
    type Scalar = F;

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let mut buckets = self.buckets();
        let [of_a, of_b] = [a, b].map(|x| {
            let mut features = Array1::zeros(self.features);
            let slice = features.as_slice_mut().expect("is contiguous");
            self.map(x, &mut buckets, slice);
            features
        });
        of_a.dot(&of_b)
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        RawMap::check(self, x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

crate::checked! {
    #[serde(bound(deserialize = "F: serde::Deserialize<'de>"))]
    SketchMap<F> {
        kernel: Polynomial<F>,
        features: usize,
        columns: usize,
        hashes: Vec<Hash<F>>,
    }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> SketchMap<F> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::serial::{agree, finite};
        let parameters = [self.kernel.gamma(), self.kernel.constant()];
        finite("the parameters of the kernel", &parameters)?;
        let degree = usize::try_from(self.kernel.degree()).unwrap_or(usize::MAX);
        agree("hashes", self.hashes.len(), "factors", degree)?;
        let buckets = self.features.checked_next_power_of_two();
        let is_some = self.features > 0 && self.columns > 0 && !self.hashes.is_empty();
        let Some(buckets) = buckets.filter(|_| is_some) else {
            return Err(format!(
                "{} features cannot be made of {} columns",
                self.features, self.columns
            ));
        };
        for Hash { places, signs } in &self.hashes {
            agree(
                "places and a last one",
                places.len(),
                "columns",
                self.columns.saturating_add(1),
            )?;
            agree("signs", signs.len(), "places", places.len())?;
            finite("the signs", signs)?;
            if let Some(place) = places.iter().find(|place| **place >= buckets) {
                return Err(format!("there is no place {place} among {buckets}"));
            }
        }
        Ok(())
    }
}
