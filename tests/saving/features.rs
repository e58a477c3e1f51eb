//! Models on random features that are saved.

use super::{
    support::{Visitor, in_space, numbers, unlabelled, values, x, x_new},
    visitors::golden,
};
use npt::{
    Fitted, FourierMap, SketchMap, Space, SpectralMeasure,
    methods::pre_image::{PreImageExt, PreImageRidge},
    model_file::{Contents, Item, from_bytes, to_bytes},
    prelude::*,
};
use npt_testkit::data;
use rand::RngCore;

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

pub(crate) fn each(visitor: &mut impl Visitor) {
    spaces(visitor);
    other_kernels(visitor);
    gaussian_process(visitor);
}

fn spaces(visitor: &mut impl Visitor) {
    macro_rules! space {
        ($name:literal, $builder:expr) => {
            visitor.model(
                $name,
                || $builder.fit_space(&x()).unwrap(),
                |fitted| in_space(fitted, &x_new()),
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
    // From 64 features on, fast transforms take the place of frequencies.
    let wide = |rows, seed| data::normal(rows, 64, seed);
    visitor.model(
        "random_fourier_of_many_features",
        || {
            let builder = RandomFourier::new(Gaussian::new(0.01), 16).structured(true);
            builder.fit_space(&wide(x().nrows(), 1)).unwrap()
        },
        |fitted| Ok(numbers(fitted.coordinates(&wide(3, 2))?)),
    );
}

fn other_kernels(visitor: &mut impl Visitor) {
    let scaled = || LengthScales::new(Laplacian::new(0.5), vec![1.0, 2.0, 0.5]);
    visitor.model(
        "random_fourier_of_length_scales",
        || RandomFourier::new(scaled(), 8).fit_space(&x()).unwrap(),
        |fitted| Ok(numbers(fitted.coordinates(&x_new())?)),
    );
    visitor.model(
        "kpca_on_features_with_ridge",
        || {
            let laplacian = Laplacian::new(0.5);
            let kpca = Kpca::params(3, laplacian).space(|_| RandomFourier::new(laplacian, 8));
            let pre_image = PreImageRidge::new(kernel(), 0.1);
            kpca.pre_image(pre_image).fit(&unlabelled()).unwrap()
        },
        |m| Ok(numbers(m.denoise(&x_new())?)),
    );
}

fn gaussian_process(visitor: &mut impl Visitor) {
    visitor.model(
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

fn kernel_of(file: &[u8]) -> Option<Item> {
    Contents::from_bytes(file).unwrap().kernel().cloned()
}

#[test]
fn a_file_says_what_features_were_drawn_for() {
    let laplacian = Laplacian::new(0.5);
    let waves = RandomFourier::new(laplacian, 4).fit_space(&x()).unwrap();
    let file = to_bytes(&waves).unwrap();
    let said = kernel_of(&file).unwrap();
    assert_eq!(said.name(), Some("laplacian"));
    assert_eq!(said.get("gamma").unwrap().number(), Some(0.5));
    let again: OnWaves<Laplacian<f64>> = from_bytes(&file).unwrap();
    assert_eq!(again.space().raw_map().kernel(), &laplacian);
    // The frequencies of another kernel are not those of a Gaussian one.
    assert!(from_bytes::<OnWaves<Gaussian<f64>>>(&file).is_err());

    let polynomial = Polynomial::new(3, 0.5, 1.0);
    let sketches = TensorSketch::new(polynomial, 8).fit_space(&x()).unwrap();
    let file = to_bytes(&sketches).unwrap();
    let said = kernel_of(&file).unwrap();
    assert_eq!(said.name(), Some("polynomial"));
    assert_eq!(said.get("degree").unwrap().number(), Some(3.0));
    let again: OnSketches = from_bytes(&file).unwrap();
    assert_eq!(again.space().raw_map().kernel(), polynomial);
}

/// The kernel of a model is that of its space, although its method of pre-images has a Gaussian kernel, nearer in the file.
#[test]
fn the_kernel_of_a_model_is_that_of_its_space() {
    let contents = Contents::load(golden("kpca_on_features_with_ridge")).unwrap();
    assert_eq!(contents.kernel().unwrap().name(), Some("laplacian"));
}

#[test]
fn a_sketch_of_another_kernel_is_refused() {
    let sketches = TensorSketch::new(Polynomial::new(3, 0.5, 1.0), 8);
    let sketches = sketches.fit_space(&x()).unwrap();
    let map = serde_json::to_value(sketches.space().raw_map()).unwrap();
    let read = |name: &str, value: serde_json::Value| {
        let mut map = map.clone();
        *map.pointer_mut(name).unwrap() = value;
        serde_json::from_value::<SketchMap<f64>>(map)
    };
    assert!(read("/kernel/degree", 3.into()).is_ok());
    let error = read("/kernel/degree", 2.into()).unwrap_err();
    assert_eq!(error.to_string(), "there are 3 hashes for 2 factors");
    let of_nothing = read("/kernel", serde_json::Value::Null);
    assert!(of_nothing.is_err());
}

/// A user's own kernel, with no `Clone`, no `Debug`, and nothing of serde.
struct Own;

impl Kernel<Rows<f64>> for Own {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        Gaussian::new(0.5).eval(a, b)
    }

    fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
        Some(Box::new(self))
    }
}

impl SpectralMeasure for Own {
    fn draw_deviations(&self, _: &mut dyn RngCore, deviations: &mut [f64]) {
        deviations.fill(1.0);
    }
}

#[test]
fn features_of_a_kernel_that_cannot_be_kept() {
    let waves = RandomFourier::new(Own, 4).fit_space(&x()).unwrap();
    let map = waves.space().raw_map().clone();
    assert!(map.kernel().describe().parameters.is_empty());
    assert!(format!("{map:?}").starts_with("FourierMap { frequencies: "));
}
