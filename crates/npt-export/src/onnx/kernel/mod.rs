//! Kernel values as graphs, made from the descriptions of kernels.

mod compose;
mod distances;
mod features;
mod inner_products;
mod parameters;
mod ready;

use super::{Attribute, Graph, Value};
use crate::Error;
use npt_core::Description;
use parameters::Parameters;
pub(super) use ready::require_truth;

/// The vectors that a kernel is evaluated on.
#[derive(Clone)]
struct Pairs {
    /// The first vectors, shape (N, d).
    a: Value,
    /// The second vectors, shape (n, d), or (N, d) row by row.
    b: Value,
    /// Is true if each a is paired with each b, which gives shape (N, n); else each a with the b of its row, which gives (N, 1).
    cross: bool,
}

/// The cross kernel matrix of the rows of x and the samples, shape (N, n).
pub(super) fn cross(
    graph: &mut Graph,
    kernel: &Description,
    x: &Value,
    samples: &Value,
) -> Result<Value, Error> {
    let pairs = Pairs {
        a: x.clone(),
        b: samples.clone(),
        cross: true,
    };
    values(graph, kernel, &pairs)
}

/// Checks, by the description of a kernel of dense vectors, that it has a form in ONNX.
///
/// # Errors
/// [`Error::Kernel`] with the part that has no form.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Rows};
/// use npt_export::onnx::require_form;
///
/// let kernel = Gaussian::new(0.5);
/// assert_eq!(require_form(&Kernel::<Rows<f64>>::describe(&kernel)), Ok(()));
/// ```
#[doc(hidden)]
pub fn require_form(kernel: &Description) -> Result<(), Error> {
    let mut graph = Graph::default();
    let x = graph.input(1);
    cross(&mut graph, kernel, &x, &x).map(|_| ())
}

fn values(graph: &mut Graph, kernel: &Description, pairs: &Pairs) -> Result<Value, Error> {
    let of = Parameters(kernel);
    match kernel.name.as_str() {
        "linear" => Ok(inner_products::linear(graph, pairs)),
        "polynomial" => inner_products::polynomial(graph, of, pairs),
        "sigmoid" => inner_products::sigmoid(graph, of, pairs),
        "cosine" => Ok(inner_products::cosine(graph, pairs)),
        "tanimoto" => Ok(inner_products::tanimoto(graph, pairs)),
        "gaussian" => distances::gaussian(graph, of, pairs),
        "exponential" => distances::exponential(graph, of, pairs),
        "matern" => distances::matern(graph, of, pairs),
        "rational_quadratic" => distances::rational_quadratic(graph, of, pairs),
        "laplacian" => features::laplacian(graph, of, pairs),
        "periodic" => features::periodic(graph, of, pairs),
        "chi_squared" => features::chi_squared(graph, of, pairs),
        "additive_chi_squared" => Ok(features::additive_chi_squared(graph, pairs)),
        "histogram_intersection" => Ok(features::intersection(graph, pairs)),
        "min_max" => Ok(features::min_max(graph, pairs)),
        "anova" => features::anova(graph, of, pairs),
        "spline" => Ok(features::spline(graph, pairs)),
        "simple_matching" => Ok(features::simple_matching(graph, pairs)),
        "gower" => features::gower(graph, of, pairs),
        "sum" => compose::of_two(graph, of, pairs, "Add"),
        "product" => compose::of_two(graph, of, pairs, "Mul"),
        "scaled" => compose::scaled(graph, of, pairs),
        "weighted_sum" => compose::weighted_sum(graph, of, pairs),
        "normalized" => compose::normalized(graph, of, pairs),
        "columns" => compose::columns(graph, of, pairs),
        "length_scales" => compose::length_scales(graph, of, pairs),
        _ => Err(of.unknown()),
    }
}

impl Graph {
    fn binary(&mut self, operator: &str, a: &Value, b: &Value) -> Value {
        self.node(operator, &[a, b], &[])
    }

