//! The graphs of methods, behind the values of their functions.

use super::{Attribute, Element, Graph, Labels, OnnxLabel, Value};
use crate::{
    Error,
    libsvm::{LibsvmMethod, pair_count, pairs},
};
use ndarray::{Array1, Array2, Axis};
use npt_core::{LinearFunctions, Scalar, require_memory};
use npt_methods::linear::{
    CcaView, FastIca, IterativeRidge, Lda, Logistic, MulticlassSvc, NearestCentroid, OneClassSvm,
    Pca, PcaL1, Pls, QuantileRegression, RegressionDiscriminant, Ridge, Svc, Svr,
};

/// A fitted method that has a graph.
///
/// If a method of your own implements it, models that are expansions of that method have a graph.
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Expansion, ExpansionModel, Gaussian, Rows};
/// use npt_export::{Error, onnx::{Element, Graph, OnnxMethod, Value, to_onnx}};
///
/// /// The magnitudes of the values of its functions.
/// struct Magnitudes;
///
/// impl OnnxMethod<f64> for Magnitudes {
///     fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
///         None
///     }
///
///     fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
///         let magnitudes = graph.node("Abs", &[values], &[]);
///         graph.output("magnitudes", &magnitudes, Element::Double, Some(count));
///         Ok(())
///     }
/// }
///
/// let x = Rows::new(array![[1.0, 0.0], [0.0, 2.0]])?;
/// let alpha = array![[0.5], [-1.0]];
/// let expansion = Expansion::new(Gaussian::new(0.5).into(), &x, alpha.view(), array![3.0])?;
/// assert!(!to_onnx(&ExpansionModel::new(Magnitudes, expansion))?.is_empty());
/// # Ok::<(), Error>(())
/// ```
pub trait OnnxMethod<F> {
    /// The linear functions that the method first computes of its records, in the form of
    /// [`LinearFunctions`]; `None` if it takes the records themselves.
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)>;

    /// Returns the number of these functions, for methods with so many that their coefficients may not fit into memory.
    fn function_count(&self) -> Option<usize> {
        None
    }

    /// Adds the method behind the values of these functions, shape (N, count), with its outputs. The default gives
    /// out the values.
    ///
    /// # Errors
    /// [`Error::Label`] for labels that ONNX cannot hold, [`Error::Functions`] if `count` is not the method's number of
    /// functions.
    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        graph.output("values", values, Element::Double, Some(count));
        Ok(())
    }
}

/// Builds the method that the reference points to.
impl<F, M: OnnxMethod<F> + ?Sized> OnnxMethod<F> for &M {
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)> {
        (**self).functions()
    }

    fn function_count(&self) -> Option<usize> {
        (**self).function_count()
    }

    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        (**self).build(graph, values, count)
    }
}

/// Implements `functions` for a linear method.
macro_rules! linear_functions {
    () => {
        fn functions(&self) -> Option<(Array2<F>, Array1<F>)> {
            Some(self.linear_functions())
        }
    };
}

macro_rules! values_only {
    ($($model:ident<F $(, $generic:ident)*>),+) => {$(
        impl<F: Scalar $(, $generic)*> OnnxMethod<F> for $model<F $(, $generic)*> {
            linear_functions!();
        }
    )+};
}
values_only!(
    Ridge<F, I>,
    IterativeRidge<F, I>,
    Svr<F>,
    QuantileRegression<F>,
    Pca<F>,
    PcaL1<F>,
    FastIca<F>,
    CcaView<F>,
    RegressionDiscriminant<F>
);

/// Checks that there are as many functions as the method has.
pub(super) fn require_count(found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Functions { found, expected })
}

/// Gives out the values, shape (N, count).
pub(super) fn output_values(graph: &mut Graph, values: &Value, count: usize) {
    graph.output("values", values, Element::Double, Some(count));
}

/// Gives out the probabilities of all classes, shape (N, classes).
pub(super) fn output_probabilities(graph: &mut Graph, probabilities: &Value, classes: usize) {
    graph.output(
        "probabilities",
        probabilities,
        Element::Double,
        Some(classes),
    );
}

