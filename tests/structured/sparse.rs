use linfa::DatasetBase;
use ndarray::{Array1, Array2, array};
use npt::{
    AdditiveChiSquared, ChiSquared, Cosine, Error, Exponential, HistogramIntersection, Matern,
    MinMax, RationalQuadratic, Sparse, SparseRows, Tanimoto, prelude::*,
};
use npt_testkit::{data::normal, laws};
use sprs::{CsMat, TriMat};
use std::sync::Arc;

/// Normal numbers, most of them replaced by 0; some rows and a column are empty.
fn matrix(n: usize, d: usize, seed: u64) -> Array2<f64> {
    let mut x = normal(n, d, seed);
    for ((i, j), value) in x.indexed_iter_mut() {
        if (7 * i + 3 * j + i * j) % 4 != 0 || i == 2 || j == 1 {
            *value = 0.0;
        }
    }
    x
}

fn sparse(x: &Array2<f64>) -> CsMat<f64> {
    CsMat::csr_from_dense(x.view(), 0.0)
}

#[test]
fn laws_hold() {
    let x = SparseRows::new(&sparse(&matrix(25, 9, 1))).unwrap();
    let x_new = SparseRows::new(&sparse(&matrix(6, 9, 2))).unwrap();
    laws::check_all(&Sparse::new(Linear::new()), &x, &x_new);
    laws::check_all(&Sparse::new(Gaussian::new(0.3)), &x, &x_new);
    laws::check_all(&Sparse::new(Polynomial::new(2, 0.5, 1.0)), &x, &x_new);
    let sum = Sparse::new(Laplacian::new(0.3) + Linear::new().scaled(0.1));
    laws::check_all(&sum, &x, &x_new);
}

fn compare<K>(kernel: K, dense: &Rows<f64>, sparse: &SparseRows<f64>)
where
    K: Kernel<Rows<f64>, Scalar = f64>,
{
    let expected = kernel.gram(dense);
    let found = Sparse::new(kernel).gram(sparse);
    let off = (&found - &expected).mapv(f64::abs);
    let largest = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(off.iter().all(|&d| d <= 1e-14 * largest), "{off}");
}

#[test]
fn values_are_those_of_dense_rows() {
    let x = matrix(20, 12, 3);
    let dense = Rows::new(x.clone()).unwrap();
    let by_row = SparseRows::new(&sparse(&x)).unwrap();
    let by_column = SparseRows::new(&CsMat::csc_from_dense(x.view(), 0.0)).unwrap();
    assert_eq!(by_row, by_column);
    compare(Linear::new(), &dense, &by_row);
    compare(Gaussian::new(0.2), &dense, &by_row);
    compare(Laplacian::new(0.2), &dense, &by_row);
    compare(Exponential::new(0.2), &dense, &by_row);
    compare(Matern::five_halves(1.5), &dense, &by_row);
    compare(RationalQuadratic::new(1.5, 0.7), &dense, &by_row);
    compare(Polynomial::new(3, 0.2, 1.0), &dense, &by_row);
    compare(Sigmoid::new(0.2, 0.1), &dense, &by_row);
    compare(Periodic::new(0.9, 2.7), &dense, &by_row);
    compare(
        Gaussian::new(0.2) * Linear::new().scaled(2.0),
        &dense,
        &by_row,
    );
}

type Any = Arc<dyn Kernel<Rows<f64>, Scalar = f64>>;

/// A kernel that takes zeros into account is refused by its name, whatever its type.
#[test]
fn kernels_that_take_zeros_into_account_are_refused() {
    let rows = SparseRows::new(&sparse(&matrix(10, 9, 1))).unwrap();
    let fit = |kernel: Any| Exact::new(Sparse::new(kernel)).fit_space(&rows).map(|_| ());
    assert_eq!(fit(Arc::new(Gaussian::new(0.5))), Ok(()));
    assert_eq!(
        fit(Arc::new(Normalized::new(
            Gaussian::new(0.5) + Laplacian::new(0.1)
        ))),
        Ok(())
    );
    let weighted = |weights| {
        let kernels: Vec<Any> = vec![Arc::new(Linear::new()), Arc::new(Anova::new(0.5, 2))];
        WeightedSum::new(kernels, weights).unwrap()
    };
    assert_eq!(fit(Arc::new(weighted(array![1.0, 0.0]))), Ok(()));
    let refused: [(Any, &str); 5] = [
        (
            Arc::new(Anova::new(0.5, 2)),
            "anova(gamma = 0.5, degree = 2)",
        ),
        (
            Arc::new(Linear::new() + Columns::new(Linear::new(), 0..9)),
            "sum(linear, columns(start = 0, end = 9, linear))",
        ),
        (
            Arc::new(Linear::new() * LengthScales::new(Linear::new(), vec![1.0; 9])),
            "product(linear, length_scales(length_scales = [1, 1, 1, 1, 1, 1, 1, 1, 1], linear))",
        ),
        (
            Arc::new(weighted(array![1.0, 2.0])),
            "weighted_sum(weights = [1, 2], linear, anova(gamma = 0.5, degree = 2))",
        ),
        (
            Arc::new(FnKernel::new(|a: &[f64], b: &[f64]| a[0] * b[0])),
            "function",
        ),
    ];
    for (kernel, name) in refused {
        let error = Error::CommonZeros {
            kernel: name.to_owned(),
        };
        assert_eq!(fit(kernel), Err(error));
    }
}

