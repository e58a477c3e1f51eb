//! Tests pre-images in spaces of low rank. [`FixedPoint`] and [`DistanceConstraints`] take points that are sums of φ(xᵢ); points in spaces of
//! random features are not.

use super::*;
use npt::methods::pre_image::{
    DistanceConstraints, FixedPoint, NearestSample, PreImage, PreImageMap, PreImageRidge,
    PrincipalSubspace,
};

/// A kernel so narrow that 60 samples have full rank, far above rounding.
const KERNEL: fn() -> Gaussian<f64> = || Gaussian::new(1.0);

const SAMPLES: usize = 60;

fn of_landmarks(count: usize) -> Nystrom<Gaussian<f64>, Pivoting> {
    Nystrom::new(KERNEL(), Pivoting::random(count))
}

/// The mean of ‖φ(z) − φ(x)‖² = 2 − 2κ(z, x).
fn distance(z: &Array2<f64>, x: &Array2<f64>) -> f64 {
    let squares = (z - x).map_axis(Axis(1), |row| row.dot(&row));
    squares
        .mapv(|squared| 2.0 - 2.0 * (-squared).exp())
        .mean()
        .unwrap()
}

/// The distances of training samples, and of new ones, from the pre-images of their points, on all axes of the space.
fn distances<B, P, Q>(builder: B, pre_image: Q) -> (f64, f64)
where
    B: SpaceBuilder<Rows<f64>, Space = P>,
    P: KernelSpace<Samples = Rows<f64>, Scalar = f64> + Serialize + DeserializeOwned,
    Q: PreImage<PrincipalSubspace<P>>,
    Q::Map: PreImageMap<PrincipalSubspace<P>> + Serialize + DeserializeOwned,
{
    let (x, new) = (data::normal(SAMPLES, 2, 1), data::normal(SAMPLES, 2, 2));
    let rank = builder.fit_space(&x).unwrap().rank();
    let kpca = Kpca::params(rank, KERNEL()).space(|_| builder);
    let model = kpca.pre_image(pre_image).fit(&DatasetBase::from(x.clone()));
    let model = model.unwrap();
    assert_kept("pre-images", &model, |model| model.denoise(&new).unwrap());
    // The pre-images are found from the points alone, without the samples beside them.
    let scores: Array2<f64> = model.transform(x.clone());
    let of_training = model.inverse_transform(&scores).unwrap();
    (
        distance(&of_training, &x),
        distance(&model.denoise(&new).unwrap(), &new),
    )
}

/// Checks pre-images with few, some and all samples as landmarks. With all, the point of a training sample is φ of it, and the sample is the
/// pre-image: φ of the pre-image found is at most `to` off. New samples are met the better, the more landmarks there are.
fn check<P, Q>(name: &str, pre_image: &Q, to: f64)
where
    Nystrom<Gaussian<f64>, Pivoting>: SpaceBuilder<Rows<f64>, Space = P>,
    P: KernelSpace<Samples = Rows<f64>, Scalar = f64> + Serialize + DeserializeOwned,
    Q: PreImage<PrincipalSubspace<P>> + Clone,
    Q::Map: Serialize + DeserializeOwned,
{
    let [few, some, all] =
        [4, 12, SAMPLES].map(|count| distances(of_landmarks(count), pre_image.clone()));
    assert!(all.0 <= to, "{name}: {:e}", all.0);
    assert!(few.0 > 10.0 * to, "{name}: {:e} by few", few.0);
    assert!(
        few.1 > 1.2 * some.1 && some.1 > 1.2 * all.1,
        "{name}: {few:?} {some:?} {all:?}"
    );
}

#[test]
fn landmarks() {
    check("fixed points", &FixedPoint::new(), 1e-10);
    check("distances", &DistanceConstraints::new(), 1e-10);
    let ridge = PreImageRidge::new(Gaussian::new(0.5), 1e-4);
    check("ridge", &ridge, 1e-5);
    check("nearest", &NearestSample, 0.0);
}

#[test]
fn waves() {
    let waves = |count| RandomFourier::new(KERNEL(), count);
    let ridge = PreImageRidge::new(Gaussian::new(0.5), 1e-4);
    let [few, many] = [2, 200].map(|count| distances(waves(count), ridge));
    assert!(many.0 < 1e-5 && few.0 > 0.1, "{few:?} {many:?}");
    assert!(few.1 > 5.0 * many.1, "{few:?} {many:?}");
    let [few, some, many] = [1, 8, 200].map(|count| distances(waves(count), NearestSample));
    assert!(many.0 == 0.0, "{many:?}");
    assert!(
        few.1 > some.1 && some.1 >= many.1,
        "{few:?} {some:?} {many:?}"
    );
    let sketch = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 512);
    assert!(distances(sketch.clone(), NearestSample).0 == 0.0);
    // A polynomial kernel of degree 2 has the inputs among its features, and with so many places no others share theirs.
    let linear = PreImageRidge::new(Linear::new(), 1e-6);
    let (training, new) = distances(sketch, linear);
    assert!(training < 1e-8 && new < 1e-8, "{training:e} {new:e}");
}

/// Prototypes are centroids as inputs: with all samples as landmarks those of the exact space, with some samples near to these.
#[test]
fn prototypes() {
    let x = data::normal(SAMPLES, 2, 1);
    let shifted = Array2::from_shape_fn(x.dim(), |(i, k)| {
        0.3 * x[[i, k]] + if i % 3 == k { 3.0 } else { 0.0 }
    });
    let data = DatasetBase::from(shifted);
    let means = KernelKMeans::params(3, KERNEL());
    let sorted = |prototypes: ndarray::ArrayView2<'_, f64>| {
        let mut rows: Vec<_> = prototypes.outer_iter().map(|row| row.to_vec()).collect();
        rows.sort_by(|a, b| a.partial_cmp(b).unwrap());
        Array2::from_shape_vec(prototypes.dim(), rows.concat()).unwrap()
    };
    let exact = means
        .clone()
        .pre_image(FixedPoint::new())
        .fit(&data)
        .unwrap();
    let exact = sorted(exact.prototypes());
    let off = |count, tolerance: f64| {
        let landmarks = Pivoting::random(count).tolerance(tolerance);
        let means = means.clone().space(|_| Nystrom::new(KERNEL(), landmarks));
        let model = means.pre_image(FixedPoint::new()).fit(&data).unwrap();
        assert_kept("prototypes", &model, |model| model.prototypes().to_owned());
        off(&sorted(model.prototypes()), &exact)
    };
    let [few, some, all] = [off(3, 0.0), off(12, 0.0), off(SAMPLES, 0.0)];
    assert!(
        all < 1e-6 && some < 0.05 && some < few,
        "{few} {some} {all}"
    );

    // Any space of vectors has the pre-images by the nearest sample and by a map.
    let waves = means.space(|_| RandomFourier::new(KERNEL(), 100));
    let nearest = waves.clone().pre_image(NearestSample).fit(&data).unwrap();
    let mut rows = data.records.outer_iter();
    let samples = nearest.prototypes();
    assert!(
        samples
            .outer_iter()
            .all(|z| rows.clone().any(|row| row == z))
            && rows.next().is_some()
    );
    let ridge = waves.pre_image(PreImageRidge::new(Linear::new(), 1e-3));
    let ridge = ridge.fit(&data).unwrap();
    assert!(super::off(&sorted(ridge.prototypes()), &exact) < 0.1);
}
