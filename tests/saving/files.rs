//! Tests what a user sees of a file.

use super::support::{sides, x, x_new};
use npt::{
    linfa::{Dataset, DatasetBase},
    methods::{
        pre_image::FixedPoint,
        streaming::{CoordinateMoments, Moments},
    },
    model_file::{Contents, Error, from_bytes, load, save, to_bytes},
    prelude::*,
};
use npt_testkit::data;

type Svc<K> = npt::ExpansionModel<npt::methods::linear::Svc<f64>, Rows<f64>, K>;

#[test]
fn a_machine_is_as_small_as_its_expansion() {
    let records = data::normal(4000, 10, 3);
    let sides = records.map_axis(ndarray::Axis(1), |row| row[0] * row[1] > 0.0);
    let model = KernelSvc::params(Gaussian::new(0.1))
        .fit(&Dataset::new(records, sides))
        .unwrap();
    let support = model.expansion().samples().view().nrows();
    let own = support * (10 + 1) * size_of::<f64>();
    let file = to_bytes(&model).unwrap().len();
    assert!(support > 500, "{support}");
    assert!((file as f64) < 1.2 * own as f64, "{file} bytes for {own}");
}

#[test]
fn a_file_says_what_is_inside() {
    let scaler = linfa_preprocessing::linear_scaling::LinearScaler::standard();
    let model = Pipeline::new(scaler, KernelSvc::params(Gaussian::new(0.25)));
    let data = sides().with_feature_names(vec!["length", "width", "height"]);
    let bytes = to_bytes(&model.fit(&data).unwrap()).unwrap();
    let contents = Contents::from_bytes(&bytes).unwrap();
    assert_eq!(contents.model().name(), Some("PipelineModel"));
    assert_eq!(contents.method().unwrap().name(), Some("Svc"));
    let kernel = contents.kernel().unwrap();
    assert_eq!(kernel.name(), Some("gaussian"));
    assert_eq!(kernel.get("gamma").unwrap().number(), Some(0.25));
    assert_eq!(contents.samples().unwrap().name(), Some("Rows"));
    assert_eq!(contents.columns().unwrap(), data.feature_names());
    let again: npt::PipelineModel<
        linfa_preprocessing::linear_scaling::LinearScaler<f64>,
        Svc<Gaussian<f64>>,
    > = from_bytes(&bytes).unwrap();
    assert_eq!(again.feature_names(), data.feature_names());

    let kernelized = KernelRidge::params(Linear::new()).by_coordinates();
    let targets = data.records.column(0).to_owned();
    let model = kernelized.fit(&data.with_targets(targets)).unwrap();
    let (bytes, expanded) = (to_bytes(&model).unwrap(), model.expand().unwrap());
    let columns = ["length", "width", "height"];
    assert_eq!(
        Contents::from_bytes(&bytes).unwrap().columns().unwrap(),
        columns
    );
    let bytes = to_bytes(&expanded).unwrap();
    assert_eq!(
        Contents::from_bytes(&bytes).unwrap().columns().unwrap(),
        columns
    );
}

/// The names of columns that the file of a model contains.
fn columns<M: serde::Serialize + serde::de::DeserializeOwned>(model: &M) -> Option<Vec<String>> {
    let contents = Contents::from_bytes(&to_bytes(model).unwrap()).unwrap();
    Some(contents.columns()?.into_iter().map(str::to_owned).collect())
}

/// Every model of named columns knows the names, also models that are not made of a linear method.
#[test]
fn every_model_of_named_columns_knows_them() {
    let names = ["length", "width", "height"];
    let records = sides().records;
    let unnamed = Dataset::new(records.clone(), records.column(0).to_owned());
    let named = unnamed.clone().with_feature_names(names.to_vec());
    macro_rules! check {
        ($params:expr) => {
            let params = $params;
            let model = params.fit(&named).unwrap();
            assert_eq!(model.feature_names(), names);
            assert_eq!(columns(&model).unwrap(), names);
            assert_eq!(model.clone().feature_names(), names);
            let again = from_bytes(&to_bytes(&model).unwrap());
            let mut models = vec![model];
            models.push(again.unwrap());
            assert_eq!(models[1].feature_names(), names);
            let model = params.fit(&unnamed).unwrap();
            assert!(model.feature_names().is_empty());
            assert_eq!(columns(&model).unwrap(), [""; 0]);
        };
    }
    let kernel = Gaussian::new(0.25);
    check!(GaussianProcess::params(kernel).noise(0.1));
    check!(GaussianProcess::params(kernel).noise(0.1).by_coordinates());
    check!(GaussianProcess::optimized(kernel).noise(0.1));
    check!(NoveltyDetector::params(kernel));
    check!(RobustKpca::params(2, kernel));

    let kpca = Kpca::params(2, kernel).pre_image(FixedPoint::new());
    let kpca = kpca.fit(&named).unwrap();
    assert_eq!(kpca.model().feature_names(), names);
    assert_eq!(columns(&kpca).unwrap(), names);
    let means = KernelKMeans::params(2, kernel).pre_image(FixedPoint::new());
    let means = means.fit(&named).unwrap();
    assert_eq!(means.model().feature_names(), names);
    assert_eq!(columns(&means).unwrap(), names);
}

