//! Models in LIBSVM's text format.

use ndarray::{Array1, Array2};
use npt::{
    Rows, SparseRows,
    export::libsvm::{from_text, to_text},
};

/// Reads the bytes as a model of dense vectors: the text must also be a model of sparse vectors; and if the model predicts, it is written as
/// a text that is read as the same model.
///
/// # Panics
/// If one of these does not hold.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let sparse = from_text::<SparseRows<f64>>(&text);
    // Dense vectors have all columns up to the last, which may be too many; then they are refused.
    let dense = from_text::<Rows<f64>>(&text);
    let Ok(model) = dense else {
        return;
    };
    assert!(
        sparse.is_ok(),
        "refused as sparse vectors: {:?}",
        sparse.err()
    );
    let columns = model.expansion().samples().view().ncols();
    if columns > 1000 {
        return;
    }
    let x = Array2::from_shape_fn((2, columns), |(i, j)| (i + 2 * j) as f64);
    let predicted: Result<Array1<f64>, _> = model.try_predict(&x);
    if let (Ok(_), Ok(written)) = (predicted, to_text(&model)) {
        let again = from_text::<Rows<f64>>(&written);
        let again = again.unwrap_or_else(|error| panic!("{error} in what was written:\n{written}"));
        assert_eq!(to_text(&again), Ok(written));
    }
}
