//! Support vector classification of any number of classes.

mod fit;
mod machines;
mod own;
mod pairs;
mod params;
mod size;
mod support;
mod values;

pub(super) use machines::{Machine, members};
pub(super) use pairs::{each_pair, pairs};
pub(super) use params::MulticlassSvcValidParams;
pub use params::{MulticlassSvcParams, Strategy};
pub(super) use size::Numbers;
pub(super) use values::Functions;

use crate::linear::classifier;
use linfa::{
    Label,
    traits::{PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Data, Ix2};
use npt_core::{Expand, LinearFunctions, Scalar};
use own::Own;
use size::CLASSES_IN_COLUMNS;
use support::Support;

/// Support vector classification of any number of classes, by several [`Svc`](crate::linear::Svc).
///
/// # Definition
/// Each of the functions wᵀx + b is that of a [`Svc`](crate::linear::Svc). There is one per pair of classes, trained on these two
/// and positive for the first, or one per class, trained on all and positive for that class. How
/// they decide is documented at [`Strategy`]. Sample weights are those of [`Svc`](crate::linear::Svc). More samples than
/// fit in memory are for [`fit_blocks`](MulticlassSvcParams::fit_blocks).
///
/// # Many classes
/// One classifier per pair of k classes makes k(k − 1)/2 functions, half a million for 1000 classes. With more than 16 classes, a
/// kernel method's model works on the kernel values at its support vectors themselves. Each support vector then has a coefficient
/// for each other class: see [`pair_coefficients`](Self::pair_coefficients).
///
/// # Errors
/// [`Error::Classes`](crate::Error::Classes) for fewer than two classes; [`Error::ManyClasses`](crate::Error::ManyClasses), before any
/// training, where their functions do not fit into memory; all other errors of [`Svc`](crate::linear::Svc).
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict, Transformer}};
/// use ndarray::array;
/// use npt_methods::linear::{MulticlassSvc, Strategy};
///
/// let data = Dataset::new(array![[0.0], [2.0], [6.0]], array!["a", "b", "c"]);
/// let pairs = MulticlassSvc::params().c(10.0).tolerance(1e-9).fit(&data)?;
/// assert_eq!(&pairs.predict(&data), data.targets());
/// // a against b at 1, a against c at 3, b against c at 4; each pair at ±1
/// let values = pairs.transform(array![[1.0]]);
/// let expected = array![[0.0, 2.0 / 3.0, 1.5]];
/// assert!((values - expected).iter().all(|d: &f64| d.abs() < 1e-8));
///
/// let each = MulticlassSvc::params().strategy(Strategy::OneAgainstRest).fit(&data)?;
/// assert_eq!(each.transform(array![[1.0]]).dim(), (1, 3));
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// C.-W. Hsu, C.-J. Lin, "A Comparison of Methods for Multiclass Support Vector Machines", IEEE
/// Transactions on Neural Networks 13(2), 2002. doi:10.1109/72.991427
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MulticlassSvc<F, L> {
    classes: Vec<L>,
    strategy: Strategy,
    /// One column per function. There are no rows where records are the values of the functions, or the kernel values that `own` takes.
    weights: Array2<F>,
    biases: Array1<F>,
    support: Option<Support>,
    /// The coefficients of functions of kernel values at the support vectors.
    own: Option<Own<F>>,
}