/// Turns a column into one number for each row, shape (N).
fn rows(graph: &mut Graph, column: &Value) -> Value {
    let axes = graph.integers(&[1]);
    graph.node("Squeeze", &[column, &axes], &[])
}

/// Casts `true` to 1 and `false` to 0.
pub(super) fn to_number(graph: &mut Graph, truth: &Value, element: i32) -> Value {
    graph.node("Cast", &[truth], &[("to", Attribute::Int(element.into()))])
}

/// The position of the first of the largest values of each row.
pub(super) fn first_largest(graph: &mut Graph, values: &Value) -> Value {
    let attributes = [("axis", Attribute::Int(1)), ("keepdims", Attribute::Int(0))];
    graph.node("ArgMax", &[values], &attributes)
}

/// Gives out, as `label`, the side of each row: whether its one value is at least 0.
fn side(graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
    require_count(count, 1)?;
    output_values(graph, values, 1);
    let zero = graph.number(0.0);
    let truth = graph.node("GreaterOrEqual", &[values, &zero], &[]);
    let number = to_number(graph, &truth, super::messages::INT64);
    let position = rows(graph, &number);
    Labels::Integers(vec![0, 1]).output(graph, &position)
}

macro_rules! side_model {
    ($($model:ident),+) => {$(
        impl<F: Scalar> OnnxMethod<F> for $model<F> {
            linear_functions!();

            fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
                side(graph, values, count)
            }
        }
    )+};
}
side_model!(Svc, OneClassSvm);

/// Returns two matrices (pairs, classes): 1 where a class is the first of a pair, and 1 where it is the second.
fn members(classes: usize) -> Result<(Array2<f64>, Array2<f64>), Error> {
    let pairs: Vec<_> = pairs(classes).collect();
    let shape = (pairs.len(), classes);
    require_memory::<f64>("the votes of all pairs of classes", shape.0, shape.1)?;
    let mut sides = (Array2::zeros(shape), Array2::zeros(shape));
    for (k, (a, b)) in pairs.into_iter().enumerate() {
        sides.0[[k, a]] = 1.0;
        sides.1[[k, b]] = 1.0;
    }
    Ok(sides)
}

/// The votes of all pairs for each class, shape (N, classes). Where `operator` holds for a value and 0, the first of a pair gets the vote,
/// else the second.
fn votes(
    graph: &mut Graph,
    values: &Value,
    classes: usize,
    operator: &str,
) -> Result<Value, Error> {
    let zero = graph.number(0.0);
    let truth = graph.node(operator, &[values, &zero], &[]);
    let wins = to_number(graph, &truth, super::messages::DOUBLE);
    let (first, second) = members(classes)?;
    // The votes are wins·A + (1 − wins)·B = wins·(A − B) + Σ B.
    let (differences, all) = (&first - &second, second.sum_axis(Axis(0)));
    let (differences, all) = (graph.array(&differences.view()), graph.array(&all.view()));
    let more = graph.node("MatMul", &[&wins, &differences], &[]);
    Ok(graph.node("Add", &[&more, &all], &[]))
}

impl<F: Scalar, L: OnnxLabel> OnnxMethod<F> for MulticlassSvc<F, L> {
    linear_functions!();

    fn function_count(&self) -> Option<usize> {
        Some(self.biases().len())
    }

    /// Gives out the class with most votes, then with the largest sum of decision values, then the first; without pairs, the largest value.
    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        require_count(count, self.biases().len())?;
        output_values(graph, values, count);
        let labels = L::labels(self.classes())?;
        if self.pairs().is_empty() {
            let position = first_largest(graph, values);
            return labels.output(graph, &position);
        }
        let classes = self.classes().len();
        let votes = votes(graph, values, classes, "GreaterOrEqual")?;
        let axes = [("axes", Attribute::Ints(vec![1]))];
        let most = graph.node("ReduceMax", &[&votes], &axes);
        let has_most = graph.node("Equal", &[&votes, &most], &[]);
        let (first, second) = members(classes)?;
        let differences = graph.array(&(&first - &second).view());
        let sums = graph.node("MatMul", &[values, &differences], &[]);
        let least = graph.number(f64::NEG_INFINITY);
        let of_most = graph.node("Where", &[&has_most, &sums, &least], &[]);
        let position = first_largest(graph, &of_most);
        labels.output(graph, &position)
    }
}

