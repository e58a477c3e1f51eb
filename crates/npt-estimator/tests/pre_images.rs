//! Pre-images by name: every way equals the typed one, is kept in files, and is refused where there are no pre-images.

use super::{labels, matrix};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array2, array};
use npt_core::{ExactSpace, Gaussian, NamedKernel, Pivoting, Rows};
use npt_estimator::{Ability, Data, Error, Estimator, Model};
use npt_methods::{
    Kpca,
    pre_image::{
        DistanceConstraints, FixedPoint, NearestSample, PreImage, PreImageExt, PreImageRidge,
        PrincipalSubspace,
    },
    preprocessing::StandardScaler,
};

type Named = NamedKernel<Rows<f64>, f64>;
type Subspace = PrincipalSubspace<ExactSpace<Rows<f64>, Named>>;

fn kernel() -> Named {
    NamedKernel::new(Gaussian::new(0.5))
}

fn kpca() -> Estimator {
    Estimator::new("kpca(components = 3)", "gaussian(gamma = 0.5)").unwrap()
}

/// Fits, saves, loads and asks again; returns the inputs that have the components of the samples.
fn inputs(estimator: &Estimator) -> Array2<f64> {
    let data = Data::from(matrix());
    let model = estimator.fit(&data, ()).unwrap();
    assert!(model.has(Ability::InverseTransform));
    let components = model.transform(&data).unwrap();
    let inputs = model.inverse_transform(&components).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    model.save(file.path()).unwrap();
    let loaded = Model::load(file.path()).unwrap();
    assert_eq!(loaded.estimator(), estimator);
    assert_eq!(loaded.transform(&data).unwrap(), components);
    assert_eq!(loaded.inverse_transform(&components).unwrap(), inputs);
    assert_eq!(loaded.to_string(), model.to_string());
    let reconstructed = model.reconstruct(&data).unwrap();
    assert_eq!(loaded.reconstruct(&data).unwrap(), reconstructed);
    // The two differ in the point where the search for them starts.
    let off = (&reconstructed - &inputs).mapv(f64::abs);
    assert!(off.iter().all(|&off| off < 1e-5), "{off}");
    inputs
}

/// The inputs that the typed method finds, in the space of all samples or of this number of landmarks.
fn typed<Q: PreImage<Subspace>>(pre_image: Q, landmarks: Option<usize>) -> Array2<f64> {
    let data = DatasetBase::from(Rows::new(matrix()).unwrap());
    let kpca = Kpca::params(3, kernel());
    let inputs = |model: npt_methods::pre_image::KpcaDenoiser<_, _>| {
        let components = model.model().try_transform(data.records()).unwrap();
        model
            .inverse_transform::<ndarray::OwnedRepr<f64>>(&components)
            .unwrap()
    };
    match landmarks {
        None => inputs(kpca.pre_image(pre_image).fit(&data).unwrap()),
        Some(count) => {
            let kpca = kpca.space(|exact| exact.with_landmarks(Pivoting::random(count)));
            inputs(kpca.pre_image(pre_image).fit(&data).unwrap())
        }
    }
}

#[test]
fn every_way_finds_what_the_typed_one_does() {
    let names: Vec<&str> = Estimator::pre_images()
        .map(npt_core::catalogue::Heading::name)
        .collect();
    assert_eq!(
        names,
        [
            "fixed_point",
            "distance_constraints",
            "ridge",
            "nearest_sample"
        ]
    );
    let by = |way: &str| inputs(&kpca().pre_image(way).unwrap());
    assert_eq!(
        by("fixed_point(seed = 3)"),
        typed(FixedPoint::new().seed(3), None)
    );
    assert_eq!(
        by("distance_constraints(neighbours = 5)"),
        typed(DistanceConstraints::new().neighbours(5), None)
    );
    assert_eq!(by("nearest_sample"), typed(NearestSample, None));
    assert_eq!(
        by("ridge(alpha = 0.1)"),
        typed(PreImageRidge::new(kernel(), 0.1), None)
    );
    let linear = NamedKernel::new(npt_core::Linear::new());
    assert_eq!(
        by("ridge(alpha = 0.1, kernel = \"linear\")"),
        typed(PreImageRidge::new(linear, 0.1), None)
    );
    let landmarks = kpca().space("nystrom(landmarks = 8)").unwrap();
    assert_eq!(
        inputs(&landmarks.pre_image("fixed_point").unwrap()),
        typed(FixedPoint::new(), Some(8))
    );
}

