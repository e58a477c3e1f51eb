//! The methods by name: the one list of them.

use crate::{
    AnyKernel, AnySamples, Error,
    fitted::{Fitted, Pair},
    samples::Kind,
    spaces::{self, Builder},
};
use linfa::{DatasetBase, dataset::AsTargets, traits::Fit as _};
use ndarray::{Array, Array1, Array2, Dimension};
use npt_core::{
    Exact, FoldBack, FoldableMethod, KernelMethod, Parameter, Parameters, catalogue::Heading,
};
use npt_methods::{
    GaussianProcess, IterativeKernelRidge, KernelCalibratedSvc, KernelHardMarginSvc, KernelIca,
    KernelKMeans, KernelLogistic, KernelNuSvc, KernelOneClassSvm, KernelPls,
    KernelRegressionDiscriminant, KernelRidge, KernelSvc, KernelSvr, Kfd, Kpca, KpcaL1, KpcaLda,
    NoveltyDetector, linear::Chain,
};
use std::sync::LazyLock;

/// Sets the parameters that are given.
pub(crate) fn set<P: Parameters>(mut parameters: P, given: &[Parameter]) -> Result<P, Error> {
    for Parameter { name, value } in given {
        parameters.set_parameter(name, value.clone())?;
    }
    Ok(parameters)
}

/// The labels as positions among the classes, of which there are so many.
pub(crate) struct Classes {
    pub(crate) positions: Array1<usize>,
    pub(crate) count: usize,
}

