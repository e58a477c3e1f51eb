//! Checks results against values of formulas in 40 digits and more (mpmath).

use super::{FACTOR, cast, largest};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, array};
use npt::{Scalar, prelude::*};
use npt_testkit::oracles::{centering, cholesky::Cholesky, svc};

/// 25 samples on a line, their targets, and nine new samples in and beside their range.
fn line() -> (Array2<f64>, Array1<f64>, Array2<f64>) {
    let x = Array2::from_shape_fn((25, 1), |(i, _)| i as f64 * 0.4);
    let y = x.column(0).mapv(|v| v.sin() + 0.3 * (2.7 * v).cos());
    let new = Array2::from_shape_fn((9, 1), |(i, _)| 2.5 * i as f64 - 5.0);
    (x, y, new)
}

/// Noise, means and variances of Gaussian processes: kᵀ(K + σ²I)⁻¹y and κ(t, t) − kᵀ(K + σ²I)⁻¹k, where κ is 1.5 times the
/// Gaussian of length scale 1.2.
// The digits are as they were printed.
#[allow(clippy::unreadable_literal)]
#[rustfmt::skip]
const PROCESSES: [(f64, [f64; 9], [f64; 9]); 3] = [
    (0.05,
        [-0.00013504468244936822, -0.014538074217134808, 0.35376752130984584, 0.7349482975209277, -0.8537807099547867, 0.9828282391002734, -0.08643074016091044, -0.10000648243520815, -0.00011681077859649763],
        [1.4999998029352681, 1.4528174996200085, 0.036601798102580116, 0.0172303805311473, 0.017177594803463207, 0.01737324191521453, 0.1365921878511971, 1.4879187878041877, 1.4999999883243533]),
    (1e-4,
        [-0.002825265404089034, -0.8260870463707307, 0.30195284620913654, 0.866739896670606, -0.7807557953486938, 0.9879050214013482, -0.6773404189114203, -0.37740983799980843, -0.0004275140682498276],
        [1.4999974733463672, 1.3033884261346211, 9.817891725435795e-05, 5.22263841796675e-05, 5.116917805294205e-05, 5.2254738739251966e-05, 0.0053911196428378366, 1.4357912233101635, 1.4999998328451136]),
    (1e-8,
        [-0.0016059959515996908, -0.7909817548159822, 0.2999998992550236, 0.8663642211496829, -0.780449438565077, 0.9888742144366541, -0.6405716810346836, 0.011968931062776791, 0.0009077784481816883],
        [1.4999741995036235, 0.9936051512536886, 9.9992869033767e-09, 7.143188657387131e-09, 6.951661472077944e-09, 7.497311909873424e-09, 0.00014012220895478963, 1.2819231182617292, 1.4999980249873335]),
];

/// The textbook formula in the precision F.
fn textbook<F: Scalar>(
    k: &Array2<F>,
    k_new: &Array2<F>,
    y: &Array1<F>,
    noise: f64,
) -> Option<Array1<F>> {
    let alpha = Cholesky::new(k.view(), noise)?.solve(y.view());
    Some(k_new.dot(&alpha))
}

