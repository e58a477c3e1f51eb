//! The types of targets that a table can have.

use linfa::dataset::AsTargets;
use ndarray::{Array1, Array2, ArrayView2};
use num_traits::ToPrimitive as _;

/// Targets that [`Blocks`](crate::Blocks) can have: one number a row, several, a label, or none.
pub trait TableTargets: AsTargets + private::Sealed + Sized {
    /// Makes targets of the values of a block, shape (rows, targets). Where targets are labels, the values are numbers of texts, in the order
    /// of `texts`.
    #[doc(hidden)]
    fn of(values: ArrayView2<'_, f64>, texts: &[String]) -> Self;
}

impl TableTargets for Array1<f64> {
    fn of(values: ArrayView2<'_, f64>, _: &[String]) -> Self {
        values.column(0).to_owned()
    }
}

impl TableTargets for Array2<f64> {
    fn of(values: ArrayView2<'_, f64>, _: &[String]) -> Self {
        values.to_owned()
    }
}

impl TableTargets for Array1<String> {
    fn of(values: ArrayView2<'_, f64>, texts: &[String]) -> Self {
        let text = |code: f64| code.to_usize().and_then(|code| texts.get(code));
        let label = |code| text(code).expect("it stands for one of them").clone();
        values.column(0).mapv(label)
    }
}

impl TableTargets for Array1<()> {
    fn of(values: ArrayView2<'_, f64>, _: &[String]) -> Self {
        Array1::from_elem(values.nrows(), ())
    }
}

mod private {
    use ndarray::{Array1, Array2};

    pub trait Sealed {}
    impl Sealed for Array1<f64> {}
    impl Sealed for Array2<f64> {}
    impl Sealed for Array1<String> {}
    impl Sealed for Array1<()> {}
}
