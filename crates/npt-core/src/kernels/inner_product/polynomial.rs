//! The polynomial kernel: powers of the inner product.

use super::{inner_product, map_inner_products};
use crate::{
    Error, Kernel, Rows, Scalar, error,
    kernels::{Center, FAR, moved, of_quotients, weighted_sums},
    linalg,
};
use ndarray::{Array2, ArrayView2};

/// The polynomial kernel: all products of up to `degree` features.
///
/// # Definition
/// κ(a, b) = (γ⟨a, b⟩ + c)ᵈ
///
/// # Parameters
/// `degree` d ≥ 1; `gamma` γ > 0; `constant` c finite. With c < 0 the kernel is in general not
/// positive semidefinite; a fit refuses it where this shows.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `degree`, `gamma` or `constant`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Polynomial};
///
/// let value = Polynomial::new(3, 0.5, 1.0).eval(&[1.0, 2.0], &[3.0, 1.0]);
/// assert_eq!(value, (0.5_f64 * (1.0 * 3.0 + 2.0 * 1.0) + 1.0).powi(3));
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, *Learning with Kernels*, MIT Press 2002, section 2.1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "polynomial")
)]
pub struct Polynomial<F> {
    degree: u32,
    gamma: F,
    constant: F,
}

crate::composable!(impl<F> Polynomial<F>);

impl<F: Scalar> Polynomial<F> {
    /// The kernel (γ⟨a, b⟩ + c)ᵈ; ranges are checked at fit.
    pub fn new(degree: u32, gamma: F, constant: F) -> Self {
        Self {
            degree,
            gamma,
            constant,
        }
    }

    /// The homogeneous polynomial ⟨a, b⟩ᵈ: products of exactly `degree` features.
    ///
    /// ```
    /// use npt_core::{Kernel, Polynomial};
    ///
    /// let value = Polynomial::homogeneous(2).eval(&[1.0, 2.0], &[3.0, 1.0]);
    /// assert_eq!(value, (1.0_f64 * 3.0 + 2.0 * 1.0).powi(2));
    /// ```
    pub fn homogeneous(degree: u32) -> Self {
        Self::new(degree, F::one(), F::zero())
    }

    pub(crate) fn degree(&self) -> u32 {
        self.degree
    }

    pub(crate) fn gamma(&self) -> F {
        self.gamma
    }

    pub(crate) fn constant(&self) -> F {
        self.constant
    }

    /// The value γ⟨a, b⟩ + c to the power `degree`, which is the kernel's degree or less. Degrees beyond i32 overflow to
    /// infinity or vanish long before.
    fn power(&self, product: F, degree: u32) -> F {
        let degree = i32::try_from(degree).unwrap_or(i32::MAX);
        (self.gamma * product + self.constant).powi(degree)
    }

    fn of_inner_product(&self, product: F) -> F {
        self.power(product, self.degree)
    }

    /// The rises of a sample a = o + p: αₖ = (s + u)ᵏ − sᵏ for k below the degree, with s = γ⟨o, o⟩ + c and u = γ⟨o, p⟩.
    fn rises(&self, at_origin: F, along: F) -> impl Iterator<Item = F> {
        let (mut power, mut rise) = (F::one(), F::zero());
        (0..self.degree).map(move |_| {
            let this = rise;
            rise = (at_origin + along) * rise + along * power;
            power *= at_origin;
            this
        })
    }
}

/// The largest degree for which values are computed about an origin. They take as many steps as the degree.
const LARGEST_DEGREE: u32 = 64;

/// The numbers from which the value about an origin o is computed, for samples o + p and o + q:
/// s = γ⟨o, o⟩ + c, u = γ⟨o, p⟩, v = γ⟨o, q⟩ and D = γ⟨p, q⟩.
///
/// With x = s + u + v + D, the value Δₖ = xᵏ − (s + u)ᵏ − (s + v)ᵏ + sᵏ of degree k is
/// xΔₖ₋₁ + (v + D)αₖ₋₁ + (u + D)βₖ₋₁ + Dsᵏ⁻¹, from Δ₀ = 0. α and β are the rises of the two samples. No term is larger than
/// what it stands for.
struct About<F> {
    at_origin: F,
    of_a: F,
    of_b: F,
    product: F,
}

