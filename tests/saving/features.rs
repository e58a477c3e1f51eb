//! Models on random features. Files of them had no kernel at first: of each there is one of then, too.

use super::{
    support::{Predicted, Visitor, numbers, values, x, x_new},
    visitors::{Kept, golden},
};
use npt::{
    Fitted, FourierMap, SketchMap, Space,
    model_file::{Contents, from_bytes, load, to_bytes},
    prelude::*,
};
use npt_testkit::data;
use serde::{Serialize, de::DeserializeOwned};

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

pub(crate) fn each(visitor: &mut impl Visitor) {
    spaces(visitor);
    gaussian_process(visitor);
}

/// Shows a model by its name, and by that of its file without a kernel.
fn now_and_then<M: Serialize + DeserializeOwned + Send + Sync>(
    visitor: &mut impl Visitor,
    name: &str,
    fit: impl Fn() -> M,
    predict: impl Fn(&M) -> Predicted,
) {
    visitor.model(name, &fit, &predict);
    visitor.model(&format!("{name}_without_kernel"), fit, predict);
}

fn spaces(visitor: &mut impl Visitor) {
    macro_rules! space {
        ($name:literal, $builder:expr) => {
            now_and_then(
                visitor,
                $name,
                || $builder.fit_space(&x()).unwrap(),
                |fitted| {
                    let (coordinates, residuals) = fitted.coordinates_and_residuals(&x_new())?;
                    let eigenvalues = fitted.eigenvalues().to_owned();
                    Ok([
                        numbers(coordinates),
                        numbers(residuals),
                        numbers(eigenvalues),
                    ]
                    .concat())
                },
            );
        };
    }
    space!("random_fourier", RandomFourier::new(kernel(), 16));
    space!(
        "random_fourier_structured",
        RandomFourier::new(kernel(), 16).structured(true)
    );
    space!(
        "tensor_sketch",
        TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 16)
    );
    // Fast transforms take the place of frequencies from 64 features on.
    let wide = |rows, seed| data::normal(rows, 64, seed);
    now_and_then(
        visitor,
        "random_fourier_of_many_features",
        || {
            let builder = RandomFourier::new(Gaussian::new(0.01), 16).structured(true);
            builder.fit_space(&wide(x().nrows(), 1)).unwrap()
        },
        |fitted| Ok(numbers(fitted.coordinates(&wide(3, 2))?)),
    );
}

fn gaussian_process(visitor: &mut impl Visitor) {
    now_and_then(
        visitor,
        "gaussian_process_on_features",
        || {
            let params = GaussianProcess::params(kernel()).noise(0.1);
            let features = RandomFourier::new(kernel(), 12).centered(false);
            let params = params.space(|_| features).by_coordinates();
            params.fit(&values()).unwrap()
        },
        |m| {
            let (means, variances) = m.predict_with_variance(&x_new())?;
            Ok([means, variances].map(numbers).concat())
        },
    );
}

type OnWaves<K> = Fitted<Space<FourierMap<K, f64>, f64>>;
type OnSketches = Fitted<Space<SketchMap<f64>, f64>>;

#[test]
fn a_file_says_what_features_were_drawn_for() {
    let laplacian = Laplacian::new(0.5);
    let waves = RandomFourier::new(laplacian, 4).fit_space(&x()).unwrap();
    let file = to_bytes(&waves).unwrap();
    let contents = Contents::from_bytes(&file).unwrap();
    let kernel = contents.kernel().unwrap();
    assert_eq!(kernel.name(), Some("Laplacian"));
    assert_eq!(kernel.get("gamma").unwrap().number(), Some(0.5));
    let again: OnWaves<Laplacian<f64>> = from_bytes(&file).unwrap();
    assert_eq!(again.space().raw_map().kernel(), Some(&laplacian));
    // Frequencies of another kernel are not those of a Gaussian one.
    assert!(from_bytes::<OnWaves<Gaussian<f64>>>(&file).is_err());

    let polynomial = Polynomial::new(3, 0.5, 1.0);
    let sketches = TensorSketch::new(polynomial, 8).fit_space(&x()).unwrap();
    let file = to_bytes(&sketches).unwrap();
    let contents = Contents::from_bytes(&file).unwrap();
    let kernel = contents.kernel().unwrap();
    assert_eq!(kernel.name(), Some("Polynomial"));
    assert_eq!(kernel.get("degree").unwrap().number(), Some(3.0));
    let again: OnSketches = from_bytes(&file).unwrap();
    assert_eq!(again.space().raw_map().kernel(), &polynomial);
}

#[test]
fn files_without_a_kernel_are_written_again_as_they_were() {
    let waves: Kept<OnWaves<Gaussian<f64>>> =
        load(golden("random_fourier_without_kernel")).unwrap();
    assert_eq!(waves.model.space().raw_map().kernel(), None);
    let file = to_bytes(&waves.model).unwrap();
    assert_eq!(Contents::from_bytes(&file).unwrap().kernel(), None);
    let again: OnWaves<Gaussian<f64>> = from_bytes(&file).unwrap();
    assert_eq!(again.space().raw_map(), waves.model.space().raw_map());

    // γ, the constant and as many hashes as the degree: the kernel was there, if not by its name.
    let sketches: Kept<OnSketches> = load(golden("tensor_sketch_without_kernel")).unwrap();
    let kernel = sketches.model.space().raw_map().kernel();
    assert_eq!(kernel, &Polynomial::new(2, 0.5, 1.0));
}

#[test]
fn parts_of_sketches_that_disagree_are_refused() {
    let sketches = TensorSketch::new(Polynomial::new(3, 0.5, 1.0), 8);
    let sketches = sketches.fit_space(&x()).unwrap();
    let map = serde_json::to_value(sketches.space().raw_map()).unwrap();
    let refusal = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut map = map.clone();
        change(&mut map);
        let read = serde_json::from_value::<SketchMap<f64>>(map);
        read.expect_err("was refused").to_string()
    };
    let fewer = |map: &mut serde_json::Value| map["kernel"]["degree"] = 2.into();
    assert_eq!(refusal(&fewer), "there are 3 hashes for 2 factors");
    let both = |map: &mut serde_json::Value| map["gamma"] = 0.5.into();
    let neither = |map: &mut serde_json::Value| _ = map.as_object_mut().unwrap().remove("kernel");
    for change in [&both as &dyn Fn(&mut serde_json::Value), &neither] {
        let wanted = "a sketch has a kernel, or a gamma and a constant, and not both";
        assert_eq!(refusal(change), wanted);
    }
}