#[test]
fn a_dataset_of_sparse_rows_fits_and_transforms() {
    let x = matrix(20, 12, 3);
    let rows = SparseRows::new(&sparse(&x)).unwrap();
    let dense = Kpca::params(2, Gaussian::new(0.1)).fit(&DatasetBase::from(x.clone()));
    let kernel = Sparse::new(Gaussian::new(0.1));
    let model = Kpca::params(2, kernel).fit(&DatasetBase::from(rows.clone()));
    let (dense, model) = (dense.unwrap(), model.unwrap());
    let expected: Array2<f64> = dense.transform(x);
    let found: Array2<f64> = model.transform(rows);
    assert!((found - expected).iter().all(|d: &f64| d.abs() < 1e-12));
}

#[test]
fn kernels_of_non_negative_entries() {
    let x = matrix(20, 12, 3).mapv(f64::abs);
    let dense = Rows::new(x.clone()).unwrap();
    let rows = SparseRows::new(&sparse(&x)).unwrap();
    compare(ChiSquared::new(0.2), &dense, &rows);
    compare(AdditiveChiSquared::new(), &dense, &rows);
    compare(HistogramIntersection::new(), &dense, &rows);
    compare(MinMax::new(), &dense, &rows);
    compare(Tanimoto::new(), &dense, &rows);
    compare(Spline::new(), &dense, &rows);
    // A row without entries has no direction.
    let (filled, empty): (Vec<usize>, Vec<usize>) =
        (0..20).partition(|&i| !rows.get(i).entries().is_empty());
    compare(Cosine::new(), &dense.select(&filled), &rows.select(&filled));
    let error = Exact::new(Sparse::new(Cosine::new())).fit_space(&rows);
    let Error::SampleOutsideDomain { row, kernel, .. } = error.unwrap_err() else {
        panic!("a row without entries is refused");
    };
    assert_eq!((row, kernel), (empty[0], "Cosine"));

    let mut negative = TriMat::new((2, 50));
    negative.add_triplet(0, 7, 1.0);
    negative.add_triplet(1, 7, 2.0);
    negative.add_triplet(1, 40, -1.0);
    let negative = SparseRows::new(&negative.to_csr::<usize>()).unwrap();
    let error = Exact::new(Sparse::new(MinMax::new())).fit_space(&negative);
    let Error::SampleOutsideDomain { row, column, .. } = error.unwrap_err() else {
        panic!("the kernel is for non-negative entries");
    };
    assert_eq!((row, column), (1, Some(40)));
}

#[test]
fn other_widths_and_bad_matrices_are_refused() {
    let rows = |n, d| SparseRows::new(&sparse(&matrix(n, d, 1)));
    let space = Exact::new(Sparse::new(Linear::new()));
    let space = space.fit_space(&rows(10, 9).unwrap()).unwrap();
    let error = space.coordinates(&rows(3, 8).unwrap()).unwrap_err();
    let (expected, found) = (9, 8);
    assert_eq!(error, Error::ColumnCount { expected, found });
    assert_eq!(rows(0, 3).unwrap_err(), Error::NoSamples);
    assert_eq!(rows(3, 0).unwrap_err(), Error::NoFeatures { samples: 3 });
    let mut infinite = TriMat::new((2, 5));
    infinite.add_triplet(1, 3, f64::INFINITY);
    let error = SparseRows::new(&infinite.to_csr::<usize>()).unwrap_err();
    let (row, column, value) = (1, 3, f64::INFINITY);
    assert_eq!(error, Error::SampleNotFinite { row, column, value });
}

#[test]
fn rows_without_entries_alone_have_no_variance() {
    let empty: CsMat<f64> = CsMat::zero((4, 5));
    let rows = SparseRows::new(&empty).unwrap();
    let error = Exact::new(Sparse::new(Gaussian::new(1.0))).fit_space(&rows);
    assert_eq!(error.unwrap_err(), Error::NoVariance { samples: 4 });
}

#[test]
fn a_classifier_predicts_sparse_rows() {
    let (x, new) = (matrix(40, 12, 3), matrix(15, 12, 4));
    let labels = Array1::from_shape_fn(40, |i| i % 2);
    let rows = SparseRows::new(&sparse(&x)).unwrap();
    let dense = Kfd::params(Gaussian::new(0.5)).fit(&DatasetBase::new(x, labels.clone()));
    let kernel = Sparse::new(Gaussian::new(0.5));
    let model = Kfd::params(kernel).fit(&DatasetBase::new(rows, labels));
    let expected: Array1<usize> = dense.unwrap().predict(&new);
    let new = SparseRows::new(&sparse(&new)).unwrap();
    assert_eq!(model.unwrap().predict(&new), expected);
}
