//! Methods in dual form.

use super::InnerProducts;
use crate::{FoldBack, LinearMethod, Scalar};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// A linear method of which a [`KernelMethod`](crate::KernelMethod) can be made: its models are linear
/// functions, and what works on their values.
///
/// A method without a dual form has nothing to write: `impl FoldableMethod<F, T, E> for MyParams {}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no method of which a kernel method can be made with targets `{T}`",
    label = "here a method is needed whose models are linear functions, for these targets",
    note = "for any other method of linfa's there is `Kernelized`, and in a search `by_coordinates()`",
    note = "some methods take targets of one type alone, say `bool` or `f64`"
)]
pub trait FoldableMethod<F, T, E>: LinearMethod<F, T, E, Object: FoldBack<F>>
where
    E: std::error::Error + From<linfa::Error>,
{
    /// The dual form of the method, if it has one; a [`KernelMethod`](crate::KernelMethod) then runs
    /// it on kernel values, without coordinates.
    fn dual_form(
        &self,
    ) -> Option<&dyn DualForm<F, T, E, Folded = <Self::Object as FoldBack<F>>::Folded>> {
        None
    }

    /// Returns whether [`dual_coefficients`](Self::dual_coefficients) gives any for these parameters, say because
    /// the penalty is above 0. Override both or neither: with `true` the method is fitted in the space
    /// of [`SpaceBuilder::fit_for_expansion`](crate::SpaceBuilder::fit_for_expansion).
    fn has_dual_coefficients(&self) -> bool {
        false
    }

    /// The α, one row a record and one column a function, with which the directions of a fitted model
    /// are w = Σ αᵢxᵢ over the centred records that it was fitted to, if its own conditions of
    /// optimality say what they are. Only the records' scores, not the records, should go into them:
    /// then they are known as well as by the classical formula.
    fn dual_coefficients(
        &self,
        model: &Self::Object,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let _ = (model, data);
        None
    }

    /// Returns whether there is a [`cross_validator`](Self::cross_validator) for these methods. Override both or
    /// neither.
    fn has_cross_validator() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// What fits these methods to selections of the same samples, if together that takes less than
    /// each alone: what they have in common is computed once. `products`, targets and sample weights are those
    /// of all samples, and the first outlive it. By default there is none.
    ///
    /// # Errors
    /// Those that concern all selections.
    fn cross_validator<'a>(
        methods: &[Self],
        products: &'a dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Box<FoldsOf<'a, Self, F, T, E>>>, E>
    where
        Self: Sized,
        F: Scalar,
    {
        let _ = (methods, products, targets, weights);
        Ok(None)
    }
}

/// The [`CrossValidator`] of a method.
type FoldsOf<'a, M, F, T, E> =
    dyn CrossValidator<<<M as Fit<Array2<F>, T, E>>::Object as FoldBack<F>>::Folded, F, E> + 'a;

/// Several methods, to be fitted to selections of the same samples. Made by
/// [`FoldableMethod::cross_validator`].
pub trait CrossValidator<Q, F, E>: Sync {
    /// Fits each method to the samples `training`, counted from 0: what is left of it when it is folded,
    /// and the values of its linear functions at the samples `held_out`, shape (held out, functions).
    fn fit(&self, training: &[usize], held_out: &[usize]) -> Vec<Result<(Q, Array2<F>), E>>;
}

/// The dual form of a linear method: its solution is w = Σ αᵢxᵢ, and it finds the α from inner
/// products of the samples alone.
pub trait DualForm<F, T, E> {
    /// What is left of the fitted method: its records are the values of its linear functions.
    type Folded;

    /// Returns whether another origin of the samples changes nothing but the offsets, as in methods with an
    /// intercept that is not penalised. They need not be given centred kernel values.
    fn ignores_shift(&self) -> bool;

    /// Fits the method to inner products and targets, one a sample; `None` where the dual form is
    /// singular to rounding, and coordinates are the only road. `weights` are those of the dataset, as they are:
    /// a method that takes none refuses them.
    ///
    /// # Errors
    /// Those of the method, and of the inner products.
    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<Self::Folded, F>>, E>
    where
        F: Scalar;

    /// Refuses targets that take more than there is, before anything is computed from samples. By default nothing is refused.
    ///
    /// # Errors
    /// What cannot be afforded; nothing else that may be wrong with the targets.
    fn foresee(&self, targets: &T, weights: Option<ArrayView1<'_, f32>>) -> Result<(), E> {
        let _ = (targets, weights);
        Ok(())
    }

    /// Fits a method of so many functions that their coefficients, one column each, are better not written out: the method,
    /// whose records are the inner products of a new sample with some of the samples, and which these are, in the order of
    /// the columns. `None`, as by default: [`fit_dual`](Self::fit_dual) is for these targets. It is asked for methods that
    /// [ignore a shift](Self::ignores_shift) alone.
    ///
    /// # Errors
    /// As [`fit_dual`](Self::fit_dual).
    fn fit_on_products(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(Self::Folded, Vec<usize>)>, E>
    where
        F: Scalar,
    {
        let _ = (products, targets, weights);
        Ok(None)
    }

    /// Whether the method promises something of the values that its model has at the training samples, which the rounding of
    /// these may break: then it is given them, by [`settle`](Self::settle). Override both or neither.
    fn settles(&self) -> bool {
        false
    }

    /// Changes the offsets, or what the method keeps, so that what it promises holds of the values that the model itself has at
    /// the training samples: `sums` are these without the offsets, shape (n, functions).
    fn settle(
        &self,
        method: &mut Self::Folded,
        offsets: &mut Array1<F>,
        sums: ArrayView2<'_, F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) where
        F: Scalar,
    {
        let _ = (method, offsets, sums, targets, weights);
    }
}

/// A method fitted in its dual form: the functions Σᵢ αᵢₖ⟨xᵢ, x⟩ + bₖ, and the method that works on
/// their values.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Dual<Q, F> {
    /// What is left of the method.
    pub method: Q,
    /// α, shape (n, functions).
    pub coefficients: Array2<F>,
    /// b, one a function.
    pub offsets: Array1<F>,
}

crate::checked! {
    Dual<Q, F> { method: Q, coefficients: Array2<F>, offsets: Array1<F> } where F: Scalar
}

#[cfg(feature = "serde")]
impl<Q, F: Scalar> Dual<Q, F> {
    fn check_parts(&self) -> Result<(), String> {
        let (columns, offsets) = (self.coefficients.ncols(), self.offsets.len());
        crate::serial::agree("offsets", offsets, "columns of coefficients", columns)?;
        let numbers = self.coefficients.iter().chain(&self.offsets);
        crate::serial::finite("the coefficients", numbers)
    }
}