impl<F: Scalar, L> MulticlassSvc<F, L> {
    /// The classes, ascending.
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// Returns the classes, and these machines with the positions of the classes as labels.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Fit};
    /// use ndarray::{Array1, array};
    /// use npt_methods::linear::Svc;
    ///
    /// let x = array![[0.0], [1.0], [4.0], [5.0]];
    /// let svc = Svc::params().fit(&Dataset::new(x.clone(), array!["a", "a", "b", "b"]))?;
    /// let (classes, by_position) = svc.by_position();
    /// let positions: Array1<usize> = linfa::traits::Predict::predict(&by_position, &x);
    /// assert_eq!((classes, positions), (vec!["a", "b"], array![0, 0, 1, 1]));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn by_position(self) -> (Vec<L>, MulticlassSvc<F, usize>) {
        let Self {
            classes,
            strategy,
            weights,
            biases,
            support,
            own,
        } = self;
        let by_position = MulticlassSvc {
            classes: (0..classes.len()).collect(),
            strategy,
            weights,
            biases,
            support,
            own,
        };
        (classes, by_position)
    }

    /// The pairs of classes, by their positions in [`classes`](Self::classes), in the order of the
    /// functions: (0, 1), (0, 2), … (1, 2), …; none with one function per class.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        match self.strategy {
            Strategy::OneAgainstOne => pairs(self.classes.len()).collect(),
            Strategy::OneAgainstRest => Vec::new(),
        }
    }

    /// The support vectors of any of the functions, by their positions among the training samples, ascending; `None` for
    /// samples that came in blocks. The expansion of a [`KernelSvc`](crate::KernelSvc) has the dual coefficients of each machine
    /// at these samples; a linear model keeps its weights alone.
    pub fn support(&self) -> Option<&[usize]> {
        self.support.as_ref().map(|support| &support.rows[..])
    }

    /// The number of these support vectors in each of the [`classes`](Self::classes).
    pub fn support_counts(&self) -> Option<&[usize]> {
        self.support.as_ref().map(|support| &support.counts[..])
    }

    /// The coefficients βᵢ = yᵢαᵢ by which the functions of more than 16 classes, one per pair, are sums of kernel values; shape
    /// (support vectors, classes − 1), as LIBSVM has them. A row is a support vector. The rows are in the order of the samples of the
    /// model's [`expansion`](npt_core::ExpansionModel::expansion): those of the first class first, ascending in each class. The columns
    /// of a row are the other classes, ascending. `None` for fewer classes, where an expansion has one column per function, and for
    /// models on features.
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use ndarray::{Array1, Array2};
    /// use npt_core::Gaussian;
    /// use npt_methods::KernelSvc;
    ///
    /// // 20 classes of two samples, far from each other: of any two, all four are support vectors.
    /// let x = Array2::from_shape_fn((40, 1), |(i, _)| (i / 2) as f64 * 9.0 + (i % 2) as f64 * 0.1);
    /// let data = Dataset::new(x, Array1::from_shape_fn(40, |i| i / 2));
    /// let model = KernelSvc::params(Gaussian::new(1.0)).fit(&data)?;
    /// assert_eq!(model.inner().pair_coefficients().map(|own| own.dim()), Some((40, 19)));
    /// assert_eq!(&model.predict(&data.records), data.targets());
    /// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
    /// ```
    pub fn pair_coefficients(&self) -> Option<ArrayView2<'_, F>> {
        self.own.as_ref().map(|own| own.coefficients.view())
    }

    /// The weights, shape (features, functions). A kernel method's model with more than 120 functions has none, shape
    /// (0, functions): its records are the values of the functions, or kernel values.
    pub fn weights(&self) -> ArrayView2<'_, F> {
        self.weights.view()
    }

    /// The biases, one per function.
    pub fn biases(&self) -> ArrayView1<'_, F> {
        self.biases.view()
    }

    /// The values wᵀx + b, shape (rows of x, functions).
    pub fn decision_function<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        self.functions().values(x.view())
    }

    /// Returns the functions, without the labels.
    pub(super) fn functions(&self) -> Functions<'_, F> {
        Functions {
            weights: &self.weights,
            biases: &self.biases,
            own: self.own.as_ref(),
        }
    }

    /// Makes the model whose records are the values of its functions.
    fn of_values(
        classes: Vec<L>,
        strategy: Strategy,
        functions: usize,
        support: Option<Support>,
    ) -> Self {
        let few = pairs::pair_count(CLASSES_IN_COLUMNS);
        Self {
            classes,
            strategy,
            weights: if functions <= few {
                Array2::eye(functions)
            } else {
                Array2::zeros((0, functions))
            },
            biases: Array1::zeros(functions),
            support,
            own: None,
        }
    }
}

impl<F, L, D> PredictInplace<ArrayBase<D, Ix2>, Array1<L>> for MulticlassSvc<F, L>
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<L>) {
        let (strategy, classes) = (self.strategy, self.classes.len());
        let decide = |values: ArrayView1<'_, F>| strategy.decide(classes, values);
        for (class, label) in self
            .functions()
            .at_each(x.view(), decide)
            .into_iter()
            .zip(y)
        {
            *label = self.classes[class].clone();
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<L> {
        Array1::from_elem(x.nrows(), L::default())
    }
}

/// Transforms rows to the decision values.
impl<F: Scalar, L, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>>
    for MulticlassSvc<F, L>
{
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        self.decision_function(&x)
    }
}

