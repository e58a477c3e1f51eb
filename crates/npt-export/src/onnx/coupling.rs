//! Probabilities of a support vector machine that is calibrated: for pairs of classes by sigmoids, and for all classes by a solution that
//! agrees best with the pairs.

use super::{
    Attribute, Graph, OnnxLabel, OnnxMethod, Value,
    graph::integer,
    method::{first_largest, output_probabilities, output_values, require_count},
};
use crate::{Error, libsvm::pairs};
use ndarray::{Array1, Array2, ArrayView2};
use npt_core::{LinearFunctions, Scalar};
use npt_methods::linear::CalibratedSvc;

impl<F: Scalar, L: OnnxLabel> OnnxMethod<F> for CalibratedSvc<F, L> {
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)> {
        Some(self.linear_functions())
    }

    fn function_count(&self) -> Option<usize> {
        Some(self.svc().biases().len())
    }

    /// Gives out the class of the largest probability, the first of equal ones.
    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        let (classes, sigmoids) = (self.classes().len(), self.sigmoids());
        require_count(count, sigmoids.nrows())?;
        output_values(graph, values, count);
        let of_first = of_pairs(graph, values, sigmoids.view());
        let probabilities = if classes == 2 {
            let of_second = complement(graph, &of_first);
            concat(graph, &[&of_first, &of_second], 1)
        } else {
            coupled(graph, &of_first, classes)
        };
        output_probabilities(graph, &probabilities, classes);
        let position = first_largest(graph, &probabilities);
        L::labels(self.classes())?.output(graph, &position)
    }
}

/// The probabilities 1/(1 + exp(Af + B)) of the first class of each pair, with exponentials of numbers that are never positive.
fn of_pairs(graph: &mut Graph, values: &Value, sigmoids: ArrayView2<'_, f64>) -> Value {
    let slopes = graph.array(&sigmoids.column(0));
    let shifts = graph.array(&sigmoids.column(1));
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let scaled = graph.node("Mul", &[values, &slopes], &[]);
    let z = graph.node("Add", &[&scaled, &shifts], &[]);
    let magnitude = graph.node("Abs", &[&z], &[]);
    let exponent = graph.node("Neg", &[&magnitude], &[]);
    let exp = graph.node("Exp", &[&exponent], &[]);
    let sum = graph.node("Add", &[&one, &exp], &[]);
    let smaller = graph.node("Div", &[&exp, &sum], &[]);
    let larger = graph.node("Div", &[&one, &sum], &[]);
    let is_smaller = graph.node("GreaterOrEqual", &[&z, &zero], &[]);
    graph.node("Where", &[&is_smaller, &smaller, &larger], &[])
}

/// The probabilities of all classes, shape (N, classes), from those of the first class of each pair: p = (Q + eeᵀ)⁻¹e over the sum of its
/// entries. With the probability rᵢⱼ of i among i and j, Qᵢᵢ = Σⱼ rⱼᵢ² and Qᵢⱼ = −rⱼᵢrᵢⱼ: see [`CalibratedSvc`].
fn coupled(graph: &mut Graph, of_first: &Value, classes: usize) -> Value {
    let r = matrices(graph, of_first, classes);
    let one = graph.number(1.0);
    let turned = graph.node(
        "Transpose",
        &[&r],
        &[("perm", Attribute::Ints(vec![0, 2, 1]))],
    );
    let products = graph.node("Mul", &[&r, &turned], &[]);
    let beside = graph.node("Sub", &[&one, &products], &[]);
    let (rows, columns) = (graph.integers(&[1]), graph.integers(&[2]));
    let squares = graph.node("Mul", &[&r, &r], &[]);
    let keep = [("keepdims", Attribute::Int(0))];
    let sums = graph.node("ReduceSum", &[&squares, &rows], &keep);
    let sums = graph.node("Unsqueeze", &[&sums, &columns], &[]);
    let eye = graph.array(&Array2::<f64>::eye(classes).view());
    let diagonal = graph.node("Mul", &[&sums, &eye], &[]);
    let matrix = graph.node("Add", &[&beside, &diagonal], &[]);
    // This quotient is a 1 for each class and row; the graph does not know the number of rows.
    let ones = graph.node("Div", &[&sums, &sums], &[]);
    let solved = solve(graph, &matrix, &ones, classes);
    // The optimum has no entry below 0, but rounding may lead there.
    let zero = graph.number(0.0);
    let p = graph.node("Max", &[&solved, &zero], &[]);
    let sum = graph.node("ReduceSum", &[&p, &rows], &[]);
    graph.node("Div", &[&p, &sum], &[])
}

/// The matrices of rᵢⱼ, shape (N, classes, classes), with 0 where i = j.
fn matrices(graph: &mut Graph, of_first: &Value, classes: usize) -> Value {
    let smallest = CalibratedSvc::SMALLEST_PROBABILITY;
    let (least, most) = (graph.number(smallest), graph.number(1.0 - smallest));
    let of_first = graph.node("Max", &[of_first, &least], &[]);
    let of_first = graph.node("Min", &[&of_first, &most], &[]);
    let of_second = complement(graph, &of_first);
    // The entries for a class beside itself are 0.
    let first = graph.columns(&of_first, 0, 1);
    let nothing = graph.node("Sub", &[&first, &first], &[]);
    let all = concat(graph, &[&of_first, &of_second, &nothing], 1);
    let count = pairs(classes).count();
    let mut places = Array2::from_elem((classes, classes), 2 * count);
    for (pair, (i, j)) in pairs(classes).enumerate() {
        places[[i, j]] = pair;
        places[[j, i]] = count + pair;
    }
    let places: Vec<i64> = places.iter().map(|&place| integer(place)).collect();
    let places = graph.integers(&places);
    let entries = graph.node("Gather", &[&all, &places], &[("axis", Attribute::Int(1))]);
    let shape = graph.integers(&[-1, integer(classes), integer(classes)]);
    graph.node("Reshape", &[&entries, &shape], &[])
}

/// The solutions of positive definite systems, shape (N, order), by Gauss–Jordan elimination; the right sides have the
/// shape (N, order, 1).
fn solve(graph: &mut Graph, matrices: &Value, right: &Value, order: usize) -> Value {
    let mut left = concat(graph, &[matrices, right], 2);
    // The unknown of the first row is eliminated from all other rows, and that row goes to the end. In the end each row is in its place
    // again, and consists of its unknown alone.
    for columns in (1..=order).rev() {
        let first = graph.slice(&left, 1, 0, 1);
        let pivot = graph.slice(&first, 2, 0, 1);
        let first = graph.slice(&first, 2, 1, columns + 1);
        let first = graph.node("Div", &[&first, &pivot], &[]);
        let others = graph.slice(&left, 1, 1, order);
        let factors = graph.slice(&others, 2, 0, 1);
        let others = graph.slice(&others, 2, 1, columns + 1);
        let gone = graph.node("Mul", &[&factors, &first], &[]);
        let others = graph.node("Sub", &[&others, &gone], &[]);
        left = concat(graph, &[&others, &first], 1);
    }
    let columns = graph.integers(&[2]);
    graph.node("Squeeze", &[&left, &columns], &[])
}

fn complement(graph: &mut Graph, value: &Value) -> Value {
    let one = graph.number(1.0);
    graph.node("Sub", &[&one, value], &[])
}

fn concat(graph: &mut Graph, values: &[&Value], axis: i64) -> Value {
    graph.node("Concat", values, &[("axis", Attribute::Int(axis))])
}
