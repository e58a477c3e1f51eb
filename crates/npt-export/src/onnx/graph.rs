//! A graph of ONNX under construction.

use super::Labels;
use super::messages::{
    AttributeMessage, DOUBLE, Dimension, Entry, Extent, GraphMessage, INT, INT64, INTS, Model,
    Node, OperatorSet, STRING, Shape, Tensor, TensorType, Type, ValueInfo,
};
use crate::Error;
use ndarray::{ArrayView, Dimension as Ix};
use prost::Message as _;
use std::collections::BTreeMap;

/// The version of ONNX's operators, and the version of its file format that came with it.
const OPERATORS: i64 = 17;
const FORMAT: i64 = 8;

/// A value of a graph: its input, a constant, or the result of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value(String);

/// An attribute of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Attribute {
    /// A whole number.
    Int(i64),
    /// Whole numbers.
    Ints(Vec<i64>),
}

/// The type of an output's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Element {
    /// Numbers of type f64.
    Double,
    /// Numbers of type i64.
    Int64,
    /// Texts.
    String,
}

impl Element {
    fn code(self) -> i32 {
        match self {
            Self::Double => DOUBLE,
            Self::Int64 => INT64,
            Self::String => STRING,
        }
    }
}

/// A graph of operators from the input `x`, shape (N, columns), to named outputs.
///
/// # Example
/// ```
/// use npt_export::{Error, onnx::{Element, Graph, OnnxModel, Value, to_onnx}};
///
/// /// The sum of all columns of a record.
/// struct Sum;
///
/// impl OnnxModel for Sum {
///     fn columns(&self) -> usize {
///         2
///     }
///
///     fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), Error> {
///         let axes = graph.integers(&[1]);
///         let sum = graph.node("ReduceSum", &[x, &axes], &[]);
///         graph.output("sum", &sum, Element::Double, Some(1));
///         Ok(())
///     }
/// }
///
/// let bytes = to_onnx(&Sum)?;
/// assert!(bytes.windows(9).any(|text| text == b"ReduceSum"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Graph {
    message: GraphMessage,
    values: usize,
    /// Texts that go into the file, by their names.
    metadata: BTreeMap<String, String>,
    /// The names of the classes that replace the labels of the method.
    classes: Option<Labels>,
}

impl Graph {
    /// Adds the input, of so many columns.
    pub(super) fn input(&mut self, columns: usize) -> Value {
        let info = value_info("x", Element::Double, &[named("N"), fixed(columns)]);
        self.message.input.push(info);
        Value("x".to_owned())
    }

    fn fresh(&mut self, kind: &str) -> Value {
        self.values += 1;
        Value(format!("{kind}_{}", self.values))
    }

    fn constant(&mut self, data_type: i32, dims: &[usize], raw_data: Vec<u8>) -> Value {
        let value = self.fresh("constant");
        self.message.initializer.push(Tensor {
            dims: dims.iter().map(|&extent| integer(extent)).collect(),
            data_type,
            string_data: Vec::new(),
            name: value.0.clone(),
            raw_data,
        });
        value
    }

    /// Adds a constant array.
    pub fn array<D: Ix>(&mut self, array: &ArrayView<'_, f64, D>) -> Value {
        let bytes = array.iter().flat_map(|value| value.to_le_bytes());
        self.constant(DOUBLE, array.shape(), bytes.collect())
    }

    /// Adds a constant number, without dimensions.
    pub fn number(&mut self, value: f64) -> Value {
        self.constant(DOUBLE, &[], value.to_le_bytes().to_vec())
    }

    /// Adds constant whole numbers.
    pub fn integers(&mut self, values: &[i64]) -> Value {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        self.constant(INT64, &[values.len()], bytes.collect())
    }

    /// Adds constant texts.
    pub fn texts(&mut self, texts: &[String]) -> Value {
        let value = self.constant(STRING, &[texts.len()], Vec::new());
        let strings = texts.iter().map(|text| text.clone().into_bytes());
        if let Some(tensor) = self.message.initializer.last_mut() {
            tensor.string_data = strings.collect();
        }
        value
    }

    /// Adds an operator of ONNX, and returns its result.
    pub fn node(
        &mut self,
        operator: &str,
        inputs: &[&Value],
        attributes: &[(&str, Attribute)],
    ) -> Value {
        let value = self.fresh(operator);
        self.push(operator, inputs, &value, attributes);
        value
    }

    fn push(
        &mut self,
        operator: &str,
        inputs: &[&Value],
        output: &Value,
        attributes: &[(&str, Attribute)],
    ) {
        let attribute = attributes.iter().map(|(name, value)| {
            let (r#type, i, ints) = match value {
                Attribute::Int(i) => (INT, *i, Vec::new()),
                Attribute::Ints(ints) => (INTS, 0, ints.clone()),
            };
            AttributeMessage {
                name: (*name).to_owned(),
                i,
                ints,
                r#type,
            }
        });
        self.message.node.push(Node {
            input: inputs.iter().map(|value| value.0.clone()).collect(),
            output: vec![output.0.clone()],
            name: output.0.clone(),
            op_type: operator.to_owned(),
            attribute: attribute.collect(),
        });
    }

    /// Takes columns of a value, shape (N, end − start).
    pub fn columns(&mut self, value: &Value, start: usize, end: usize) -> Value {
        self.slice(value, 1, start, end)
    }

    /// Takes a stretch of one axis of a value.
    pub(super) fn slice(&mut self, value: &Value, axis: i64, start: usize, end: usize) -> Value {
        let [start, end] = [start, end].map(|at| self.integers(&[integer(at)]));
        let axes = self.integers(&[axis]);
        self.node("Slice", &[value, &start, &end, &axes], &[])
    }