impl<F: Scalar, L> LinearFunctions<F> for MulticlassSvc<F, L> {
    /// Returns the decision values. Where records are already values of very many functions, or kernel values, the functions are written out.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        let weights = match &self.own {
            Some(own) => own.in_columns(),
            None if self.weights.nrows() == 0 => Array2::eye(self.biases.len()),
            None => self.weights.clone(),
        };
        (weights, self.biases.clone())
    }
}

classifier!(MulticlassSvc);

impl<F: Scalar, L: Clone> Expand<F> for MulticlassSvc<F, L> {
    type Expanded = Self;

    fn expanded(&self) -> Self {
        let (classes, support) = (self.classes.clone(), self.support.clone());
        Self::of_values(classes, self.strategy, self.biases.len(), support)
    }
}

npt_core::checked! {
    MulticlassSvc<F, L> {
        classes: Vec<L>,
        strategy: Strategy,
        weights: Array2<F>,
        biases: Array1<F>,
        support: Option<Support>,
        own: Option<Own<F>>,
    }
    where F: Scalar, L: Ord + 'static
}

#[cfg(feature = "serde")]
impl<F: Scalar, L: Ord + 'static> MulticlassSvc<F, L> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method};
        let ((features, planes), classes) = (self.weights.dim(), self.classes.len());
        crate::parts::check_classes(&self.classes)?;
        if features == 0 {
            agree("offsets", self.biases.len(), "functions", planes)?;
            finite("the offsets", &self.biases)?;
        } else {
            crate::parts::check_functions(&self.weights, &self.biases)?;
        }
        match self.strategy {
            Strategy::OneAgainstOne => {
                let pairs = pairs::pair_count(classes);
                agree("planes", planes, "pairs of classes", pairs)?;
            }
            Strategy::OneAgainstRest => agree("planes", planes, "classes", classes)?,
        }
        if let Some(Support { counts, rows }) = &self.support {
            agree(
                "counts of support vectors",
                counts.len(),
                "classes",
                classes,
            )?;
            let all = counts
                .iter()
                .try_fold(0_usize, |sum, &count| sum.checked_add(count));
            let counted = all.ok_or("there cannot be so many support vectors")?;
            agree(
                "counted support vectors",
                counted,
                "that are named",
                rows.len(),
            )?;
        }
        if let Some(own) = &self.own {
            self.check_own(own)?;
        }
        method::takes::<Self>(self.columns());
        Ok(())
    }

    /// Returns the number of columns that records have.
    pub(super) fn columns(&self) -> usize {
        match &self.own {
            Some(own) => own.coefficients.nrows(),
            None if self.weights.nrows() == 0 => self.biases.len(),
            None => self.weights.nrows(),
        }
    }

    /// Returns the number of pairs of classes; 0 with one function per class.
    pub(super) fn pair_count(&self) -> usize {
        match self.strategy {
            Strategy::OneAgainstOne => pairs::pair_count(self.classes.len()),
            Strategy::OneAgainstRest => 0,
        }
    }

    /// Checks that `own` is of these classes and vectors.
    fn check_own(&self, own: &Own<F>) -> Result<(), String> {
        use npt_core::serial::{agree, finite, some};
        let (vectors, others) = own.coefficients.dim();
        if self.strategy != Strategy::OneAgainstOne || self.weights.nrows() > 0 {
            return Err("the coefficients are of pairs of classes, the functions are not".into());
        }
        some("support vectors", vectors)?;
        agree(
            "classes of vectors",
            own.counts.len(),
            "classes",
            self.classes.len(),
        )?;
        agree("other classes", others + 1, "classes", self.classes.len())?;
        let mut counts = own.counts.iter();
        let counted = counts.try_fold(0_usize, |sum, &count| sum.checked_add(count));
        let counted = counted.ok_or("there cannot be so many support vectors")?;
        agree("rows of coefficients", vectors, "support vectors", counted)?;
        finite("the coefficients", &own.coefficients)
    }
}
