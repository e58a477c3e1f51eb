//! Tests of the linear methods on plain matrices.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use npt_methods::{
    Error,
    linear::{Lda, Pca, PcaL1, Scatter, Svc},
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}

/// Tall data go through the scatter matrix, wide data through the Gram matrix. Padding with zero
/// columns changes the way and nothing else.
#[test]
fn pca_is_the_same_by_either_matrix() {
    let tall = random(8, 5, 1);
    let wide = concatenate![Axis(1), tall, Array2::zeros((8, 6))];
    let a = Pca::params(4)
        .fit(&DatasetBase::from(tall.clone()))
        .unwrap();
    let b = Pca::params(4)
        .fit(&DatasetBase::from(wide.clone()))
        .unwrap();
    assert_abs_diff_eq!(
        a.eigenvalues().to_owned(),
        b.eigenvalues().to_owned(),
        epsilon = 1e-13
    );
    assert_abs_diff_eq!(a.transform(tall), b.transform(wide), epsilon = 1e-13);
    let products = b.axes().dot(&b.axes().t());
    assert_abs_diff_eq!(products, Array2::eye(4), epsilon = 1e-13);
}

#[test]
fn pca_scores_have_the_variance_of_their_eigenvalues() {
    for scale in [1e-150, 1.0, 1e150] {
        let x = random(30, 4, 2) * scale;
        let pca = Pca::params(4).fit(&DatasetBase::from(x.clone())).unwrap();
        let scores = pca.transform(x) / scale;
        let scatter = scores.t().dot(&scores);
        let expected = Array2::from_diag(&(pca.eigenvalues().to_owned() / scale / scale));
        assert_abs_diff_eq!(scatter, expected, epsilon = 1e-12);
        assert_abs_diff_eq!(pca.explained_variance_ratio().sum(), 1.0, epsilon = 1e-13);
    }
}

/// The discriminant of two classes is Fisher's formula, w ∝ (S_W + μI)⁻¹(m₁ − m₀).
#[test]
fn lda_of_two_classes_is_fishers_formula() {
    let mut x = random(40, 2, 3);
    let labels = Array1::from_shape_fn(40, |i| i % 2 == 1);
    for (mut row, &label) in x.outer_iter_mut().zip(&labels) {
        row[0] += f64::from(u8::from(label));
    }
    let lda = Lda::params()
        .ridge(0.5)
        .fit(&Dataset::new(x.clone(), labels))
        .unwrap();
    let half = |odd| {
        let rows: Vec<usize> = (0..40).filter(|i| i % 2 == odd).collect();
        x.select(Axis(0), &rows)
    };
    let (a, b) = (half(0), half(1));
    let (mean_a, mean_b) = (a.mean_axis(Axis(0)).unwrap(), b.mean_axis(Axis(0)).unwrap());
    let total = &x - &x.mean_axis(Axis(0)).unwrap();
    let mu = 0.5 * total.mapv(|v| v * v).sum() / 40.0;
    let (a, b) = (a - &mean_a, b - &mean_b);
    let s = a.t().dot(&a) + b.t().dot(&b) + Array2::<f64>::eye(2) * mu;
    let difference = mean_b - mean_a;
    let determinant = s[[0, 0]] * s[[1, 1]] - s[[0, 1]] * s[[1, 0]];
    let direction = array![
        s[[1, 1]] * difference[0] - s[[0, 1]] * difference[1],
        s[[0, 0]] * difference[1] - s[[1, 0]] * difference[0],
    ] / determinant;
    let w = lda.axes().row(0).to_owned();
    assert_abs_diff_eq!(w.dot(&s.dot(&w)), 1.0, epsilon = 1e-13);
    let cosine = w.dot(&direction) / (w.dot(&w) * direction.dot(&direction)).sqrt();
    assert_abs_diff_eq!(cosine.abs(), 1.0, epsilon = 1e-13);
    // The largest J is n₀n₁/n · difference · direction.
    assert_abs_diff_eq!(
        lda.eigenvalues()[0],
        10.0 * difference.dot(&direction),
        epsilon = 1e-12
    );
}

