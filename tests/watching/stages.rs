//! Makes a fit for each stage.

use ndarray::{Array1, Array2, Axis};
use npt::{
    Fitted,
    export::libsvm::{from_text, to_text},
    linfa::{Dataset, DatasetBase, traits::Fit},
    methods::{
        Alignment, Error, GaussianProcess, IterativeKernelRidge, RobustKpca, SvmMkl,
        linear::{CalibratedSvc, KMeans, Logistic, Strategy},
        model_selection::{Folds, GridSearch},
        pre_image::{FixedPoint, PreImageMap},
        preprocessing::Imputer,
        streaming::{Moments, RandomPivots},
    },
    model_file,
    prelude::*,
    tables::CsvBlocks,
    watch::{CancellationToken, Interrupted},
};
use npt_testkit::data;

/// The end of a piece of work: it ended by itself, whatever its result, or it was interrupted.
pub(crate) type End = Result<(), Interrupted<String>>;

/// Work that comes to a stage.
pub(crate) struct Work {
    pub(crate) stage: &'static str,
    pub(crate) run: fn(&CancellationToken) -> End,
}

/// Runs a fit under a token, and drops its result; an error of the fit becomes a text.
macro_rules! work {
    ($stage:literal, $fit:expr) => {
        Work {
            stage: $stage,
            run: |token| token.run(|| $fit.map(|_| ()).map_err(|error| error.to_string())),
        }
    };
}

pub(crate) fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.5)
}

pub(crate) fn x(samples: usize) -> Array2<f64> {
    data::normal(samples, 3, 1)
}

pub(crate) fn unlabelled(samples: usize) -> DatasetBase<Array2<f64>, Array1<()>> {
    DatasetBase::from(x(samples))
}

/// Samples of two sides that overlap, so that some samples are on the wrong one.
pub(crate) fn sides(samples: usize) -> Dataset<f64, bool, ndarray::Ix1> {
    let x = x(samples);
    let noise = data::normal(samples, 1, 2);
    let side = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1]) + noise.column(0);
    DatasetBase::new(x, side.mapv(|v| v > 0.0))
}

/// Samples of three classes that overlap.
pub(crate) fn classes(samples: usize) -> Dataset<f64, usize, ndarray::Ix1> {
    let Dataset {
        records, targets, ..
    } = values(samples);
    let class = |value: f64| usize::from(value > -0.5) + usize::from(value > 0.5);
    DatasetBase::new(records, targets.mapv(class))
}

pub(crate) fn values(samples: usize) -> Dataset<f64, f64, ndarray::Ix1> {
    let x = x(samples);
    let y =
        x.map_axis(Axis(1), |row| row[0] - row[1] * row[2]) + data::normal(samples, 1, 3).column(0);
    DatasetBase::new(x, y)
}

type Space = Fitted<npt::ExactSpace<Rows<f64>, Gaussian<f64>>>;

pub(crate) fn space() -> Space {
    Exact::new(kernel()).fit_space(&x(40)).unwrap()
}

/// Iterations, which may end early with the best result that they have.
pub(crate) const ITERATIONS: &[Work] = &[
    work!(
        "support vectors",
        KernelSvc::params(kernel()).fit(&sides(300))
    ),
    work!(
        "k-means",
        KernelKMeans::params(4, kernel()).fit(&unlabelled(200))
    ),
    work!(
        "starts of k-means",
        KMeans::params(4).starts(3).fit(&unlabelled(200))
    ),
    work!("k-means", {
        let (params, all) = (KMeans::params(4), unlabelled(200));
        params.fit_blocks(&space(), || Ok::<_, Error>([Ok(all.clone())]))
    }),
    work!(
        "Newton's method",
        KernelLogistic::params(kernel()).fit(&sides(100))
    ),
    work!(
        "FastICA",
        KernelIca::params(2, kernel()).fit(&unlabelled(100))
    ),
    work!(
        "an L1 component",
        KpcaL1::params(2, kernel()).fit(&unlabelled(100))
    ),
    work!(
        "conjugate gradients",
        IterativeKernelRidge::params(kernel()).fit(&values(300))
    ),
    work!("robust components", {
        let mut holes = x(30);
        holes[[3, 1]] = f64::NAN;
        RobustKpca::params(2, kernel()).fit(&DatasetBase::from(holes))
    }),
    work!("weights of kernels", {
        let kernels = vec![Gaussian::new(0.1), kernel(), Gaussian::new(3.0)];
        SvmMkl::new(kernels).fit_classes(&sides(100))
    }),
    work!(
        "marginal likelihood",
        GaussianProcess::optimized(kernel()).fit(&values(60))
    ),
];