/// The fit of a method, by the targets that it takes.
pub(crate) enum Fit {
    Nothing(fn(&Job<'_>, Array1<()>) -> Made),
    Labels(fn(&Job<'_>, Classes) -> Made),
    Numbers(fn(&Job<'_>, Array2<f64>) -> Made),
    OneNumber(fn(&Job<'_>, Array1<f64>) -> Made),
}

pub(crate) type Made = Result<Fitted, Error>;

impl Fit {
    /// The targets, in the words of an error message.
    pub(crate) fn takes(&self) -> &'static str {
        match self {
            Self::Nothing(_) => "no targets",
            Self::Labels(_) => "a label a sample",
            Self::Numbers(_) => "one number a sample or several",
            Self::OneNumber(_) => "one number a sample",
        }
    }
}

/// A method of the list.
pub(crate) struct Method {
    pub(crate) heading: Heading,
    pub(crate) fit: Fit,
}

/// A fit's parameters, kernel, space, samples and weights: all but the targets.
pub(crate) struct Job<'a> {
    /// The parameters of the method that are given.
    pub(crate) given: &'a [Parameter],
    pub(crate) kernel: &'a AnyKernel,
    /// The position of the space in its list, and its parameters that are given.
    pub(crate) space: (usize, &'a [Parameter]),
    pub(crate) samples: &'a AnySamples,
    pub(crate) weights: &'a Array1<f32>,
}

impl Job<'_> {
    fn dataset<T: AsTargets>(&self, targets: T) -> DatasetBase<AnySamples, T> {
        DatasetBase::new(self.samples.clone(), targets).with_weights(self.weights.clone())
    }

    fn builder(&self, of_method: Exact<AnyKernel>) -> Result<Builder, Error> {
        let builder = spaces::builder(self.space.0, self.space.1, of_method)?;
        match (&builder, self.samples.kind()) {
            (Builder::Kernel(_), _) | (_, Kind::Rows(_)) => Ok(builder),
            (Builder::Features(_), kind) => Err(Error::DenseVectors {
                of: spaces::SPACES[self.space.0].heading.name().to_owned(),
                samples: kind.words(),
            }),
        }
    }

    /// A linear method in a space, with the parameters that are given, fitted.
    fn pair<P, T, Q, O>(
        &self,
        method: KernelMethod<P, Exact<AnyKernel>>,
        targets: T,
    ) -> Result<Box<Pair<Q, O>>, Error>
    where
        T: AsTargets<Elem: Clone + 'static>,
        P: Parameters
            + Clone
            + FoldableMethod<f64, Array<T::Elem, T::Ix>, npt_methods::Error, Object = O>,
        O: FoldBack<f64, Folded = Q>,
    {
        let linear = set(method.inner().clone(), self.given)?;
        self.pair_as_it_is(method.method(|_| linear), targets)
    }

    fn pair_as_it_is<P, T, Q, O>(
        &self,
        method: KernelMethod<P, Exact<AnyKernel>>,
        targets: T,
    ) -> Result<Box<Pair<Q, O>>, Error>
    where
        T: AsTargets<Elem: Clone + 'static>,
        P: FoldableMethod<f64, Array<T::Elem, T::Ix>, npt_methods::Error, Object = O>,
        O: FoldBack<f64, Folded = Q>,
    {
        let data = self.dataset(targets);
        Ok(Box::new(match self.builder(method.builder().clone())? {
            Builder::Kernel(builder) => Pair::Folded(method.space(|_| builder).fit(&data)?),
            Builder::Features(builder) => {
                Pair::Mapped(method.space(|_| builder).by_coordinates().fit(&data)?)
            }
        }))
    }
}

impl Classes {
    /// Two classes as sides: the second is the positive one.
    fn sides(self, method: &'static str) -> Result<Array1<bool>, Error> {
        if self.count == 2 {
            return Ok(self.positions.mapv(|position| position == 1));
        }
        Err(Error::TwoClasses {
            method,
            found: self.count,
            others: "svc, calibrated_svc, logistic and kfd",
        })
    }
}

/// The heading of a method whose parameters have these defaults.
fn heading<P: Parameters>(name: &'static str, summary: &'static str, defaults: &P) -> Heading {
    let entries = P::parameter_entries().into_iter();
    let own = entries.map(|entry| match defaults.parameter(entry.name()) {
        Some(_) if entry.is_required() => entry,
        // What the kernel version is given, it has to be given.
        Some(_) if entry.default().is_none() => entry.without_default(),
        Some(value) => entry.default_to(value),
        None => entry,
    });
    own.fold(Heading::new(name, summary), Heading::parameter)
}

/// Methods that are a linear method in a space: name, summary, targets, parameters from arguments and a kernel, and the model.
macro_rules! pairs {
    ($($name:literal, $summary:literal, $targets:ident, $method:ident($($argument:expr),*), $model:ident;)+) => {
        [$(Method {
            heading: heading($name, $summary, $method::params($($argument,)* ()).inner()),
            fit: Fit::$targets(|job, targets| {
                let method = $method::params($($argument,)* job.kernel.clone());
                Ok(Fitted::$model(job.pair(method, targets.into_targets())?))
            }),
        },)+]
    };
}

/// Targets as linear methods take them.
trait IntoTargets {
    type Targets;

    fn into_targets(self) -> Self::Targets;
}

impl IntoTargets for Classes {
    type Targets = Array1<usize>;

    fn into_targets(self) -> Array1<usize> {
        self.positions
    }
}

impl<T, I: Dimension> IntoTargets for Array<T, I> {
    type Targets = Self;

    fn into_targets(self) -> Self {
        self
    }
}

/// The methods by name.
pub(crate) static METHODS: LazyLock<Vec<Method>> = LazyLock::new(|| {
    let pairs = pairs! {
        "kpca", "Kernel principal component analysis: directions of largest variance.", Nothing, Kpca(1), Pca;
        "kpca_l1", "Kernel principal component analysis by the L1 norm, which outliers move less.", Nothing, KpcaL1(1), PcaL1;
        "ica", "Kernel independent component analysis.", Nothing, KernelIca(1), FastIca;
        "kmeans", "Kernel k-means: clusters around means in feature space.", Nothing, KernelKMeans(1), KMeans;
        "one_class_svm", "One-class support vector machine: the region of most samples.", Nothing, KernelOneClassSvm(0.5), OneClassSvm;
        "kfd", "Kernel Fisher discriminant: directions between classes.", Labels, Kfd(), Lda;
        "logistic", "Kernel logistic regression: probabilities of classes.", Labels, KernelLogistic(), Logistic;
        "calibrated_svc", "Support vector classification with probabilities.", Labels, KernelCalibratedSvc(), CalibratedSvc;
        "ridge", "Kernel ridge regression.", Numbers, KernelRidge(), Ridge;
        "iterative_ridge", "Kernel ridge regression by conjugate gradients, for many samples.", Numbers, IterativeKernelRidge(), IterativeRidge;
        "pls", "Kernel partial least squares regression.", Numbers, KernelPls(1), Pls;
        "svr", "Support vector regression.", OneNumber, KernelSvr(), Svr;
        "regression_discriminant", "Directions along which a target varies.", OneNumber, KernelRegressionDiscriminant(1), RegressionDiscriminant;
    };
    pairs.into_iter().chain(others()).collect()
});

/// Methods with a fit of their own.
fn others() -> [Method; 6] {
    [
        Method {
            heading: heading(
                "svc",
                "Support vector classification.",
                KernelSvc::params(()).inner(),
            ),
            fit: Fit::Labels(svc),
        },
        Method {
            heading: heading(
                "nu_svc",
                "Support vector classification of two classes by the share of support vectors.",
                KernelNuSvc::params(0.5, ()).inner(),
            ),
            fit: Fit::Labels(|job, classes| {
                let method = KernelNuSvc::params(0.5, job.kernel.clone());
                Ok(Fitted::Svc(job.pair(method, classes.sides("nu_svc")?)?))
            }),
        },
        Method {
            heading: heading(
                "hard_margin_svc",
                "Support vector classification of two classes that can be separated.",
                KernelHardMarginSvc::params(()).inner(),
            ),
            fit: Fit::Labels(|job, classes| {
                let method = KernelHardMarginSvc::params(job.kernel.clone());
                Ok(Fitted::Svc(
                    job.pair(method, classes.sides("hard_margin_svc")?)?,
                ))
            }),
        },
        Method {
            heading: kpca_lda_heading(),
            fit: Fit::Labels(kpca_lda),
        },
        Method {
            heading: heading(
                "gaussian_process",
                "Gaussian process regression: means with variances.",
                &GaussianProcess::params(()),
            ),
            fit: Fit::OneNumber(gaussian_process),
        },
        Method {
            heading: heading(
                "novelty_detector",
                "Novelty detection by what principal components leave of a sample.",
                &NoveltyDetector::params(()),
            ),
            fit: Fit::Nothing(novelty_detector),
        },
    ]
}

/// Two classes by one plane, whose positive side is the second; more by several planes.
fn svc(job: &Job<'_>, classes: Classes) -> Made {
    let method = KernelSvc::params(job.kernel.clone());
    Ok(match classes.count {
        2 => Fitted::Svc(job.pair(method, classes.sides("svc")?)?),
        _ => Fitted::MulticlassSvc(job.pair(method, classes.positions)?),
    })
}

/// The number of components is that of the first of the two methods; all else is of the second.
fn kpca_lda_heading() -> Heading {
    let lda = KpcaLda::params(1, ());
    let lda = heading("", "", lda.inner().second());
    let components = Kpca::params(1, ());
    let components = heading("", "", components.inner());
    let of_lda = lda
        .parameters()
        .iter()
        .filter(|entry| entry.name() != "components");
    let all = components.parameters().iter().chain(of_lda).cloned();
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