/// Far from two means the distances from both are equal to rounding, but the side of the plane half-way
/// between the means is clear. Squares do not overflow either.
#[test]
fn classes_far_from_their_means() {
    let x = array![[0.0], [1.0], [5.0], [6.0], [20.0], [21.0]];
    let data = Dataset::new(x, array!["a", "a", "b", "b", "c", "c"]);
    let lda = Lda::params().fit(&data).unwrap();
    for far in [30.0, 1e10, 1e17, 1e160, 1e300] {
        let found = lda.predict(&array![[-far], [far]]);
        assert_eq!(found, array!["a", "c"], "at {far:e}");
    }
    assert_eq!(
        lda.predict(&array![[2.9], [3.1], [12.9], [13.1]]),
        array!["a", "b", "b", "c"]
    );
}

/// The total scatter without a ridge gives the directions of the between-class scatter, with
/// eigenvalues larger by 1.
#[test]
fn total_scatter_adds_one() {
    let mut x = random(60, 3, 4);
    let labels = Array1::from_shape_fn(60, |i| i % 3);
    for (mut row, &label) in x.outer_iter_mut().zip(&labels) {
        row[label] += 1.0;
    }
    let data = Dataset::new(x.clone(), labels);
    let fit = |scatter| {
        Lda::params()
            .ridge(0.0)
            .scatter(scatter)
            .fit(&data)
            .unwrap()
    };
    let (between, total) = (fit(Scatter::Between), fit(Scatter::Total));
    let more = between.eigenvalues().mapv(|value| value + 1.0);
    assert_abs_diff_eq!(total.eigenvalues().to_owned(), more, epsilon = 1e-12);
    assert_abs_diff_eq!(
        total.transform(x.clone()),
        between.transform(x),
        epsilon = 1e-11
    );
    assert_eq!(total.predict(&data), between.predict(&data));
}

