//! Functions that tell sources from Gaussian noise.

use npt_core::Scalar;

/// The function G whose mean tells sources from Gaussian noise, and its derivative g.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Contrast {
    /// G = log cosh s, g = tanh s: for any sources.
    #[default]
    LogCosh,
    /// G = −exp(−s²/2), g = s·exp(−s²/2): for sparse sources, and little moved by outliers.
    Exp,
    /// G = s⁴/4, g = s³: kurtosis. Fast, but a single outlier decides.
    Cube,
}

npt_core::words_of_parameter!(Contrast {
    LogCosh: "log_cosh",
    Exp: "exp",
    Cube: "cube"
});

impl Contrast {
    /// Returns G, g and g′ at s.
    pub(super) fn at<F: Scalar>(self, s: F) -> (F, F, F) {
        match self {
            Self::LogCosh => {
                let (g, magnitude) = (s.tanh(), s.abs());
                // cosh itself overflows.
                let tail = (F::cast(-2) * magnitude).exp().ln_1p();
                (magnitude + tail - F::cast(2).ln(), g, F::one() - g * g)
            }
            Self::Exp => {
                let bell = (-s * s / F::cast(2)).exp();
                (-bell, s * bell, (F::one() - s * s) * bell)
            }
            Self::Cube => {
                let square = s * s;
                (
                    square * square / F::cast(4),
                    square * s,
                    F::cast(3) * square,
                )
            }
        }
    }

    /// Returns the mean of G over a standard normal variable.
    pub(super) fn of_gaussian<F: Scalar>(self) -> F {
        F::cast(match self {
            // By numerical integration.
            Self::LogCosh => 0.374_567_207_491_438,
            Self::Exp => -std::f64::consts::FRAC_1_SQRT_2,
            Self::Cube => 0.75,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    const ALL: [Contrast; 3] = [Contrast::LogCosh, Contrast::Exp, Contrast::Cube];

    #[test]
    fn derivatives() {
        const STEP: f64 = 1e-5;
        for contrast in ALL {
            for s in [-3.0, -0.4, 0.0, 0.7, 2.0] {
                let (below, above) = (contrast.at(s - STEP), contrast.at(s + STEP));
                let (_, g, slope) = contrast.at(s);
                assert_abs_diff_eq!((above.0 - below.0) / (2.0 * STEP), g, epsilon = 1e-8);
                assert_abs_diff_eq!((above.1 - below.1) / (2.0 * STEP), slope, epsilon = 1e-8);
            }
            assert!(contrast.at(1e6_f64).0.is_finite());
        }
        assert_abs_diff_eq!(Contrast::LogCosh.at(2.0_f64).0, 2.0_f64.cosh().ln());
    }

    /// The means agree with the trapezoidal rule, which is exact to rounding for such functions.
    #[test]
    fn means_of_a_gaussian() {
        for contrast in ALL {
            let sum: f64 = (-2000..=2000)
                .map(|i| f64::from(i) * 0.01)
                .map(|s| contrast.at(s).0 * (-s * s / 2.0).exp())
                .sum();
            let mean = 0.01 * sum / std::f64::consts::TAU.sqrt();
            assert_abs_diff_eq!(mean, contrast.of_gaussian::<f64>(), epsilon = 1e-14);
        }
    }
}
