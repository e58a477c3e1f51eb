//! Tests of the learned map.

use super::waves;
use approx::assert_abs_diff_eq;
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array2, Axis, array, s};
use npt_core::{Gaussian, Kernel, Linear, Polynomial, Rows};
use npt_methods::{
    Kpca,
    pre_image::{PreImageExt, PreImageRidge},
};

/// The values are those of scikit-learn 1.9.1 on samples of mean 0 (it loses the mean):
/// `KernelPCA(n_components=3, kernel=…, fit_inverse_transform=True, alpha=0.1).fit(x)`, then
/// `inverse_transform(transform(new))`.
#[test]
fn ridge_is_that_of_scikit_learn() {
    fn check<K>(kernel: K, expected: &Array2<f64>)
    where
        K: Kernel<Rows<f64>, Scalar = f64> + Copy,
    {
        let mut x = waves(12, 3);
        let mean = x.mean_axis(Axis(0)).unwrap();
        x -= &mean;
        let new = waves(15, 3).slice_move(s![12.., ..]);
        let data = DatasetBase::from(x.clone());
        let kpca = Kpca::params(3, kernel).pre_image(PreImageRidge::new(kernel, 0.1));
        let found = kpca.fit(&data).unwrap().denoise(&new).unwrap();
        assert_abs_diff_eq!(found, *expected, epsilon = 1e-12);
        // The mean comes back: the same samples elsewhere have the same pre-images there.
        let ridge = PreImageRidge::new(Linear::new(), 0.1);
        let kpca = Kpca::params(3, Linear::new()).pre_image(ridge);
        let model = kpca.fit(&DatasetBase::from(&x + 5.0)).unwrap();
        let there = model.denoise(&(&new + 5.0)).unwrap();
        let here = kpca.fit(&data).unwrap().denoise(&new).unwrap();
        assert_abs_diff_eq!(there, here + 5.0, epsilon = 1e-12);
    }
    check(
        Linear::new(),
        &array![
            [
                -0.975_351_170_739_092,
                0.650_960_039_603_233,
                0.239_850_660_398_470
            ],
            [
                0.946_118_756_902_045,
                -0.158_397_920_313_554,
                -0.978_815_186_148_138
            ],
            [
                -0.900_069_074_417_410,
                -0.377_071_468_122_239,
                0.358_886_613_128_205
            ],
        ],
    );
    let scores = array![
        [
            -0.864_303_594_455_213,
            0.589_693_936_809_222,
            0.174_389_030_178_054
        ],
        [
            0.700_814_963_685_417,
            -0.137_306_281_363_790,
            -0.663_848_115_851_204
        ],
        [
            -0.911_007_393_280_309,
            -0.352_398_111_427_838,
            0.356_335_457_936_387
        ],
    ];
    check(Gaussian::new(0.4), &scores);
    let scores = array![
        [
            -0.955_394_151_586_564,
            0.640_450_036_815_147,
            0.248_738_429_391_896
        ],
        [
            0.919_733_461_901_595,
            -0.147_023_642_073_095,
            -0.946_038_420_639_744
        ],
        [
            -0.904_411_274_480_102,
            -0.390_943_638_282_258,
            0.353_358_994_074_659
        ],
    ];
    check(Polynomial::new(2, 0.5, 1.0), &scores);
}
