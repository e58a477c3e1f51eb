//! The classifier that labels ask for: one plane between two sides, or several planes between classes.

use super::{
    folds::SvcFolds,
    multiclass::{MulticlassSvc, MulticlassSvcValidParams},
    solver::{Inputs, Training},
    svc::{Svc, SvcValidParams},
};
use crate::{
    Error,
    weights::{Weights, weighed_records},
};
use linfa::{DatasetBase, Label, dataset::AsSingleTargets, traits::Fit};
use ndarray::{ArrayBase, ArrayView1, Data, Ix2};
use npt_core::{CrossValidator, Dual, Expand, InnerProducts, Scalar};

/// Labels that [`SvcParams`](super::SvcParams) can be fitted to: `bool` and all other labels of linfa's.
///
/// # For labels of your own
/// ```
/// use linfa::{Dataset, Label, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::{KernelSvc, linear::{Classes, SvcLabel}};
///
/// #[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
/// enum Flower { #[default] Setosa, Virginica }
/// impl Label for Flower {}
/// impl SvcLabel for Flower { type Kind = Classes; }
///
/// let data = Dataset::new(array![[0.0], [1.0], [5.0]], array![Flower::Setosa, Flower::Setosa, Flower::Virginica]);
/// let model = KernelSvc::params(Gaussian::new(0.5)).fit(&data)?;
/// assert_eq!(model.predict(&array![[4.5]]), array![Flower::Virginica]);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no label of classes",
    label = "here targets of classes are needed",
    note = "labels are `bool`, `usize`, `String`, `&str`, and types of your own with `impl SvcLabel`",
    note = "integers of another type become one of these by `targets.mapv(|class| class as usize)`",
    note = "for targets that are numbers there is `KernelSvr`"
)]
pub trait SvcLabel: Label {
    /// The kind of the labels: [`Sides`] or [`Classes`].
    type Kind: SvcKind<Self>;
}

/// Two sides of one plane, `false` and `true`: fits give an [`Svc`].
#[derive(Debug)]
pub struct Sides;

/// Two classes or more, with several planes: fits give a [`MulticlassSvc`].
#[derive(Debug)]
pub struct Classes;

impl SvcLabel for bool {
    type Kind = Sides;
}

impl SvcLabel for usize {
    type Kind = Classes;
}

impl SvcLabel for String {
    type Kind = Classes;
}

impl SvcLabel for &str {
    type Kind = Classes;
}

impl<L: Label> SvcLabel for Option<L> {
    type Kind = Classes;
}

/// The fits to a kind of labels.
pub trait SvcKind<L> {
    /// The fitted classifier.
    type Model<F: Scalar>: Expand<F, Expanded = Self::Model<F>>;

    #[doc(hidden)]
    fn fit<F: Scalar, D: Data<Elem = F>, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<Self::Model<F>, Error>;

    #[doc(hidden)]
    fn fit_dual<F: Scalar, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Dual<Self::Model<F>, F>, Error>;

    #[doc(hidden)]
    fn foresee<F: Scalar, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<(), Error> {
        let _ = (params, targets, weights);
        Ok(())
    }

    #[doc(hidden)]
    fn fit_on_products<F: Scalar, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(Self::Model<F>, Vec<usize>)>, Error> {
        let _ = (params, products, targets, weights);
        Ok(None)
    }

    /// Returns whether there is a [`cross_validator`](Self::cross_validator).
    #[doc(hidden)]
    fn has_cross_validator() -> bool {
        false
    }

    #[doc(hidden)]
    fn cross_validator<'a, F: Scalar, T: AsSingleTargets<Elem = L>>(
        methods: Vec<Result<SvcValidParams, Error>>,
        products: &'a dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Box<FoldsOf<'a, Self::Model<F>, F>>>, Error> {
        let _ = (methods, products, targets, weights);
        Ok(None)
    }
}

/// The cross-validator that fits classifiers to all folds together.
type FoldsOf<'a, O, F> = dyn CrossValidator<O, F, Error> + 'a;

impl SvcKind<bool> for Sides {
    type Model<F: Scalar> = Svc<F>;

    fn fit<F: Scalar, D: Data<Elem = F>, T: AsSingleTargets<Elem = bool>>(
        params: &SvcValidParams,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<Svc<F>, Error> {
        let (x, weights) = weighed_records(dataset)?;
        let svc = params.solve(&Inputs::centered(x), dataset.targets(), &weights)?;
        let plane = svc.plane.of_all(&weights);
        Ok(Svc { plane })
    }

    fn fit_dual<F: Scalar, T: AsSingleTargets<Elem = bool>>(
        params: &SvcValidParams,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Dual<Svc<F>, F>, Error> {
        let weights = Weights::new(weights, products.samples())?;
        let inputs = Training::of_products(products, &weights).all();
        let svc = params.solve(&inputs, targets, &weights)?;
        let plane = svc.plane.of_all(&weights);
        let method = Svc {
            plane: plane.expanded(),
        };
        Ok(plane.into_dual(method))
    }

    fn has_cross_validator() -> bool {
        true
    }

    fn cross_validator<'a, F: Scalar, T: AsSingleTargets<Elem = bool>>(
        methods: Vec<Result<SvcValidParams, Error>>,
        products: &'a dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Box<FoldsOf<'a, Svc<F>, F>>>, Error> {
        let folds = SvcFolds::new(methods, products, targets, weights)?;
        Ok(Some(Box::new(folds)))
    }
}

impl<L: Label> SvcKind<L> for Classes {
    type Model<F: Scalar> = MulticlassSvc<F, L>;

    fn fit<F: Scalar, D: Data<Elem = F>, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<MulticlassSvc<F, L>, Error> {
        params.of_classes()?.fit(dataset)
    }

    fn fit_dual<F: Scalar, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Dual<MulticlassSvc<F, L>, F>, Error> {
        let params: MulticlassSvcValidParams = params.of_classes()?;
        params.fit_products(products, targets, weights)
    }

    fn foresee<F: Scalar, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<(), Error> {
        params.of_classes()?.foresee::<F, L, T>(targets, weights)
    }

    fn fit_on_products<F: Scalar, T: AsSingleTargets<Elem = L>>(
        params: &SvcValidParams,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(MulticlassSvc<F, L>, Vec<usize>)>, Error> {
        params.of_classes()?.fit_own(products, targets, weights)
    }
}