fn check_smooth_kernel<F: Scalar>(noises: &[(f64, [f64; 9], [f64; 9])]) {
    let (x, y, new) = line();
    let (x, y, new) = (cast::<F>(&x), y.mapv(F::cast), cast::<F>(&new));
    let kernel = Gaussian::from_length_scale(F::cast(1.2)).scaled(F::cast(1.5));
    let (rows, new_rows) = (
        Rows::new(x.clone()).unwrap(),
        Rows::new(new.clone()).unwrap(),
    );
    let (k, k_new) = (kernel.gram(&rows), kernel.cross(&new_rows, &rows));
    let data = Dataset::new(x, y.clone());
    for (noise, means, variances) in noises {
        let off = |found: &Array1<F>| largest(found.iter().zip(means).map(|(f, m)| f.as_f64() - m));
        let by_textbook = textbook(&k, &k_new, &y, *noise).expect("regular");
        let allowed = FACTOR * off(&by_textbook).max(4.0 * F::epsilon().as_f64());

        let process = GaussianProcess::params(kernel)
            .noise(*noise)
            .fit(&data)
            .unwrap();
        let (found, spread) = process.predict_with_variance(&new).unwrap();
        assert!(
            off(&found) <= allowed,
            "process, {noise}: {:e} > {allowed:e}",
            off(&found)
        );
        let off_variance = largest(spread.iter().zip(variances).map(|(f, v)| f.as_f64() - v));
        let allowed_variance = allowed.max(FACTOR * F::epsilon().as_f64() / noise.sqrt());
        assert!(
            off_variance <= allowed_variance,
            "variance, {noise}: {off_variance:e}"
        );

        let ridge = KernelRidge::params(kernel)
            .method(|ridge| ridge.penalty(*noise).intercept(false))
            .space(|space| space.centered(false));
        let found = ridge.fit(&data).unwrap().predict(&new);
        assert!(
            off(&found) <= allowed,
            "ridge, {noise}: {:e} > {allowed:e}",
            off(&found)
        );
    }
}

/// A Gaussian process of a smooth kernel is as accurate as the formula. Coordinates give ⟨y(t), yᵢ⟩ to √τ only; a method that needs
/// no more than inner products does not use them.
#[test]
fn a_process_of_a_smooth_kernel() {
    check_smooth_kernel::<f64>(&PROCESSES);
    // In f32, K + 10⁻⁸I is singular.
    check_smooth_kernel::<f32>(&PROCESSES[..2]);
}

/// Decision values of the C-SVC with C = 10⁴ and the same kernel, at the same new points. The classes
/// are the signs of y, except that two samples are on the other side: coefficients go up to 1028.
// The digits are as they were printed.
#[allow(clippy::unreadable_literal)]
#[rustfmt::skip]
const DECISIONS: [f64; 9] = [6.372872046438136, 6.375772161037482, 9.217057658025464, 8.531298897732562, 0.3527736090500054, 1.8226380094498076, 17.85200813403079, 6.615910038173651, 6.372903300540614];

fn check_large_penalty<F: Scalar>() {
    let (x, y, new) = line();
    let mut sides = y.mapv(|v| v > 0.0);
    for strange in [12, 20] {
        sides[strange] = !sides[strange];
    }
    let kernel = Gaussian::from_length_scale(F::cast(1.2)).scaled(F::cast(1.5));
    let (rows, new_rows) = (
        Rows::new(cast::<F>(&x)).unwrap(),
        Rows::new(cast::<F>(&new)).unwrap(),
    );
    let off = |found: &Array1<f64>| largest(found - &Array1::from(DECISIONS.to_vec()));
    // The formula is computed from kernel values in the precision F.
    let k = centering::gram(&kernel, &rows);
    let (signed, bias) = svc::dual(k.view(), sides.as_slice().unwrap(), 1e4, 1e-11);
    let by_formula = centering::cross(&kernel, &new_rows, &rows).dot(&signed) + bias;

    let data = DatasetBase::new(cast::<F>(&x), sides);
    let params = KernelSvc::params(kernel).method(|m| m.c(1e4).tolerance(1e-13));
    let model = params.fit(&data).unwrap();
    let found: Array1<F> = model.transform(cast::<F>(&new));
    let (found, allowed) = (off(&found.mapv(F::as_f64)), FACTOR * off(&by_formula));
    assert!(found <= allowed, "{found:e} > {allowed:e}");
}

#[test]
fn support_vectors_of_a_smooth_kernel_and_a_large_penalty() {
    check_large_penalty::<f64>();
    check_large_penalty::<f32>();
}