#[test]
fn a_scaler_in_front_is_inverted() {
    let x = matrix() * &array![1.0, 100.0, 0.01] + &array![0.0, 5.0, -1.0];
    let estimator = kpca().transformer("standard_scaler").unwrap();
    let estimator = estimator.pre_image("fixed_point").unwrap();
    let data = Data::from(x.clone());
    let model = estimator.fit(&data, ()).unwrap();
    let components = model.transform(&data).unwrap();
    let inputs = model.inverse_transform(&components).unwrap();

    let scaler = StandardScaler::params()
        .fit(&DatasetBase::from(x.clone()))
        .unwrap();
    let scaled = linfa::traits::Transformer::transform(&scaler, x);
    let inner = kpca()
        .pre_image("fixed_point")
        .unwrap()
        .fit(&Data::from(scaled), ())
        .unwrap();
    let expected = scaler.inverse_transform(inner.inverse_transform(&components).unwrap());
    assert_eq!(inputs, expected.unwrap());
}

#[test]
fn what_has_no_pre_images_says_so() {
    let data = Data::from(matrix());
    let plain = kpca().fit(&data, ()).unwrap();
    assert!(!plain.has(Ability::InverseTransform));
    let components = plain.transform(&data).unwrap();
    let error = plain.inverse_transform(&components).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kpca has no inverse_transform; it has transform, to_onnx"
    );

    let svc = Estimator::new("svc", "linear")
        .unwrap()
        .pre_image("fixed_point")
        .unwrap();
    let error = svc.fit(&data, labels(2)).unwrap_err();
    assert_eq!(error.to_string(), "fixed_point takes kpca, not svc");

    let ridge = kpca().pre_image("ridge(alpha = 1)").unwrap();
    let features = ridge
        .clone()
        .space("random_fourier(frequencies = 8)")
        .unwrap();
    let error = features.fit(&data, ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ridge takes the spaces exact and nystrom, not random_fourier(frequencies = 8)"
    );
    let imputed = ridge.clone().transformer("imputer").unwrap();
    let model = imputed.fit(&data, ()).unwrap();
    assert!(!model.has(Ability::InverseTransform) && model.has(Ability::Onnx));
    let error = model.inverse_transform(&components).unwrap_err();
    assert_eq!(
        error,
        Error::NoInverse {
            transformer: "imputer"
        }
    );
    assert_eq!(
        error.to_string(),
        "imputer has no inverse; standard_scaler has"
    );

    let model = ridge.fit(&data, ()).unwrap();
    let error = model.inverse_transform(&array![[1.0, 2.0]]).unwrap_err();
    assert!(error.to_string().contains("column"), "{error}");

    let words = ["banana", "ananas", "kernel"].map(str::to_owned);
    let words = Data::new(npt_core::Items::new(words.to_vec()).unwrap());
    let of_words = Estimator::new("kpca(components = 1)", "spectrum(length = 2)").unwrap();
    let error = of_words
        .pre_image("nearest_sample")
        .unwrap()
        .fit(&words, ())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "nearest_sample takes dense vectors, not texts"
    );

    let other = Estimator::new("kpca(components = 1)", "laplacian(gamma = 1)").unwrap();
    let error = other
        .pre_image("fixed_point")
        .unwrap()
        .fit(&data, ())
        .unwrap_err();
    assert!(
        error.to_string().contains("laplacian(gamma = 1)"),
        "{error}"
    );
}

#[test]
fn parameters_of_pre_images_have_names_and_ranges() {
    let ridge = kpca().pre_image("ridge(alpha = 1)").unwrap();
    let changed = ridge.clone().with("pre_image.alpha", 0.1).unwrap();
    assert_eq!(changed, kpca().pre_image("ridge(alpha = 0.1)").unwrap());
    assert_eq!(
        changed.to_string(),
        "kpca(components = 3) in exact of gaussian(gamma = 0.5), pre-images by ridge(alpha = 0.1)"
    );
    let text = |way: &str| kpca().pre_image(way).unwrap_err().to_string();
    assert!(text("ridge").contains("alpha"), "{}", text("ridge"));
    assert!(
        text("ridge(alpha = -1)").contains("-1"),
        "{}",
        text("ridge(alpha = -1)")
    );
    let kernel = text("ridge(alpha = 1, kernel = \"gausian(gamma = 1)\")");
    assert!(kernel.contains("gaussian"), "{kernel}");
    assert!(
        text("fixpoint").contains("fixed_point"),
        "{}",
        text("fixpoint")
    );
    let missing = kpca().with("pre_image.alpha", 0.1).unwrap_err().to_string();
    assert!(missing.contains("pre_image.alpha"), "{missing}");
    let json = serde_json::to_string(&changed).unwrap();
    assert_eq!(serde_json::from_str::<Estimator>(&json).unwrap(), changed);
    assert!(
        !serde_json::to_string(&kpca())
            .unwrap()
            .contains("pre_image")
    );
}