#[test]
fn another_kernel_is_refused() {
    let bytes = to_bytes(
        &KernelSvc::params(Gaussian::new(0.25))
            .fit(&sides())
            .unwrap(),
    )
    .unwrap();
    let error = from_bytes::<Svc<Laplacian<f64>>>(&bytes).err().unwrap();
    assert_eq!(
        error,
        Error::OtherType {
            at: "expansion.kernel".into(),
            expected: "laplacian".into(),
            found: "gaussian".into()
        }
    );
}

/// Files that were made to look right are refused if their parts disagree.
#[test]
fn parts_that_disagree_are_refused() {
    let json = |text: &str| {
        serde_json::from_str::<npt::Expansion<Rows<f64>, Linear, f64>>(text)
            .err()
            .map(|error| error.to_string())
    };
    let whole = |coefficients: &str, offsets: &str, samples: &str| {
        let array = |dim: &str, data: &str| format!(r#"{{"v":1,"dim":{dim},"data":{data}}}"#);
        let [dim, data] = coefficients.split('|').collect::<Vec<_>>()[..] else {
            unreachable!()
        };
        format!(
            r#"{{"kernel":null,"samples":{{"matrix":{}}},"coefficients":{},"offsets":{}}}"#,
            array(
                samples.split('|').next().unwrap(),
                samples.split('|').nth(1).unwrap()
            ),
            array(dim, data),
            array("[1]", offsets)
        )
    };
    assert_eq!(
        json(&whole(
            "[2,1]|[1.0,2.0]",
            "[0.5]",
            "[2,2]|[1.0,2.0,3.0,4.0]"
        )),
        None
    );
    for (coefficients, offsets, samples, reason) in [
        (
            "[1,1]|[1.0]",
            "[0.5]",
            "[2,2]|[1.0,2.0,3.0,4.0]",
            "there are 1 rows of coefficients for 2 samples",
        ),
        (
            "[2,2]|[1.0,2.0,3.0,4.0]",
            "[0.5]",
            "[2,2]|[1.0,2.0,3.0,4.0]",
            "there are 1 offsets for 2 columns of coefficients",
        ),
        (
            "[2,1]|[1.0,1e999]",
            "[0.5]",
            "[2,2]|[1.0,2.0,3.0,4.0]",
            "number out of range",
        ),
        (
            "[2,1]|[1.0,2.0]",
            "[0.5]",
            "[0,2]|[]",
            "there are no samples",
        ),
    ] {
        let error = json(&whole(coefficients, offsets, samples)).unwrap();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_model_is_saved_beside_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    let model = KernelRidge::params(Gaussian::new(0.25))
        .fit(&DatasetBase::new(x(), x().column(0).to_owned()))
        .unwrap();
    save(&model, &path).unwrap();
    save(&model, &path).unwrap();
    let loaded: npt::ExpansionModel<npt::methods::linear::Ridge<f64>, Rows<f64>, Gaussian<f64>> =
        load(&path).unwrap();
    let (now, then): (ndarray::Array1<f64>, ndarray::Array1<f64>) =
        (loaded.predict(&x_new()), model.predict(&x_new()));
    assert_eq!(now, then);
}

/// A stream goes on from files: space and sums are saved after its first half, and read before the second.
#[test]
fn a_stream_goes_on_from_files() {
    let stream = Dataset::new(
        data::normal(400, 3, 5),
        data::normal(400, 1, 6).column(0).to_owned(),
    );
    let landmarks = Nystrom::new(Gaussian::new(0.3), Pivoting::random(20));
    let (first, second) = stream.clone().split_with_ratio(0.5);
    let space = landmarks.fit_space(first.records()).unwrap().into_parts().0;
    let sums = |space, block: &_| -> Moments {
        let mut sums = CoordinateMoments::new(space).unwrap();
        sums.add(block).unwrap();
        sums.into_moments().unwrap()
    };
    let all = sums(&space, &stream);
    let files = [
        to_bytes(&space).unwrap(),
        to_bytes(&sums(&space, &first)).unwrap(),
    ];

    let space: npt::Space<npt::KernelMap<Rows<f64>, Gaussian<f64>, f64>, f64> =
        from_bytes(&files[0]).unwrap();
    let mut moments: Moments = from_bytes(&files[1]).unwrap();
    moments.merge(&sums(&space, &second)).unwrap();
    let scale = all.scatter().diag().fold(0.0_f64, |most, v| most.max(*v));
    let apart = &moments.scatter() - &all.scatter();
    assert!(apart.iter().all(|d| d.abs() <= 1e-13 * scale), "{apart}");
    let apart = moments.rounding() / all.rounding();
    assert!((0.5..=2.0).contains(&apart), "{apart}");
}