/// Eigenvalues of kernel PCA, and scores without their signs: six components of the Gaussian with
/// γ = ½ on n equally spaced points from −1 to 1, at −0.97, 0.13, 0.5, 1.5 and −3.
// The digits are as they were printed.
#[allow(clippy::unreadable_literal)]
#[rustfmt::skip]
const COMPONENTS: [(usize, [(f64, [f64; 5]); 6]); 2] = [
    (60, [
        (12.138655854393768, [0.6436255873439005, 0.12587948095809037, 0.44019218635078944, 0.5809688398179403, 0.06926838468944521]),
        (2.196482833255994, [0.3363428747818638, 0.22095515392399967, 0.04179809994859081, 0.6504921647355728, 0.5043210630102085]),
        (0.14944663003876513, [0.09781149015787066, 0.027687901430954204, 0.05445530011330448, 0.3707671284333657, 0.17920363232124148]),
        (0.01173618098354748, [0.025716223934109095, 0.012847128814109285, 0.013764602863182518, 0.27153746719357624, 0.49633435882691945]),
        (0.000509965800734687, [0.004600616354024024, 0.0023031507518729193, 0.00034148679634905853, 0.1349127127617392, 0.29864871518452135]),
        (2.5067184846535433e-05, [0.0007256137147962815, 0.00046115469464907385, 0.0007194669173451129, 0.07811780991486723, 0.5031813164367951]),
    ]),
    (300, [
        (59.80748885792593, [0.6431052855198938, 0.12602126243078435, 0.4404699094492358, 0.5789791076812828, 0.0682200405107542]),
        (10.581453279223853, [0.34115553834913437, 0.21606778788691594, 0.036775242926701056, 0.6540028166887116, 0.5065479543157698]),
        (0.7003283886994687, [0.10113589946822314, 0.027044300187370005, 0.05216202149956383, 0.3730044625084522, 0.17776388882501007]),
        (0.05376866610527058, [0.02797629356823496, 0.012220160653661393, 0.013466974551915575, 0.2749929825811195, 0.49660046600900704]),
        (0.0022843749180268052, [0.005409123361774589, 0.0021947680006252136, 0.00020168198257068695, 0.13705754822095603, 0.29761735704298053]),
        (0.00011025906718608566, [0.0009963269563392698, 0.00042630449616477806, 0.0006611629730668011, 0.07974078850454508, 0.50360105631759]),
    ]),
];

/// Components are as accurate as the textbook formula by both roads. With the eigenvectors u of a matrix whose entries are known
/// to ε, λ^-½uᵀk is known to ελ₁/λ.
#[test]
fn components_of_a_smooth_kernel() {
    let new = array![[-0.97], [0.13], [0.5], [1.5], [-3.0]];
    let kernel = Gaussian::new(0.5);
    for (n, components) in COMPONENTS {
        let x = Array2::from_shape_fn((n, 1), |(i, _)| 2.0 * i as f64 / (n - 1) as f64 - 1.0);
        let model = Kpca::params(6, kernel)
            .fit(&DatasetBase::from(x.clone()))
            .unwrap();
        let by_products: Array2<f64> = model.transform(new.clone());
        let space = Exact::new(kernel)
            .rank(Rank::Components(6))
            .fit_space(&x)
            .unwrap();
        let by_coordinates = space.coordinates(&new).unwrap();
        let largest = components[0].0;
        for (k, (value, scores)) in components.iter().enumerate() {
            let known = f64::EPSILON * largest / value;
            assert!((space.eigenvalues()[k] - value).abs() <= 32.0 * f64::EPSILON * largest);
            for (i, &score) in scores.iter().enumerate() {
                for found in [by_products[[i, k]], by_coordinates[[i, k]]] {
                    let off = (found.abs() - score).abs();
                    assert!(
                        off <= FACTOR * known,
                        "{n} points, {k}, {i}: {off:e} > {known:e}"
                    );
                }
            }
        }
    }
}
