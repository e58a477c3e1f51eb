//! Models that have a graph.

use super::{Element, Graph, OnnxMethod, Value, kernel, metadata};
use crate::{Error, functions::Functions};
use npt_core::{
    Expansion, ExpansionModel, ExpansionSpace, Kernel, PipelineModel, Rows, Samples, Scalar,
    require_memory,
};
use npt_methods::GaussianProcessModel;
use npt_tables::Categories;

/// Writes the model as bytes of ONNX: `std::fs::write(path, to_onnx(&model)?)` makes a file.
///
/// The scalar of the graph is always f64: a model in f32 has, in the graph, the values of its numbers
/// without rounding in between.
///
/// # Errors
/// [`Error::Kernel`] for a kernel that has no form of primitive operators, [`Error::KernelValue`] for a kernel that describes itself as
/// another; [`Error::Functions`] for a wrong number of functions; [`Error::NotFinite`], [`Error::Label`], [`Error::TooLarge`].
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_export::onnx::to_onnx;
/// use npt_methods::KernelSvc;
///
/// let x = array![[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]];
/// let xor = Dataset::new(x, array!["odd", "odd", "even", "even"]);
/// let model = KernelSvc::params(Gaussian::new(1.0)).fit(&xor)?;
/// let bytes = to_onnx(&model)?;
/// // In Python: onnxruntime.InferenceSession(bytes).run(["label"], {"x": x})
/// assert!(bytes.windows(3).any(|text| text == b"Exp"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_onnx<M: OnnxModel + ?Sized>(model: &M) -> Result<Vec<u8>, Error> {
    graph_of(model)?.into_bytes()
}

/// Writes the model as [`to_onnx`] does, with the texts of the columns that are categories: the metadata `categories` say which number
/// stands for which text.
///
/// # Errors
/// The errors of [`to_onnx`].
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use ndarray::array;
/// use npt_core::SimpleMatching;
/// use npt_export::onnx::to_onnx_with_categories;
/// use npt_methods::KernelRidge;
/// use npt_tables::Categories;
///
/// let data = Dataset::new(array![[0.0], [1.0], [0.0]], array![1.0, 2.0, 1.5]);
/// let model = KernelRidge::params(SimpleMatching::new()).fit(&data)?;
/// // `CsvBlocks::categories` returns the categories of a table.
/// let bytes = to_onnx_with_categories(&model, &Categories::default())?;
/// assert!(bytes.windows(10).any(|text| text == b"categories"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_onnx_with_categories<M: OnnxModel + ?Sized>(
    model: &M,
    categories: &Categories,
) -> Result<Vec<u8>, Error> {
    let mut graph = graph_of(model)?;
    let of_column = |column: &str| {
        let texts = metadata::texts(categories.of(column).unwrap_or_default());
        format!("{}: {texts}", metadata::text(column))
    };
    let columns: Vec<String> = categories.columns().map(of_column).collect();
    graph.metadata("categories", format!("{{{}}}", columns.join(", ")));
    graph.into_bytes()
}

fn graph_of<M: OnnxModel + ?Sized>(model: &M) -> Result<Graph, Error> {
    let mut graph = Graph::default();
    let x = graph.input(model.columns());
    model.build(&mut graph, &x)?;
    let names = model.feature_names();
    if !names.is_empty() {
        graph.metadata("feature_names", metadata::texts(names));
    }
    Ok(graph)
}

/// A fitted model that has a graph.
pub trait OnnxModel {
    /// Returns the number of columns of the records.
    fn columns(&self) -> usize;

    /// The names of these columns, for the file's metadata; there are none by default.
    fn feature_names(&self) -> &[String] {
        &[]
    }

    /// Adds the model of the records `x`, shape (N, columns), with its outputs.
    ///
    /// # Errors
    /// The errors of [`to_onnx`].
    fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), Error>;
}

/// A fitted transformer of records that has a graph: the front of a pipeline. With the feature `preprocessing`, linfa's
/// `LinearScaler` and its fitted `Whitener` are such transformers.
///
/// # Example
/// ```
/// use npt_export::{Error, onnx::{Graph, OnnxTransformer, Value}};
///
/// /// Square roots, of counts for example.
/// struct Roots;
///
/// impl OnnxTransformer for Roots {
///     fn columns(&self) -> Option<usize> {
///         None
///     }
///
///     fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error> {
///         Ok(graph.node("Sqrt", &[x], &[]))
///     }
/// }
/// ```
pub trait OnnxTransformer {
    /// Returns the number of columns of the records; `None` if any number will do.
    fn columns(&self) -> Option<usize>;

    /// Adds the transformation of the records `x`.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    fn build(&self, graph: &mut Graph, x: &Value) -> Result<Value, Error>;
}

/// The values Σ ακ(xᵢ, x) + b, shape (N, functions).
fn values<F, K>(
    graph: &mut Graph,
    x: &Value,
    expansion: &Expansion<Rows<F>, K, F>,
    functions: &Functions,
) -> Result<Value, Error>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    let samples = expansion.samples();
    kernel::require_truth(expansion.kernel(), samples)?;
    let description = expansion.kernel().describe();
    let samples = samples.view().mapv(F::as_f64);
    let samples = graph.array(&samples.view());
    let kernel_values = kernel::cross(graph, &description, x, &samples)?;
    let coefficients = graph.array(&functions.coefficients.view());
    let sums = graph.node("MatMul", &[&kernel_values, &coefficients], &[]);
    let offsets = graph.array(&functions.offsets.view());
    Ok(graph.node("Add", &[&sums, &offsets], &[]))
}

/// Gives out the values of the expansion as `values`.
impl<F, K> OnnxModel for Expansion<Rows<F>, K, F>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    fn columns(&self) -> usize {
        self.samples().view().ncols()
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), Error> {
        let functions = Functions::of(self)?;
        let values = values(graph, x, self, &functions)?;
        graph.output("values", &values, Element::Double, Some(functions.count()));
        Ok(())
    }
}

impl<Q, F, K> OnnxModel for ExpansionModel<Q, Rows<F>, K, F>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
    Q: OnnxMethod<F>,
{
    fn columns(&self) -> usize {
        self.expansion().samples().view().ncols()
    }

    fn feature_names(&self) -> &[String] {
        self.feature_names()
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), Error> {
        let samples = self.expansion().samples().len();
        require_memory::<f64>(
            "the coefficients of all functions",
            samples,
            self.inner().function_count().unwrap_or(1),
        )?;
        let functions = Functions::of_method(self.expansion(), self.inner().functions())?;
        let values = values(graph, x, self.expansion(), &functions)?;
        self.inner().build(graph, &values, functions.count())
    }
}

/// Gives out the mean as `values`, shape (N, 1).
impl<F, P> OnnxModel for GaussianProcessModel<P>
where
    F: Scalar,
    P: ExpansionSpace<Samples = Rows<F>, Scalar = F>,
{
    fn columns(&self) -> usize {
        self.expansion().samples().view().ncols()
    }

    fn feature_names(&self) -> &[String] {
        self.feature_names()
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), Error> {
        self.expansion().build(graph, x)
    }
}

impl<A: OnnxTransformer, M: OnnxModel> OnnxModel for PipelineModel<A, M> {
    fn columns(&self) -> usize {
        let of_model = || self.model().columns();
        self.transformer().columns().unwrap_or_else(of_model)
    }

    fn feature_names(&self) -> &[String] {
        self.feature_names()
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), Error> {
        let transformed = self.transformer().build(graph, x)?;
        self.model().build(graph, &transformed)
    }
}