    fn unary(&mut self, operator: &str, a: &Value) -> Value {
        self.node(operator, &[a], &[])
    }

    /// Adds an operator of a value and a number.
    fn with_number(&mut self, operator: &str, a: &Value, number: f64) -> Value {
        let number = self.number(number);
        self.binary(operator, a, &number)
    }

    /// The exponential exp(−factor·a).
    fn exp_of_minus(&mut self, factor: f64, a: &Value) -> Value {
        let exponent = self.with_number("Mul", a, -factor);
        self.unary("Exp", &exponent)
    }

    /// The quotient; it is `otherwise` where the divisor is 0.
    fn quotient_or(&mut self, a: &Value, divisor: &Value, otherwise: f64) -> Value {
        let is_zero = self.with_number("Equal", divisor, 0.0);
        let (one, otherwise) = (self.number(1.0), self.number(otherwise));
        let divisor = self.node("Where", &[&is_zero, &one, divisor], &[]);
        let quotient = self.binary("Div", a, &divisor);
        self.node("Where", &[&is_zero, &otherwise, &quotient], &[])
    }

    /// The sum of each row, shape (N, 1).
    fn row_sums(&mut self, a: &Value) -> Value {
        let axes = self.integers(&[1]);
        self.node("ReduceSum", &[a, &axes], &[("keepdims", Attribute::Int(1))])
    }
}

impl Pairs {
    /// Makes pairs of each vector with itself.
    fn alone(vectors: &Value) -> Self {
        Self {
            a: vectors.clone(),
            b: vectors.clone(),
            cross: false,
        }
    }

    /// Returns pairs like these, of changed vectors.
    fn map(&self, mut change: impl FnMut(&Value) -> Value) -> Self {
        Self {
            a: change(&self.a),
            b: change(&self.b),
            cross: self.cross,
        }
    }

    /// Computes a number of each a and one of each b, shape (N, 1), and returns both in shapes that make pairs by broadcasting.
    fn of_each(
        &self,
        graph: &mut Graph,
        mut number: impl FnMut(&mut Graph, &Value) -> Result<Value, Error>,
    ) -> Result<(Value, Value), Error> {
        let a = number(graph, &self.a)?;
        let b = number(graph, &self.b)?;
        let b = if self.cross {
            graph.unary("Transpose", &b)
        } else {
            b
        };
        Ok((a, b))
    }

    /// The inner products ⟨a, b⟩ of the pairs.
    fn inner_products(&self, graph: &mut Graph) -> Value {
        if self.cross {
            let transposed = graph.unary("Transpose", &self.b);
            return graph.binary("MatMul", &self.a, &transposed);
        }
        let products = graph.binary("Mul", &self.a, &self.b);
        graph.row_sums(&products)
    }

    /// The features of all pairs, a and b, in shapes that broadcast to (N, n, d), or (N, d).
    fn features(&self, graph: &mut Graph) -> (Value, Value) {
        let a = if self.cross {
            let axes = graph.integers(&[1]);
            graph.binary("Unsqueeze", &self.a, &axes)
        } else {
            self.a.clone()
        };
        (a, self.b.clone())
    }

    /// The attribute `keepdims` of sums over features: pairs row by row keep an axis of one, for the shape (N, 1).
    fn keepdims(&self) -> (&'static str, Attribute) {
        ("keepdims", Attribute::Int(i64::from(!self.cross)))
    }

    /// Computes sums over the features.
    fn sum(&self, graph: &mut Graph, terms: &Value) -> Value {
        let axes = graph.integers(&[-1]);
        graph.node("ReduceSum", &[terms, &axes], &[self.keepdims()])
    }

    /// Reduces the features by another operator, whose axes are an attribute.
    fn reduce(&self, graph: &mut Graph, operator: &str, terms: &Value) -> Value {
        let axes = ("axes", Attribute::Ints(vec![-1]));
        graph.node(operator, &[terms], &[axes, self.keepdims()])
    }
}