/// The longest sample, (1, 0), as the start has two samples orthogonal to w, where the plain iteration stays.
/// Step 4b moves on to a diagonal, which is better.
#[test]
fn pca_l1_leaves_a_saddle() {
    let x = array![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let pca = PcaL1::params(2)
        .starts(1)
        .fit(&DatasetBase::from(x))
        .unwrap();
    let diagonal = 2.0 * 2.0_f64.sqrt();
    assert_abs_diff_eq!(
        pca.objectives().to_owned(),
        array![diagonal, diagonal],
        epsilon = 1e-12
    );
    assert!(pca.iterations()[0] > 2);
    assert_abs_diff_eq!(
        pca.axes().mapv(f64::abs),
        Array2::from_elem((2, 2), 0.5_f64.sqrt()),
        epsilon = 1e-12
    );
}

/// One start ends in a local maximum. In two dimensions all directions can be looked at: no
/// neighbour is better, more starts are never worse, and enough of them find the best of all.
#[test]
fn pca_l1_ends_in_local_maxima_and_finds_the_best_by_many_starts() {
    const STEPS: usize = 20_000;
    for seed in 0..20 {
        let x = random(15, 2, seed);
        let centered = &x - &x.mean_axis(Axis(0)).unwrap();
        let objective = |angle: f64| {
            let axis = array![angle.cos(), angle.sin()];
            centered.dot(&axis).mapv(f64::abs).sum()
        };
        let found = |starts| {
            let params = PcaL1::params(1).starts(starts).seed(seed);
            let pca = params.fit(&DatasetBase::from(x.clone())).unwrap();
            let angle = pca.axes()[[0, 1]].atan2(pca.axes()[[0, 0]]);
            let reached = pca.objectives()[0];
            assert_abs_diff_eq!(reached, objective(angle), epsilon = 1e-12 * reached);
            for step in [1e-6, 1e-4] {
                assert!(objective(angle + step) < reached && objective(angle - step) < reached);
            }
            reached
        };
        let (one, ten, many) = (found(1), found(10), found(200));
        assert!(one <= ten * (1.0 + 1e-7) && ten <= many * (1.0 + 1e-7));
        let best = (0..STEPS)
            .map(|step| objective(step as f64 / STEPS as f64 * std::f64::consts::PI))
            .fold(0.0, f64::max);
        assert!(many >= best && many <= best * (1.0 + 1e-6));
    }
}

#[test]
fn pca_l1_repeats_itself() {
    let data = DatasetBase::from(random(50, 6, 5));
    let fit = || PcaL1::params(3).seed(9).fit(&data).unwrap();
    assert_eq!(fit(), fit());
}

/// Violations of the margin cost C each: with a small C, all samples are at their bound.
#[test]
fn svc_at_its_bounds() {
    let data = Dataset::new(
        array![[-1.0], [-2.0], [1.0], [2.0]],
        array![false, false, true, true],
    );
    let svc = Svc::params()
        .class_c(0.02, 0.01)
        .tolerance(1e-10)
        .fit(&data)
        .unwrap();
    // Σ yᵢαᵢ = 0 allows the negative class all of 2·0.01, and the positive class as much.
    let dual = svc.dual().to_owned();
    assert_abs_diff_eq!(
        dual.slice(ndarray::s![..2]).to_owned(),
        array![-0.01, -0.01]
    );
    assert_abs_diff_eq!(dual.sum(), 0.0, epsilon = 1e-15);
    assert_abs_diff_eq!(
        svc.weights()[0],
        0.03 + dual[2] + 2.0 * dual[3],
        epsilon = 1e-15
    );
}

/// Axes are the same at any scale, even where squares leave the range of numbers, and values go
/// with the scale. Powers of two round nothing.
#[test]
fn principal_components_go_with_the_scale() {
    fn check<F: npt_core::Scalar>(exponents: &[i32]) {
        let x = random(30, 4, 6).mapv(|v| F::cast(v + 3.0));
        let fit = |x: &Array2<F>| {
            let data = DatasetBase::from(x.clone());
            let (l2, l1) = (Pca::params(3).fit(&data), PcaL1::params(3).fit(&data));
            (l2.unwrap(), l1.unwrap())
        };
        let (l2, l1) = fit(&x);
        for &exponent in exponents {
            let unit = F::cast(2.0_f64.powi(exponent));
            let (scaled_l2, scaled_l1) = fit(&(&x * unit));
            assert_eq!(scaled_l2.axes(), l2.axes(), "{exponent}");
            assert_eq!(scaled_l1.axes(), l1.axes(), "{exponent}");
            assert_eq!(scaled_l2.mean(), &l2.mean() * unit);
            let values = &l2.eigenvalues() * unit * unit;
            assert_eq!(scaled_l2.eigenvalues(), values);
            let ratio = l2.explained_variance_ratio();
            assert_eq!(scaled_l2.explained_variance_ratio(), ratio);
            assert_eq!(scaled_l1.objectives(), &l1.objectives() * unit);
        }
    }
    check::<f64>(&[-900, -510, 0, 300, 500]);
    check::<f32>(&[-100, -70, 0, 30, 55]);
}

/// Eigenvalues are squares, which are not finite for these records.
#[test]
fn values_out_of_range_are_refused() {
    let x = DatasetBase::from(random(10, 3, 1) * 1e200);
    let error = Pca::params(1).fit(&x).err();
    assert_eq!(error, Some(Error::Overflow { of: "Pca" }));
    assert!(PcaL1::params(1).fit(&x).is_ok());
    // Sums of ten magnitudes are not finite; nor are sums of records, although their mean is.
    let x = DatasetBase::from(random(10, 3, 1).mapv(|v| 1.5e308 * v.signum()));
    let error = PcaL1::params(1).fit(&x).err();
    assert_eq!(error, Some(Error::Overflow { of: "PcaL1" }));
}

/// Equal rows have no components, although the mean of 0.1, seven times, is not 0.1.
#[test]
fn equal_rows_have_no_components() {
    for rows in 1..20 {
        let x = DatasetBase::from(Array2::from_elem((rows, 3), 0.1));
        let (requested, available) = (1, 0);
        let none = Some(Error::Components {
            requested,
            available,
        });
        assert_eq!(Pca::params(1).fit(&x).err(), none, "{rows}");
        assert_eq!(PcaL1::params(1).fit(&x).err(), none, "{rows}");
    }
}