    /// Makes a value an output with this name, of the shape (N, columns), or (N) without columns.
    pub fn output(&mut self, name: &str, value: &Value, element: Element, columns: Option<usize>) {
        let output = Value(name.to_owned());
        self.push("Identity", &[value], &output, &[]);
        let shape: Vec<Dimension> = std::iter::once(named("N"))
            .chain(columns.map(fixed))
            .collect();
        self.message.output.push(value_info(name, element, &shape));
    }

    /// Puts a text into the model's metadata; it replaces the text that has the same name. The texts that npt writes itself are JSON:
    /// `classes`, `feature_names`, `categories`.
    pub fn metadata(&mut self, name: &str, text: String) {
        self.metadata.insert(name.to_owned(), text);
    }

    /// Names the classes, in the method's order (two sides are `false`, then `true`): `label` and the metadata have these
    /// names instead of the method's own labels. It has to be called before the method is built.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Fit};
    /// use ndarray::array;
    /// use npt_core::Gaussian;
    /// use npt_export::{Error, onnx::{Graph, Labels, OnnxModel, Value, to_onnx}};
    /// use npt_methods::KernelSvc;
    ///
    /// /// A model with two sides that have names.
    /// struct Named<M>(M, [&'static str; 2]);
    ///
    /// impl<M: OnnxModel> OnnxModel for Named<M> {
    ///     fn columns(&self) -> usize {
    ///         self.0.columns()
    ///     }
    ///
    ///     fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), Error> {
    ///         graph.name_classes(Labels::Texts(self.1.map(str::to_owned).to_vec()));
    ///         self.0.build(graph, x)
    ///     }
    /// }
    ///
    /// let data = Dataset::new(array![[0.0], [1.0], [2.0]], array![false, true, true]);
    /// let model = KernelSvc::params(Gaussian::new(1.0)).fit(&data)?;
    /// let bytes = to_onnx(&Named(model, ["cold", "warm"]))?;
    /// assert!(bytes.windows(4).any(|text| text == b"warm"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name_classes(&mut self, classes: Labels) {
        self.classes = Some(classes);
    }

    /// The names of the classes, if they were given any.
    pub(super) fn classes(&self) -> Option<&Labels> {
        self.classes.as_ref()
    }

    /// Returns the bytes of the model; an error if they are more than a message may have.
    pub(super) fn into_bytes(mut self) -> Result<Vec<u8>, Error> {
        "model".clone_into(&mut self.message.name);
        let entries = self.metadata.into_iter();
        let entries = entries.map(|(key, value)| Entry { key, value });
        let model = Model {
            ir_version: FORMAT,
            producer_name: "npt".to_owned(),
            producer_version: env!("CARGO_PKG_VERSION").to_owned(),
            graph: Some(self.message),
            opset_import: vec![OperatorSet {
                domain: String::new(),
                version: OPERATORS,
            }],
            metadata_props: entries.collect(),
        };
        let bytes = model.encoded_len();
        if i32::try_from(bytes).is_err() {
            return Err(Error::TooLarge { bytes });
        }
        Ok(model.encode_to_vec())
    }
}

/// The extent of an array in memory, as a number of ONNX.
pub(super) fn integer(extent: usize) -> i64 {
    i64::try_from(extent).unwrap_or(i64::MAX)
}

fn named(name: &str) -> Dimension {
    let extent = Some(Extent::Named(name.to_owned()));
    Dimension { extent }
}

fn fixed(extent: usize) -> Dimension {
    let extent = Some(Extent::Fixed(integer(extent)));
    Dimension { extent }
}

fn value_info(name: &str, element: Element, shape: &[Dimension]) -> ValueInfo {
    let tensor_type = TensorType {
        elem_type: element.code(),
        shape: Some(Shape {
            dim: shape.to_vec(),
        }),
    };
    ValueInfo {
        name: name.to_owned(),
        r#type: Some(Type {
            tensor_type: Some(tensor_type),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn what_is_encoded_is_decoded_again() {
        let mut graph = Graph::default();
        let x = graph.input(2);
        let weights = graph.array(&array![[1.5], [-2.0]].view());
        let product = graph.node("MatMul", &[&x, &weights], &[]);
        graph.output("y", &product, Element::Double, Some(1));
        graph.metadata("classes", "[0, 1]".to_owned());
        let model = Model::decode(&graph.into_bytes().unwrap()[..]).unwrap();
        let entry = &model.metadata_props[0];
        assert_eq!((&entry.key[..], &entry.value[..]), ("classes", "[0, 1]"));
        assert_eq!((model.ir_version, model.opset_import[0].version), (8, 17));
        let graph = model.graph.unwrap();
        let operators: Vec<_> = graph.node.iter().map(|node| &node.op_type[..]).collect();
        assert_eq!(operators, ["MatMul", "Identity"]);
        assert_eq!(graph.node[0].input, ["x", &graph.initializer[0].name[..]]);
        assert_eq!(graph.initializer[0].dims, [2, 1]);
        let numbers = [1.5_f64.to_le_bytes(), (-2.0_f64).to_le_bytes()].concat();
        assert_eq!(graph.initializer[0].raw_data, numbers);
        let shape = |info: &ValueInfo| {
            let tensor = info.r#type.clone().unwrap().tensor_type.unwrap();
            (tensor.elem_type, tensor.shape.unwrap().dim)
        };
        assert_eq!(shape(&graph.input[0]), (DOUBLE, vec![named("N"), fixed(2)]));
        assert_eq!(
            shape(&graph.output[0]),
            (DOUBLE, vec![named("N"), fixed(1)])
        );
    }
}
