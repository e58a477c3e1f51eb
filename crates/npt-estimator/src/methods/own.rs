//! Methods with a fit of their own.

use super::fit::{Classes, Fit, Job, Made, Method, OfMatrix, heading, set};
use crate::{
    AnySamples, Error,
    fitted::Fitted,
    pre_image::{AnyPreImage, BuildsOfVectors, PRE_IMAGES, of_vectors},
    samples::Kind,
    spaces::{self, Builder},
};
use linfa::{DatasetBase, traits::Fit as _};
use ndarray::Array1;
use npt_core::{
    Gaussian, Kernel, Parameter,
    catalogue::{Heading, ParameterEntry, Range},
    parameters_by_name,
};
use npt_methods::{
    GaussianProcess, KernelHardMarginSvc, KernelNuSvc, KernelSvc, Kpca, KpcaLda, NoveltyDetector,
    RobustKpca,
    linear::{Chain, LdaParams, PcaParams},
    pre_image::PreImageExt as _,
};
use std::any::TypeId;

/// The one method that has pre-images.
pub(crate) const HAS_PRE_IMAGES: &str = "kpca";

pub(super) fn kpca_entry() -> Method {
    Method::new(
        HAS_PRE_IMAGES,
        "Kernel principal component analysis: directions of largest variance.",
        Kpca::params(1, ()).inner(),
        Fit::Nothing(kpca),
    )
}

fn kpca(job: &Job<'_>, nothing: Array1<()>) -> Made {
    let kpca = Kpca::params(1, job.kernel.clone());
    let Some((position, given)) = job.pre_image else {
        return Ok(Fitted::Pca(job.pair(kpca, nothing)?));
    };
    let Kind::Rows(rows) = job.samples.kind() else {
        return Err(Error::DenseVectors {
            of: PRE_IMAGES[position].name().to_owned(),
            samples: job.samples.kind().words(),
        });
    };
    let pre_image = AnyPreImage::new(position, given, of_vectors(job.kernel)?)?;
    let linear = set(kpca.inner().clone(), job.given)?;
    let Builder::Kernel(builder) = job.builder(kpca.builder().clone())? else {
        return Err(Error::Combination {
            of: PRE_IMAGES[position].name(),
            takes: "the spaces exact and nystrom",
            found: spaces::described(job.space).to_string(),
        });
    };
    let kpca = kpca.method(|_| linear).space(|_| BuildsOfVectors(builder));
    let data = DatasetBase::new(rows.clone(), nothing).with_weights(job.weights.clone());
    let model = kpca.pre_image(pre_image).fit(&data)?;
    Ok(Fitted::KpcaDenoiser(Box::new(model)))
}

/// Methods with a fit of their own.
pub(super) fn others() -> [Method; 8] {
    [
        Method::new(
            "svc",
            "Support vector classification.",
            KernelSvc::params(()).inner(),
            Fit::Labels(svc),
        ),
        Method::new(
            "nu_svc",
            "Support vector classification of two classes by the share of support vectors.",
            KernelNuSvc::params(0.5, ()).inner(),
            Fit::Labels(|job, classes| {
                let method = KernelNuSvc::params(0.5, job.kernel.clone());
                Ok(Fitted::Svc(job.pair(method, classes.sides("nu_svc")?)?))
            }),
        ),
        Method::new(
            "hard_margin_svc",
            "Support vector classification of two classes that can be separated.",
            KernelHardMarginSvc::params(()).inner(),
            Fit::Labels(|job, classes| {
                let method = KernelHardMarginSvc::params(job.kernel.clone());
                Ok(Fitted::Svc(
                    job.pair(method, classes.sides("hard_margin_svc")?)?,
                ))
            }),
        ),
        Method {
            heading: kpca_lda_heading(),
            fit: Fit::Labels(kpca_lda),
            params: TypeId::of::<Chain<PcaParams, LdaParams>>(),
        },
        Method::new(
            "gaussian_process",
            "Gaussian process regression: means with variances.",
            &GaussianProcess::params(()),
            Fit::OneNumber(gaussian_process),
        ),
        Method::new(
            OPTIMIZED,
            "Gaussian process regression with the kernel's parameters and the noise of the largest marginal likelihood.",
            &Optimized::default(),
            Fit::OneNumber(optimized_gaussian_process),
        ),
        Method::new(
            ROBUST,
            "Kernel principal component analysis of samples that are partly missing, or partly wrong.",
            &RobustKpca::params(1, Gaussian::new(1.0)),
            Fit::Matrix(robust_kpca),
        ),
        Method::new(
            "novelty_detector",
            "Novelty detection by what principal components leave of a sample.",
            &NoveltyDetector::params(()),
            Fit::Nothing(novelty_detector),
        ),
    ]
}

/// Separates two classes by one plane, whose positive side is the second class, and more classes by several planes.
fn svc(job: &Job<'_>, classes: Classes) -> Made {
    let method = KernelSvc::params(job.kernel.clone());
    Ok(match classes.count {
        2 => Fitted::Svc(job.pair(method, classes.sides("svc")?)?),
        _ => Fitted::MulticlassSvc(job.pair(method, classes.positions)?),
    })
}