impl OnnxMethod<f64> for LibsvmMethod {
    fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        None
    }

    /// Gives out the class with most votes, then the first.
    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        let classes = self.labels().len();
        let of_classes = pair_count(classes).unwrap_or(0);
        require_count(count, if classes == 0 { 1 } else { of_classes })?;
        output_values(graph, values, count);
        if self.svm_type().is_classifier() {
            let votes = votes(graph, values, classes, "Greater")?;
            let position = first_largest(graph, &votes);
            let labels = self.labels().iter().map(|&label| label.into());
            Labels::Integers(labels.collect()).output(graph, &position)?;
        }
        Ok(())
    }
}

impl<F: Scalar, L: OnnxLabel> OnnxMethod<F> for Lda<F, L> {
    linear_functions!();

    /// Gives out the class with the nearest mean, which has the largest decision value.
    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        require_count(count, self.axes().nrows())?;
        output_values(graph, values, count);
        let means = self.class_scores().mapv(F::as_f64);
        let half_lengths = means.map_axis(Axis(1), |mean| 0.5 * mean.dot(&mean));
        let (means, half_lengths) = (graph.array(&means.t()), graph.array(&half_lengths.view()));
        let products = graph.node("MatMul", &[values, &means], &[]);
        let decision = graph.node("Sub", &[&products, &half_lengths], &[]);
        graph.output(
            "decision_values",
            &decision,
            Element::Double,
            Some(self.classes().len()),
        );
        let position = first_largest(graph, &decision);
        L::labels(self.classes())?.output(graph, &position)
    }
}

impl<F: Scalar, L: OnnxLabel> OnnxMethod<F> for Logistic<F, L> {
    linear_functions!();

    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        let classes = self.classes().len();
        require_count(count, if classes == 2 { 1 } else { classes })?;
        output_values(graph, values, count);
        // If there are two classes, the first has the value 0.
        let scores = if classes == 2 {
            let zero = graph.number(0.0);
            let nothing = graph.node("Mul", &[values, &zero], &[]);
            let axis = [("axis", Attribute::Int(1))];
            graph.node("Concat", &[&nothing, values], &axis)
        } else {
            values.clone()
        };
        let axis = [("axis", Attribute::Int(1))];
        let probabilities = graph.node("Softmax", &[&scores], &axis);
        output_probabilities(graph, &probabilities, classes);
        let position = first_largest(graph, &scores);
        L::labels(self.classes())?.output(graph, &position)
    }
}

impl<F: Scalar> OnnxMethod<F> for NearestCentroid<F> {
    /// Returns `None`: the method takes its records themselves.
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)> {
        None
    }

    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        output_values(graph, values, count);
        let nearness = graph.node("Neg", &[values], &[]);
        let label = first_largest(graph, &nearness);
        graph.output("label", &label, Element::Int64, None);
        Ok(())
    }
}

impl<F: Scalar, I> OnnxMethod<F> for Pls<F, I> {
    linear_functions!();

    /// Gives out the predictions as `values`, and the `scores`.
    fn build(&self, graph: &mut Graph, values: &Value, count: usize) -> Result<(), Error> {
        let scores = self.rotations().ncols();
        let targets = self.target_mean().len();
        require_count(count, targets + scores)?;
        let mut part = |name: &str, start: usize, end: usize| {
            let part = graph.columns(values, start, end);
            graph.output(name, &part, Element::Double, Some(end - start));
        };
        part("values", 0, targets);
        part("scores", targets, count);
        Ok(())
    }
}