impl<F: Scalar> About<F> {
    fn value(&self, rises: impl Iterator<Item = (F, F)>) -> F {
        let (s, u, v, d) = (self.at_origin, self.of_a, self.of_b, self.product);
        let x = s + u + v + d;
        let (mut value, mut power) = (F::zero(), F::one());
        for (alpha, beta) in rises {
            value = x * value + (v + d) * alpha + (u + d) * beta + d * power;
            power *= s;
        }
        value
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Polynomial<F> {
    type Scalar = F;

    crate::parameters!("polynomial", degree, gamma, constant);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        self.of_inner_product(inner_product(a, b))
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        map_inner_products(a, b, |product| self.of_inner_product(product))
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Polynomial", "degree", f64::from(self.degree))?;
        error::positive("Polynomial", "gamma", self.gamma.as_f64())?;
        error::finite("Polynomial", "constant", self.constant.as_f64())
    }

    fn origin(&self, x: &Rows<F>) -> Option<Rows<F>> {
        let center = Center::of(x)?;
        let (gamma, constant) = (self.gamma.as_f64(), self.constant.as_f64());
        let is_far = gamma * center.squared_distance + constant > FAR * gamma * center.spread;
        let has_form = constant >= 0.0 && self.degree <= LARGEST_DEGREE;
        (is_far && has_form).then_some(center.mean)
    }

    fn eval_about(&self, origin: &[F], a: &[F], b: &[F]) -> F {
        let from = |x: &[F]| -> Vec<F> { x.iter().zip(origin).map(|(&x, &o)| x - o).collect() };
        let (p, q) = (from(a), from(b));
        let along = |x: &[F]| self.gamma * inner_product(x, origin);
        let about = About {
            at_origin: along(origin) + self.constant,
            of_a: along(&p),
            of_b: along(&q),
            product: self.gamma * inner_product(&p, &q),
        };
        let rises = |along| self.rises(about.at_origin, along);
        about.value(rises(about.of_a).zip(rises(about.of_b)))
    }

    fn cross_about(&self, origin: &Rows<F>, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let (p, q) = (moved(a, origin), moved(b, origin));
        let o = origin.view().row(0).to_owned();
        let at_origin = self.gamma * o.dot(&o) + self.constant;
        let (of_a, of_b) = (p.dot(&o) * self.gamma, q.dot(&o) * self.gamma);
        let rises = |along: &F| self.rises(at_origin, *along).collect::<Vec<F>>();
        let (of_rows, of_columns): (Vec<_>, Vec<_>) = (
            of_a.iter().map(rises).collect(),
            of_b.iter().map(rises).collect(),
        );
        let mut matrix = linalg::product(p.view(), q.t());
        linalg::fill_rows(&mut matrix, |i, row| {
            for (j, value) in row.iter_mut().enumerate() {
                let about = About {
                    at_origin,
                    of_a: of_a[i],
                    of_b: of_b[j],
                    product: self.gamma * *value,
                };
                let rises = of_rows[i]
                    .iter()
                    .copied()
                    .zip(of_columns[j].iter().copied());
                *value = about.value(rises);
            }
        });
        matrix
    }

    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a [F],
    ) -> Option<Box<dyn Kernel<Rows<F>, Scalar = F> + 'a>>
    where
        Rows<F>: 'a,
    {
        Some(of_quotients(self, length_scales))
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.constant >= F::zero()
    }

    fn parameter_derivatives(&self, x: &Rows<F>, weights: ArrayView2<'_, F>) -> Vec<Option<F>> {
        // The derivative by c is d(γ⟨a, b⟩ + c)ᵈ⁻¹; by γ it is that times ⟨a, b⟩.
        let products = map_inner_products(x, x, |product| product);
        weighted_sums(weights, &products, |product| {
            let outer = F::cast(self.degree) * self.power(product, self.degree.saturating_sub(1));
            [outer * product, outer]
        })
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