/// The heading of `kpca_lda`: `components` is a parameter of the first of the two methods, all others are of the second. It leaves out the
/// precision of the first, because the two are fitted to coordinates.
fn kpca_lda_heading() -> Heading {
    let lda = KpcaLda::params(1, ());
    let lda = heading("", "", lda.inner().second());
    let kpca = Kpca::params(1, ());
    let kpca = heading("", "", kpca.inner());
    let is_components = |entry: &&ParameterEntry| entry.name() == "components";
    let components = kpca.parameters().iter().filter(is_components);
    let of_lda = lda.parameters().iter();
    let of_lda = of_lda.filter(|entry| !is_components(entry));
    let all = components.chain(of_lda).cloned();
    let summary =
        "Kernel principal component analysis, then the Fisher discriminant of the components.";
    all.fold(Heading::new("kpca_lda", summary), Heading::parameter)
}

fn kpca_lda(job: &Job<'_>, classes: Classes) -> Made {
    let is_components = |parameter: &Parameter| parameter.name == "components";
    let (of_first, of_second): (Vec<_>, Vec<_>) =
        job.given.iter().cloned().partition(is_components);
    let method = KpcaLda::params(1, job.kernel.clone());
    let first = set(method.inner().first().clone(), &of_first)?;
    let second = set(method.inner().second().clone(), &of_second)?;
    let method = method.method(|_| Chain::new(first, second));
    Ok(Fitted::KpcaLda(
        job.pair_as_it_is(method, classes.positions)?,
    ))
}

fn gaussian_process(job: &Job<'_>, targets: Array1<f64>) -> Made {
    let process = set(GaussianProcess::params(job.kernel.clone()), job.given)?;
    let data = job.dataset(targets);
    Ok(match job.builder(process.builder().clone())? {
        Builder::Kernel(builder) => {
            Fitted::GaussianProcess(Box::new(process.space(|_| builder).fit(&data)?))
        }
        Builder::Features(builder) => {
            let process = process.space(|_| builder).by_coordinates();
            Fitted::GaussianProcessOnFeatures(Box::new(process.fit(&data)?))
        }
    })
}

fn novelty_detector(job: &Job<'_>, nothing: Array1<()>) -> Made {
    let detector = set(NoveltyDetector::params(job.kernel.clone()), job.given)?;
    let data = job.dataset(nothing);
    Ok(match job.builder(detector.builder().clone())? {
        Builder::Kernel(builder) => {
            Fitted::NoveltyDetector(Box::new(detector.space(|_| builder).fit(&data)?))
        }
        Builder::Features(builder) => {
            Fitted::NoveltyDetectorOnFeatures(Box::new(detector.space(|_| builder).fit(&data)?))
        }
    })
}

const OPTIMIZED: &str = "optimized_gaussian_process";
const ROBUST: &str = "robust_kpca";

/// Refuses a space that was chosen for a method that has its own.
fn require_plain(space: (usize, &[Parameter]), of: &'static str) -> Result<(), Error> {
    if let (0, []) = space {
        return Ok(());
    }
    Err(Error::Combination {
        of,
        takes: "the space exact without parameters",
        found: spaces::described(space).to_string(),
    })
}

/// The parameters of a search for the largest marginal likelihood.
struct Optimized {
    noise: f64,
    mean_of_targets: bool,
    keep: Option<String>,
    restarts: usize,
    seed: u64,
}
parameters_by_name! {
    impl Parameters for Optimized, "optimized_gaussian_process"; {
        default {
            noise: f64 = 1.0, Range::Positive, "The variance of the noise that the search starts from.";
            mean_of_targets: bool = false, Range::Boolean, "Whether m is the mean of the targets, and not 0.";
            restarts: usize = 0, Range::AtLeast(0), "The number of searches from random parameters besides the one from those given.";
            seed: u64 = 0, Range::AtLeast(0), "The seed of the random parameters.";
        }
        optional {
            keep: String, Range::Text, "The names of the parameters that stay as they are, with commas between: noise, and those of the kernel, such as first.gamma.";
        }
    }
}

impl Default for Optimized {
    fn default() -> Self {
        Self {
            noise: 1.0,
            mean_of_targets: false,
            keep: None,
            restarts: 0,
            seed: 0,
        }
    }
}

/// Fits a process of the largest marginal likelihood. The kernel of the model is the one that was found.
fn optimized_gaussian_process(job: &Job<'_>, targets: Array1<f64>) -> Made {
    require_plain(job.space, OPTIMIZED)?;
    let asked = set(Optimized::default(), job.given)?;
    let mut process = GaussianProcess::optimized(job.kernel.clone())
        .noise(asked.noise)
        .mean_of_targets(asked.mean_of_targets)
        .restarts(asked.restarts)
        .seed(asked.seed);
    let kept = asked.keep.iter().flat_map(|names| names.split(','));
    for name in kept.map(str::trim).filter(|name| !name.is_empty()) {
        process = process.keep(name);
    }
    let model = process.fit(&job.dataset(targets))?;
    Ok(Fitted::GaussianProcess(Box::new(model)))
}

fn robust_kpca(job: &OfMatrix<'_>) -> Made {
    require_plain(job.space, ROBUST)?;
    let gamma = Kernel::<AnySamples>::gaussian_gamma(job.kernel);
    let gamma = gamma.ok_or_else(|| npt_core::Error::UnsuitableKernel {
        of: ROBUST,
        kernel: job.kernel.to_string(),
        needs: "a Gaussian kernel",
    })?;
    let robust = set(RobustKpca::params(1, Gaussian::new(gamma)), job.given)?;
    let data = DatasetBase::from(job.matrix).with_weights(job.weights.clone());
    Ok(Fitted::RobustKpca(Box::new(robust.fit(&data)?)))
}
