//! Fits to records, and to inner products.

use super::{
    super::solver::Training, MulticlassSvc, MulticlassSvcParams, MulticlassSvcValidParams, Numbers,
    members,
};
use crate::{
    Error,
    weights::{Weights, weighed_records},
};
use linfa::{DatasetBase, Label, ParamGuard, dataset::AsSingleTargets, traits::Fit};
use ndarray::{ArrayBase, ArrayView1, Data, Ix2};
use npt_core::{Dual, DualForm, ExpansionMethod, InnerProducts, Scalar};

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> ExpansionMethod<F, T, Error>
    for MulticlassSvcParams
{
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Expanded = MulticlassSvc<F, L>>> {
        Some(self)
    }
}

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> DualForm<F, T, Error>
    for MulticlassSvcParams
{
    type Expanded = MulticlassSvc<F, L>;

    fn ignores_shift(&self) -> bool {
        true
    }

    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<MulticlassSvc<F, L>, F>>, Error> {
        let params = self.check_ref()?;
        params.fit_products(products, targets, weights).map(Some)
    }

    fn foresee(&self, targets: &T, weights: Option<ArrayView1<'_, f32>>) -> Result<(), Error> {
        self.check_ref()?.foresee::<F, L, T>(targets, weights)
    }

    fn fit_on_products(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(MulticlassSvc<F, L>, Vec<usize>)>, Error> {
        let params = self.check_ref()?;
        params.fit_own(products, targets, weights)
    }
}

impl MulticlassSvcValidParams {
    pub(in super::super) fn fit_products<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>>(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Dual<MulticlassSvc<F, L>, F>, Error> {
        let weights = Weights::new(weights, products.samples())?;
        let members = members(targets, &weights)?;
        self.require_room::<F>(Numbers::Dual(weights.count()), members.len())?;
        let training = Training::of_products(products, &weights);
        self.dual(training, &weights, members)
    }

    /// Refuses classes whose functions do not fit into memory. Other errors of targets and weights are left to a fit.
    pub(in super::super) fn foresee<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>>(
        &self,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<(), Error> {
        let weights = Weights::<F>::new(weights, targets.as_single_targets().len());
        let Ok(weights) = weights else { return Ok(()) };
        match members(targets, &weights) {
            Ok(members) => self.require_room::<F>(Numbers::Dual(weights.count()), members.len()),
            Err(_) => Ok(()),
        }
    }

    /// Fits on inner products with the support vectors; returns `None` for few classes.
    pub(in super::super) fn fit_own<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>>(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(MulticlassSvc<F, L>, Vec<usize>)>, Error> {
        let weights = Weights::new(weights, products.samples())?;
        let members = members(targets, &weights)?;
        if !self.is_of_own(members.len()) {
            return Ok(None);
        }
        self.require_room::<F>(Numbers::Dual(weights.count()), members.len())?;
        let training = Training::of_products(products, &weights);
        self.of_own(training, &weights, members).map(Some)
    }
}

impl<F, L, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for MulticlassSvcValidParams
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = L>,
{
    type Object = MulticlassSvc<F, L>;

    fn fit(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<MulticlassSvc<F, L>, Error> {
        let (x, weights) = weighed_records(dataset)?;
        let members = members(dataset.targets(), &weights)?;
        self.model(x.view(), &weights, members)
    }
}
