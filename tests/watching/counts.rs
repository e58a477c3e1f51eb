//! Tests that stages count all of their steps.

use super::{
    onlooker::Turn,
    stages::{classes, kernel, sides, values, x},
};
use ndarray::Array2;
use npt::{
    Kernel,
    methods::{
        Alignment, SvmMkl,
        linear::{CalibratedSvc, Strategy},
        pre_image::{FixedPoint, PreImageMap},
    },
    prelude::*,
};

/// Stages count their steps to the last one; a stage that reports a step before it is made, to the beginning of the last.
#[test]
fn stages_count_their_steps() {
    let turn = Turn::take();
    let distances = FnKernel::new(|a: &[f64], b: &[f64]| (a[0] - b[0]).abs());
    let rows = |samples| Rows::new(x(samples)).unwrap();
    distances.cross(&rows(512), &rows(256));
    Laplacian::new(0.5).cross(&rows(512), &rows(256));
    Anova::new(0.5, 2).cross(&rows(512), &rows(256));
    let letters = |count| npt::Items::new(vec!["ab"; count]).unwrap();
    let _: Array2<f64> = Spectrum::new(1).cross(&letters(512), &letters(256));
    let _: Array2<f64> = Mismatch::new(2, 1, "ab").cross(&letters(512), &letters(256));
    assert_eq!(turn.in_the_end("kernel values", 512), [512; 5]);
    let words = npt::Items::new((0..40).map(|i| "ab".repeat(i)).collect()).unwrap();
    let _: Array2<f64> = Subsequence::new(2, 0.5).gram(&words);
    // There are tiles of 16 words, on the diagonal and on one side of it.
    assert_eq!(turn.in_the_end("kernel values", 6), [6]);

    RandomFourier::new(kernel(), 7).fit_space(&x(30)).unwrap();
    assert_eq!(turn.in_the_end("random frequencies", 7), [6]);
    let space = Exact::new(kernel()).fit_space(&x(300)).unwrap();
    space.coordinates(&x(30)).unwrap();
    assert!(turn.spans().iter().all(|told| told.stage != "coordinates"));
    npt::KernelErrors::of(space.space(), &kernel(), &x(300)).unwrap();
    assert_eq!(turn.in_the_end("errors of kernel values", 300), [256]);

    let points = space.training_coordinates();
    FixedPoint::new().pre_images(space.space(), points).unwrap();
    assert_eq!(turn.in_the_end("pre-images", 300), [300]);

    KernelSvc::params(kernel()).fit(&sides(300)).unwrap();
    let spans = turn.spans();
    let machine = spans.iter().find(|told| told.stage == "support vectors");
    assert!(machine.unwrap().done > Some(0), "{machine:?}");
}

/// Stages count the parts of a method: classes and kernels.
#[test]
fn stages_count_what_a_method_is_made_of() {
    let turn = Turn::take();
    let params = KernelSvc::params(kernel());
    params.fit(&classes(60)).unwrap();
    let rest = params.method(|svc| svc.strategy(Strategy::OneAgainstRest));
    rest.fit(&classes(60)).unwrap();
    assert_eq!(turn.in_the_end("machines", 3), [3, 2]);
    CalibratedSvc::params().folds(2).fit(&classes(60)).unwrap();
    assert_eq!(turn.in_the_end("sigmoids", 3), [3]);

    let kernels = [0.1, 0.5, 2.0, 5.0].map(Gaussian::new).to_vec();
    for alignment in [
        Alignment::joint(kernels.clone()),
        Alignment::independent(kernels.clone()),
    ] {
        alignment.fit_values(&values(60)).unwrap();
    }
    SvmMkl::new(kernels).fit_classes(&sides(60)).unwrap();
    assert_eq!(turn.in_the_end("kernel matrices", 4), [3, 3, 3]);
    assert_eq!(turn.in_the_end("alignment", 4), [3, 3]);
}

/// Model files count their bytes: those of the file, four of which are its checksum, or those of the model.
#[test]
fn model_files_count_their_bytes() {
    let turn = Turn::take();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    npt::model_file::save(&x(50_000), &path).unwrap();
    npt::model_file::load::<Array2<f64>>(&path).unwrap();
    let of_stage = |stage: &str| {
        let spans = turn.spans().into_iter();
        let of_stage = spans.filter(|told| told.stage == stage);
        of_stage
            .map(|told| (told.done.unwrap(), told.total))
            .collect::<Vec<_>>()
    };
    let file = path.metadata().unwrap().len();
    let head = 8 + 4 + 8 + 1 + env!("CARGO_PKG_VERSION").len() as u64;
    let (all, covered, model) = (Some(file), Some(file - 4), Some(file - 4 - head));
    assert_eq!(of_stage("serialization"), [(file - 4, None)]);
    assert_eq!(of_stage("deserialization"), [(file - 4 - head, model); 2]);
    assert_eq!(of_stage("checksum"), [(file - 4, covered); 2]);
    assert_eq!(of_stage("save"), [(file, all)]);
    assert_eq!(of_stage("load"), [(file, all)]);
}

/// Large matrices count their tiles of 256 rows and columns. A stage is not worth it for less than 2²⁴ numbers.
#[test]
fn large_matrices_count_their_tiles() {
    let turn = Turn::take();
    let rows = |samples| Rows::new(npt_testkit::data::normal(samples, 1, 1)).unwrap();
    let fill = |samples| {
        kernel().gram(&rows(samples));
        kernel().cross(&rows(samples), &rows(4096));
    };
    fill(4095);
    assert_eq!(turn.spans().len(), 0);
    fill(4096);
    let counts: Vec<_> = turn.spans().into_iter().map(|told| told.done).collect();
    assert_eq!(counts, [Some(16 * 17 / 2), Some(16 * 16)]);
}

/// Large solves count their right sides. A stage is not worth it for less than 2³³ multiplications. Without faer they would take many seconds.
#[cfg(feature = "faer")]
#[test]
fn large_solves_count_their_right_sides() {
    let turn = Turn::take();
    let l = Array2::<f64>::eye(4096);
    for columns in [1023, 1024] {
        npt::linalg::solve_lower(l.view(), Array2::zeros((4096, columns)).view());
    }
    let spans = turn.spans().into_iter();
    let counts: Vec<_> = spans.map(|told| (told.done, told.total)).collect();
    assert_eq!(counts, [(Some(1024), Some(1024))]);
}

/// Factors by panels count their rows, 128 a panel.
#[cfg(feature = "faer")]
#[test]
fn factors_by_panels_count_their_rows() {
    let turn = Turn::take();
    npt::linalg::eigh(&x(300).dot(&x(300).t())).unwrap();
    assert_eq!(turn.in_the_end("eigenvectors", 300), [300 - 128]);
    let of_frequencies = |count| {
        let wide = npt_testkit::data::normal(5, 300, 1);
        RandomFourier::new(kernel(), count)
            .fit_space(&wide)
            .unwrap();
    };
    of_frequencies(300);
    assert_eq!(turn.in_the_end("orthonormal basis", 600), [600 - 128]);
    of_frequencies(128);
    assert_eq!(turn.in_the_end("orthonormal basis", 256), [0; 0]);
}
