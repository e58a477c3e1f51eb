//! Methods in dual form.

use super::InnerProducts;
use crate::{Expand, LinearMethod, Scalar};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// A linear method of which a [`KernelMethod`](crate::KernelMethod) can be made: its fitted model consists of linear
/// functions, and of a method that works on their values.
///
/// A method without a dual form needs an empty implementation alone: `impl ExpansionMethod<F, T, E> for MyParams {}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no method of which a kernel method can be made with targets `{T}`",
    label = "here a method is needed whose models are linear functions, for these targets",
    note = "for any other method of linfa's there is `Kernelized`, and in a search `by_coordinates()`",
    note = "some methods take targets of one type alone, say `bool` or `f64`"
)]
pub trait ExpansionMethod<F, T, E>: LinearMethod<F, T, E, Object: Expand<F>>
where
    E: std::error::Error + From<linfa::Error>,
{
    /// The dual form of the method, if it has one; a [`KernelMethod`](crate::KernelMethod) then runs
    /// it on kernel values, without coordinates.
    fn dual_form(
        &self,
    ) -> Option<&dyn DualForm<F, T, E, Expanded = <Self::Object as Expand<F>>::Expanded>> {
        None
    }

    /// Returns whether [`dual_coefficients`](Self::dual_coefficients) gives coefficients for these parameters, for example
    /// because the penalty is above 0. Override both or neither: with `true` the method is fitted in the space of
    /// [`SpaceBuilder::fit_for_expansion`](crate::SpaceBuilder::fit_for_expansion).
    fn has_dual_coefficients(&self) -> bool {
        false
    }

    /// The coefficients α of a fitted model, one row a record and one column a function: its directions are w = Σ αᵢxᵢ over
    /// the centred records that it was fitted to. `None` if the method's conditions of optimality do not tell α. Compute α
    /// from the scores of the records, not from the records themselves: then α is as accurate as in the classical formula.
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

    /// Returns a [`CrossValidator`], which fits these methods to selections of the same samples, and computes once what the
    /// fits have in common. `None`, the default, means that it would take no less than fitting each alone. `products`,
    /// `targets` and `weights` are those of all samples; `products` outlives the validator.
    ///
    /// # Errors
    /// Errors that concern all selections.
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
    dyn CrossValidator<<<M as Fit<Array2<F>, T, E>>::Object as Expand<F>>::Expanded, F, E> + 'a;

/// Several methods that are fitted to selections of the same samples, made by [`ExpansionMethod::cross_validator`].
pub trait CrossValidator<Q, F, E>: Sync {
    /// Fits each method to the samples `training`, counted from 0. Returns for each the method that works on the values of
    /// its linear functions, and these values at the samples `held_out`, shape (held out, functions).
    fn fit(&self, training: &[usize], held_out: &[usize]) -> Vec<Result<(Q, Array2<F>), E>>;
}

/// The dual form of a linear method: the solution is w = Σ αᵢxᵢ, and the α are found from inner products of the samples
/// alone.
pub trait DualForm<F, T, E> {
    /// The fitted method that works on the values of its linear functions: these values are its records.
    type Expanded;

    /// Returns whether another origin of the samples changes nothing but the offsets, as in methods with an intercept that
    /// is not penalised. Such methods need no centred kernel values.
    fn ignores_shift(&self) -> bool;

    /// Fits the method to inner products and targets, one target a sample. Returns `None` where the dual form is singular to
    /// rounding; the method then has to be fitted to coordinates. `weights` are the sample weights of the dataset,
    /// unchanged: a method that takes no weights refuses them.
    ///
    /// # Errors
    /// Those of the method, and of the inner products.
    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<Self::Expanded, F>>, E>
    where
        F: Scalar;

    /// Refuses targets that would take more memory than there is, before anything is computed from samples. The default
    /// refuses nothing.
    ///
    /// # Errors
    /// An error for what cannot be afforded. Other faults of the targets are not looked for.
    fn foresee(&self, targets: &T, weights: Option<ArrayView1<'_, f32>>) -> Result<(), E> {
        let _ = (targets, weights);
        Ok(())
    }

    /// Fits a method with so many functions that their coefficients, one column each, are better not written out. Returns
    /// the method, and the numbers of some samples: the method's records are the inner products of a new sample with these
    /// samples, in this order. `None`, the default, means that [`fit_dual`](Self::fit_dual) is to be called for these
    /// targets. Only methods that [ignore a shift](Self::ignores_shift) are asked.
    ///
    /// # Errors
    /// As [`fit_dual`](Self::fit_dual).
    fn fit_on_products(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(Self::Expanded, Vec<usize>)>, E>
    where
        F: Scalar,
    {
        let _ = (products, targets, weights);
        Ok(None)
    }

    /// Returns whether the method promises something about the values of its model at the training samples that rounding of
    /// these values may break. If so, [`settle`](Self::settle) gets these values. Override both or neither.
    fn settles(&self) -> bool {
        false
    }

    /// Changes the offsets, or the data of the method, so that the method's promise holds for the values that the model
    /// itself has at the training samples. `sums` are these values without the offsets, shape (n, functions).
    fn settle(
        &self,
        method: &mut Self::Expanded,
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
    /// The method that works on the values of the functions.
    pub method: Q,
    /// The coefficients α, shape (n, functions).
    pub coefficients: Array2<F>,
    /// The offsets b, one a function.
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