/// The text of a LIBSVM machine of two vectors.
const TEXT: &str = "svm_type c_svc
kernel_type linear
nr_class 2
total_sv 2
rho 0
label 1 -1
nr_sv 1 1
SV
1 1:1
-1 1:-1
";

/// Saves a file, and checks that it is there unless the save was cancelled.
fn saved() -> Result<(), model_file::Error> {
    let folder = tempfile::tempdir().unwrap();
    let saved = model_file::save(&x(100), folder.path().join("model.npt"));
    let files = folder.path().read_dir().unwrap().count();
    assert_eq!(files, usize::from(saved.is_ok()));
    saved
}

fn loaded() -> Result<Array2<f64>, model_file::Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    model_file::save(&x(100), &path)?;
    model_file::load(&path)
}

/// All other work that may last.
pub(crate) const OTHERS: &[Work] = &[
    work!("factor", Exact::new(kernel()).fit_space(&x(100))),
    work!(
        "factor",
        Nystrom::new(kernel(), npt::Pivoting::random(20)).fit_space(&x(100))
    ),
    work!(
        "Cholesky factor",
        npt::linalg::cholesky(&Array2::<f64>::eye(300))
    ),
    // This stage is faer's; linfa-linalg has none like it.
    #[cfg(feature = "faer")]
    work!(
        "reduction to tridiagonal form",
        npt::linalg::eigh(&x(30).dot(&x(30).t()))
    ),
    work!(
        "leading eigenpairs",
        Kpca::params(3, kernel()).fit(&unlabelled(600))
    ),
    work!(
        "descent",
        GaussianProcess::optimized(kernel()).fit(&values(60))
    ),
    work!("grid", {
        let spaces = [0.1, 1.0].map(|gamma| Exact::new(Gaussian::new(gamma)));
        let search = GridSearch::new(spaces, [npt::methods::linear::Ridge::params()]);
        let folds = Folds::k(60, 3, 0).unwrap();
        let error = |found: &Array1<f64>, truth: &Array1<f64>| (found - truth).pow2().sum();
        search.scores(&values(60), &folds, error)
    }),
    work!("outer folds", {
        let spaces = [0.1, 1.0].map(|gamma| Exact::new(Gaussian::new(gamma)));
        let search = GridSearch::new(spaces, [npt::methods::linear::Ridge::params()]);
        let error = |found: &Array1<f64>, truth: &Array1<f64>| (found - truth).pow2().sum();
        let inner = |targets: &Array1<f64>| Folds::k(targets.len(), 2, 0);
        search.nested_scores(&values(60), &Folds::k(60, 3, 0).unwrap(), inner, error)
    }),
    work!("kernel matrix", Exact::new(kernel()).fit_space(&x(50))),
    work!("kernel values", {
        let distances = FnKernel::new(|a: &[f64], b: &[f64]| (a[0] - b[0]).abs());
        npt::centered_gram(&distances, &x(400))
    }),
    work!("kernel values", {
        let words = (0..20).map(|i| "ab".repeat(i)).collect();
        let words = npt::Items::new(words).unwrap();
        npt::centered_gram(&Subsequence::new(2, 0.5), &words)
    }),
    work!("principal axes", Exact::new(kernel()).fit_space(&x(50))),
    work!(
        "principal axes",
        Nystrom::new(kernel(), npt::Pivoting::random(20)).fit_space(&x(100))
    ),
    // These are more samples than a panel has.
    work!("coordinates", space().coordinates(&x(300))),
    work!("expansion", {
        let model = KernelSvc::params(kernel()).fit(&sides(40)).unwrap();
        model.expansion().evaluate(&x(10_000))
    }),
    #[cfg(feature = "faer")]
    work!("eigenvectors", npt::linalg::eigh(&x(30).dot(&x(30).t()))),
    work!(
        "random frequencies",
        RandomFourier::new(kernel(), 20).fit_space(&x(30))
    ),
    #[cfg(feature = "faer")]
    work!(
        "orthonormal basis",
        RandomFourier::new(kernel(), 130).fit_space(&data::normal(30, 130, 1))
    ),
    work!(
        "errors of kernel values",
        npt::KernelErrors::of(space().space(), &kernel(), &x(40))
    ),
    // These are more rows than are multiplied at a time.
    work!("moments of a block", {
        Moments::<ndarray::Ix1>::new(3).add(&values(9000))
    }),
    work!("a pass over blocks", {
        let (params, all) = (Logistic::params(), sides(200));
        params.fit_blocks(&space(), || Ok::<_, Error>([Ok(all.clone())]))
    }),
    work!("random pivots", {
        let blocks = || Ok::<_, Error>([Ok(DatasetBase::from(x(200)))].into_iter());
        RandomPivots::new(10).choose(&kernel(), blocks)
    }),
    work!("serialization", saved()),
    work!("checksum", saved()),
    work!("save", saved()),
    work!("deserialization", loaded()),
    work!("load", loaded()),
    work!("rows of a table", {
        let text = "a,b\n1,2\n3,4\n".as_bytes();
        CsvBlocks::new(text)
            .and_then(|blocks| blocks.target("b"))
            .and_then(|mut blocks| blocks.read())
    }),
    work!("machines", KernelSvc::params(kernel()).fit(&classes(60))),
    work!("machines", {
        let rest = Strategy::OneAgainstRest;
        let params = KernelSvc::params(kernel()).method(|svc| svc.strategy(rest));
        params.fit(&classes(60))
    }),
    work!(
        "sigmoids",
        CalibratedSvc::params().folds(2).fit(&classes(60))
    ),
    work!("kernel matrices", {
        let kernels = vec![Gaussian::new(0.1), kernel()];
        SvmMkl::new(kernels).fit_classes(&sides(60))
    }),
    work!("alignment", {
        let kernels = vec![Gaussian::new(0.1), kernel()];
        Alignment::joint(kernels).fit_values(&values(60))
    }),
    work!(
        "leverage scores",
        Nystrom::new(kernel(), npt::Pivoting::by_leverage(20, 0.1)).fit_space(&x(100))
    ),
    work!(
        "scatters of pairs",
        KernelRegressionDiscriminant::params(1, kernel()).fit(&values(60))
    ),
    work!("pre-images", {
        let points = space().training_coordinates().to_owned();
        FixedPoint::new().pre_images(space().space(), points.view())
    }),
    work!("values for missing ones", {
        let mut holes = x(30);
        holes[[3, 1]] = f64::NAN;
        Imputer::median().fit(&DatasetBase::from(holes))
    }),
    work!("vectors of a text", {
        let model = KernelSvc::params(kernel()).fit(&sides(40)).unwrap();
        to_text(&model)
    }),
    work!("vectors of a text", from_text::<Rows<f64>>(TEXT)),
    work!("variances", {
        let model = GaussianProcess::params(kernel()).fit(&values(60)).unwrap();
        model.predict_with_variance(&x(10))
    }),
];
