//! Symmetric matrices in files: the upper half of each, row by row.

use ndarray::{Array1, Array2};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub(super) fn serialize<S: Serializer>(
    matrix: &Array2<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    upper_half(matrix).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Array2<f64>, D::Error> {
    of_upper_half(&Array1::deserialize(deserializer)?).map_err(de::Error::custom)
}

/// Serialisation of matrices that need not be there.
pub(super) mod option {
    use super::{of_upper_half, upper_half};
    use ndarray::{Array1, Array2};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[expect(clippy::ref_option, reason = "serde gives it so")]
    pub(in crate::streaming) fn serialize<S: Serializer>(
        matrix: &Option<Array2<f64>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        matrix.as_ref().map(upper_half).serialize(serializer)
    }

    pub(in crate::streaming) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Array2<f64>>, D::Error> {
        let half = Option::<Array1<f64>>::deserialize(deserializer)?;
        let matrix = half.as_ref().map(of_upper_half).transpose();
        matrix.map_err(de::Error::custom)
    }
}

fn upper_half(matrix: &Array2<f64>) -> Array1<f64> {
    let rows = matrix.outer_iter().enumerate();
    rows.flat_map(|(i, row)| row.slice_move(ndarray::s![i..]).to_vec())
        .collect()
}

fn of_upper_half(half: &Array1<f64>) -> Result<Array2<f64>, String> {
    let found = half.len();
    // The n of n(n + 1)/2 = found, rounded down.
    let size = (found.saturating_mul(8).saturating_add(1).isqrt() - 1) / 2;
    if size * (size + 1) / 2 != found {
        return Err(format!(
            "{found} numbers are not half of a symmetric matrix"
        ));
    }
    let mut matrix = Array2::zeros((size, size));
    let mut numbers = half.iter();
    for i in 0..size {
        for (j, &number) in (i..size).zip(&mut numbers) {
            (matrix[[i, j]], matrix[[j, i]]) = (number, number);
        }
    }
    Ok(matrix)
}

#[cfg(test)]
mod tests {
    use super::{of_upper_half, upper_half};
    use ndarray::{Array1, Array2, array};

    #[test]
    fn halves_are_of_symmetric_matrices() {
        for size in [0, 1, 2, 3, 40] {
            let matrix = Array2::from_shape_fn((size, size), |(i, j)| (i + j + i * j) as f64);
            assert_eq!(of_upper_half(&upper_half(&matrix)), Ok(matrix));
        }
        let half = array![1.0, 2.0, 3.0];
        assert_eq!(of_upper_half(&half), Ok(array![[1.0, 2.0], [2.0, 3.0]]));
    }

    #[test]
    fn other_numbers_are_no_half() {
        for found in [2, 4, 5, 7] {
            let error = of_upper_half(&Array1::zeros(found)).unwrap_err();
            assert_eq!(
                error,
                format!("{found} numbers are not half of a symmetric matrix")
            );
        }
    }
}
