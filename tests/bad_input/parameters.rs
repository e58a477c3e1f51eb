use super::{AXES, assert_parameter, fit, fit_rank};
use npt::{Error, prelude::*};
use npt_testkit::data;

#[test]
fn gamma_out_of_range() {
    let x = data::normal(4, 2, 1);
    for gamma in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_parameter(fit(Gaussian::new(gamma), &x), "Gaussian", "gamma", gamma);
        assert_parameter(fit(Laplacian::new(gamma), &x), "Laplacian", "gamma", gamma);
        assert_parameter(
            fit(Polynomial::new(2, gamma, 1.0), &x),
            "Polynomial",
            "gamma",
            gamma,
        );
        assert_parameter(fit(Sigmoid::new(gamma, 1.0), &x), "Sigmoid", "gamma", gamma);
        let scaled = Linear::new().scaled(gamma);
        assert_parameter(fit(scaled, &x), "Scaled", "factor", gamma);
        let inside = Linear::new() + Gaussian::new(gamma) * Linear::new();
        assert_parameter(fit(inside, &x), "Gaussian", "gamma", gamma);
    }
}

/// The constructors by other conventions of width pass values on that are out of range, and the fit refuses them.
#[test]
fn width_out_of_range() {
    let x = data::normal(4, 2, 1);
    assert_parameter(
        fit(Gaussian::from_linfa_eps(-2.0), &x),
        "Gaussian",
        "gamma",
        -0.5,
    );
    assert_parameter(
        fit(Gaussian::from_linfa_eps(0.0), &x),
        "Gaussian",
        "gamma",
        f64::INFINITY,
    );
    let flat = Gaussian::from_length_scale(f64::INFINITY);
    assert_parameter(fit(flat, &x), "Gaussian", "gamma", 0.0);
}

#[test]
fn constant_out_of_range() {
    let x = data::normal(4, 2, 1);
    for c in [f64::NAN, f64::INFINITY] {
        assert_parameter(
            fit(Polynomial::new(2, 1.0, c), &x),
            "Polynomial",
            "constant",
            c,
        );
        assert_parameter(fit(Sigmoid::new(1.0, c), &x), "Sigmoid", "constant", c);
    }
}

#[test]
fn degree_zero() {
    let result = fit(Polynomial::new(0, 1.0, 1.0), &data::normal(4, 2, 1));
    assert_parameter(result, "Polynomial", "degree", 0.0);
}

#[test]
fn components_out_of_range() {
    let x = data::low_rank(9, 5, 2, 1);
    for axes in AXES {
        assert_parameter(
            fit_rank(Rank::Components(0), axes, &x),
            "Rank",
            "components",
            0.0,
        );
        // The requested ranks are more than centred samples can span, and more than there are dimensions.
        for requested in [9, 10] {
            let error = Error::Rank {
                requested,
                available: 8,
            };
            assert_eq!(
                fit_rank(Rank::Components(requested), axes, &x),
                Err(error),
                "{axes:?}"
            );
        }
        for requested in [3, 8] {
            let error = Error::Rank {
                requested,
                available: 2,
            };
            assert_eq!(
                fit_rank(Rank::Components(requested), axes, &x),
                Err(error),
                "{axes:?}"
            );
        }
        assert_eq!(fit_rank(Rank::Components(2), axes, &x), Ok(2));
    }
}

/// n centred samples have n − 1 dimensions, whatever the axes.
#[test]
fn components_beyond_the_centered_rank() {
    let x = data::normal(6, 2, 1);
    for axes in AXES {
        let exact = Exact::new(Laplacian::new(1.0))
            .axes(axes)
            .rank(Rank::Components(6));
        let error = Error::Rank {
            requested: 6,
            available: 5,
        };
        assert_eq!(exact.fit_space(&x).err(), Some(error), "{axes:?}");
        assert_eq!(
            exact.centered(false).fit_space(&x).map(|s| s.rank()),
            Ok(6),
            "{axes:?}"
        );
    }
}

#[test]
fn tolerance_out_of_range() {
    let x = data::normal(4, 2, 1);
    for axes in AXES {
        for t in [-1e-12, 1.0, 7.0, f64::NAN, f64::INFINITY] {
            assert_parameter(
                fit_rank(Rank::Tolerance(t), axes, &x),
                "Rank",
                "tolerance",
                t,
            );
        }
    }
}

#[test]
fn variance_out_of_range() {
    let x = data::normal(4, 2, 1);
    for axes in AXES {
        for p in [0.0, -0.5, 1.0 + 1e-12, f64::NAN, f64::INFINITY] {
            assert_parameter(fit_rank(Rank::Variance(p), axes, &x), "Rank", "variance", p);
        }
        assert_eq!(fit_rank(Rank::Variance(1.0), axes, &x), Ok(2));
    }
}
