use super::case::{Case, Claim, Precision, config, double};
use linfa::DatasetBase;
use ndarray::Array2;
use npt::prelude::*;
use npt_testkit::oracles;
use proptest::prelude::*;

/// The claim in the README's table.
const CLAIM: Claim = Claim {
    f64: 2e-11,
    f32: 2e-4,
};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn kpca_is_equations_13_and_14(case in Case::any(2)) {
        oracle_solves_equation_13(&case);
        check::<f64>(&case);
        check::<f32>(&case);
    }
}

fn oracle_solves_equation_13(case: &Case) {
    let components = case.rank();
    let (values, alpha) = oracles::kpca::axes(case.k.view(), components);
    let lengths = alpha.t().dot(&case.k.dot(&alpha));
    CLAIM.assert_close(&case.name, &case.k.dot(&alpha), &(&alpha * &values));
    CLAIM.assert_close(&case.name, &lengths, &Array2::eye(components));
}

fn check<F: Precision>(case: &Case) {
    let eigenvalues = case.eigenvalues();
    let apart = |i: usize| {
        i < eigenvalues.len() && eigenvalues[i - 1] - eigenvalues[i] > F::GAP * eigenvalues[0]
    };
    // There are up to ten components, and the last of them is not part of a cluster.
    let Some(components) = (1..=10).rev().find(|&i| apart(i)) else {
        return;
    };
    let (values, alpha) = oracles::kpca::axes(case.k.view(), components);
    let data = DatasetBase::from(case.x::<F>());
    let params = Kpca::params(components, F::kernel(case));
    let model = params.fit(&data).unwrap();
    CLAIM.assert_close(&case.name, &model.inner().eigenvalues().to_owned(), &values);
    let ratio = model.inner().explained_variance_ratio();
    CLAIM.assert_close(&case.name, &ratio, &(values / case.k.diag().sum()));

    let scores: Array2<F> = model.transform(case.new_samples());
    let expected = oracles::kpca::scores(case.k.view(), case.k_new.view(), components);
    let longest = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for i in 0..components {
        let clear = oracles::sign_margin(alpha.column(i)) > F::TOLERANCE;
        if clear && apart(i + 1) && (i == 0 || apart(i)) {
            let (found, expected) = (scores.column(i).to_owned(), expected.column(i).to_owned());
            CLAIM.assert_close_on(&case.name, &found, &expected, longest);
        }
    }
    // The axes of a cluster may be rotated, but the space that they span is that of the formula.
    let training = double(&model.transform(case.x::<F>()));
    let products = double(&scores).dot(&training.t()).mapv(F::cast);
    let expected = expected.dot(&case.k.dot(&alpha).t());
    CLAIM.assert_close(&case.name, &products, &expected);
}
