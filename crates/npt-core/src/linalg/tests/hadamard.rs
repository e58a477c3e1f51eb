use super::*;

/// The transform is the product with the matrix of signs, by its definition.
#[test]
fn it_is_the_matrix_of_signs() {
    for digits in 0..8 {
        let size = 1_usize << digits;
        let sign = |(j, k): (usize, usize)| {
            if (j & k).count_ones() % 2 == 0 {
                1.0
            } else {
                -1.0
            }
        };
        let signs = Array2::from_shape_fn((size, size), sign);
        let v = random(size, 1, digits);
        let mut found = v.clone().into_raw_vec_and_offset().0;
        walsh_hadamard(&mut found);
        let expected = signs.dot(&v);
        let pairs = found.iter().zip(&expected);
        assert!(
            pairs
                .into_iter()
                .all(|(a, b)| (a - b).abs() <= 1e-15 * size as f64)
        );
        walsh_hadamard(&mut found);
        let pairs = found.iter().zip(&v);
        assert!(
            pairs
                .into_iter()
                .all(|(a, b)| (a / size as f64 - b).abs() <= 1e-15 * size as f64)
        );
    }
}

#[test]
#[should_panic(expected = "a power of two")]
fn other_lengths_panic() {
    walsh_hadamard(&mut [1.0_f32; 12]);
}
