//! The methods that can be fitted to moments of coordinates alone.

use super::{Parts, Sums};
use crate::{
    AnyKernel, Error, Estimator, Label,
    fitted::{Fitted, Pair},
    methods::{Coordinates, SECOND_KERNEL, Views, second_kernel, set},
};
use ndarray::Ix2;
use npt_core::{Expand, KernelizedModel, ParameterValue, Parameters};
use npt_methods::{
    KernelCca, KernelCcaModel, KernelPls, KernelRidge, Kfd, Kpca,
    linear::{Cca, Lda, Pca, Pls, Ridge},
    streaming::{ClassMoments, FitMoments, Moments},
};

type Made = Result<(Fitted, Vec<Label>), Error>;

/// The parameters, the spaces and the moments of a fit.
pub(super) struct Fitting<'a> {
    pub(super) estimator: &'a Estimator,
    pub(super) sums: &'a Sums,
    pub(super) moments: &'a Parts,
}

/// A method that is fitted to moments, by its name.
pub(super) struct FromSums {
    name: &'static str,
    fit: fn(&Fitting<'_>) -> Made,
}

static METHODS: [FromSums; 5] = [
    FromSums {
        name: "ridge",
        fit: ridge,
    },
    FromSums {
        name: "kpca",
        fit: kpca,
    },
    FromSums {
        name: "pls",
        fit: pls,
    },
    FromSums {
        name: "kfd",
        fit: kfd,
    },
    FromSums {
        name: CCA,
        fit: cca,
    },
];

const CCA: &str = "cca";

/// The number of folds where several penalties are compared.
const FOLDS: usize = 5;

impl FromSums {
    /// The entry of the method of an estimator.
    pub(super) fn of(estimator: &Estimator) -> Result<&'static Self, Error> {
        estimator.method_of_list()?;
        let name = estimator.method_name();
        let combination = |of, takes, found: &str| Error::Combination {
            of,
            takes,
            found: found.to_owned(),
        };
        if let Some(pre_image) = estimator.pre_image_name() {
            return Err(combination("a fit by sums", "no pre-images", pre_image));
        }
        let takes = "ridge, kpca, pls, kfd and cca";
        let found = METHODS.iter().find(|method| method.name == name);
        found.ok_or_else(|| combination("a fit by sums", takes, name))
    }

    /// The kernel of the second view, if the method has two views; refuses landmarks of another number of views.
    pub(super) fn second_kernel(
        &self,
        estimator: &Estimator,
        has_second: bool,
    ) -> Result<Option<AnyKernel>, Error> {
        match (self.name == CCA, has_second) {
            (true, true) => {
                let (kernel, _) = second_kernel(estimator.given(), estimator.kernel())?;
                Ok(Some(kernel))
            }
            (false, false) => Ok(None),
            (of_two, _) => Err(Error::Combination {
                of: self.name,
                takes: if of_two {
                    "landmarks of two views"
                } else {
                    "landmarks of one view"
                },
                found: if of_two {
                    "those of one"
                } else {
                    "those of two"
                }
                .to_owned(),
            }),
        }
    }

    pub(super) fn fit(&self, fitting: &Fitting<'_>) -> Made {
        (self.fit)(fitting)
    }
}

const BALANCED: &str = "balanced";

/// The parameters that the sums depend on.
pub(super) const OF_SUMS: [&str; 2] = [BALANCED, SECOND_KERNEL];

/// The default number of folds: more than one where penalties are compared.
pub(super) fn default_folds(estimator: &Estimator) -> usize {
    match given(estimator, "penalty") {
        Some(ParameterValue::List(penalties)) if penalties.len() > 1 => FOLDS,
        _ => 1,
    }
}

/// Returns whether the scatter within each class is asked for.
pub(super) fn is_by_class(estimator: &Estimator) -> bool {
    given(estimator, BALANCED) == Some(&ParameterValue::Boolean(true))
}

fn given<'a>(estimator: &'a Estimator, name: &str) -> Option<&'a ParameterValue> {
    let mut given = estimator.given().iter();
    given
        .find(|parameter| parameter.name == name)
        .map(|parameter| &parameter.value)
}

fn ridge(fitting: &Fitting<'_>) -> Made {
    // If the samples have only a few different values, some folds have no samples.
    let folds = fitting.moments.folds()?.iter();
    let folds: Vec<Moments<Ix2>> = folds.filter(|fold| fold.count() > 0).cloned().collect();
    let ridge: Ridge<f64, Ix2> = fitting
        .params(KernelRidge::params(()).inner())?
        .fit_moments(folds.as_slice())?;
    Ok((
        Fitted::Ridge(pair(fitting.sums.first.space(), ridge)?),
        Vec::new(),
    ))
}

fn kpca(fitting: &Fitting<'_>) -> Made {
    let pca: Pca<f64> = fitting
        .params(Kpca::params(1, ()).inner())?
        .fit_moments(&fitting.moments.numbers()?)?;
    Ok((
        Fitted::Pca(pair(fitting.sums.first.space(), pca)?),
        Vec::new(),
    ))
}

fn pls(fitting: &Fitting<'_>) -> Made {
    let pls: Pls<f64, Ix2> = fitting
        .params(KernelPls::params(1, ()).inner())?
        .fit_moments(&fitting.moments.numbers()?)?;
    Ok((
        Fitted::Pls(pair(fitting.sums.first.space(), pls)?),
        Vec::new(),
    ))
}

fn kfd(fitting: &Fitting<'_>) -> Made {
    let moments = fitting.moments.classes()?;
    let kinds = std::mem::discriminant::<Label>;
    if let (Some(one), Some(other)) = (moments.classes().next(), moments.classes().last())
        && kinds(one) != kinds(other)
    {
        let (one, other) = (one.clone(), other.clone());
        return Err(Error::MixedLabels { one, other });
    }
    let (classes, moments) = moments.clone().by_position();
    let lda: Lda<f64, usize> = fitting
        .params(Kfd::params(()).inner())?
        .fit_moments(&moments)?;
    Ok((Fitted::Lda(pair(fitting.sums.first.space(), lda)?), classes))
}

fn cca(fitting: &Fitting<'_>) -> Made {
    let (_, given) = second_kernel(fitting.estimator.given(), fitting.estimator.kernel())?;
    let linear = set(KernelCca::params(1, (), ()).inner().clone(), &given)?;
    let cca: Cca<f64> = linear.fit_moments(&fitting.moments.numbers()?)?;
    let (correlations, first, second) = cca.into_parts();
    let second_space = fitting.sums.second.as_ref().ok_or(Error::OnlyRead)?.space();
    let views = match (fitting.sums.first.space(), second_space) {
        (Coordinates::OfKernel(x), Coordinates::OfKernel(y)) => {
            Views::Expanded(Box::new(KernelCcaModel::new(
                correlations,
                KernelizedModel::new(first, &x.space).expand()?,
                KernelizedModel::new(second, &y.space).expand()?,
            )))
        }
        (Coordinates::OfFeatures(x), Coordinates::OfFeatures(y)) => {
            Views::Mapped(Box::new(KernelCcaModel::new(
                correlations,
                KernelizedModel::new(first, x.space.clone()),
                KernelizedModel::new(second, y.space.clone()),
            )))
        }
        _ => return Err(Error::OnlyRead),
    };
    Ok((Fitted::Cca(Box::new(views)), Vec::new()))
}

impl Fitting<'_> {
    /// The parameters of the linear method, with the values that are given.
    fn params<P: Parameters + Clone>(&self, defaults: &P) -> Result<P, Error> {
        set(defaults.clone(), self.estimator.given())
    }
}

/// A linear method in a space, written as an expansion where the space is one of kernel values.
fn pair<M, Q>(space: &Coordinates, method: M) -> Result<Box<Pair<Q, M>>, Error>
where
    M: Expand<f64, Expanded = Q>,
{
    Ok(Box::new(match space {
        Coordinates::OfKernel(placed) => {
            Pair::Expanded(KernelizedModel::new(method, &placed.space).expand()?)
        }
        Coordinates::OfFeatures(placed) => {
            Pair::Mapped(KernelizedModel::new(method, placed.space.clone()))
        }
    }))
}

impl Parts {
    fn folds(&self) -> Result<&[Moments<Ix2>], Error> {
        match self {
            Self::Numbers(folds) => Ok(folds),
            Self::Classes(_) => Err(Error::OnlyRead),
        }
    }

    /// The moments of all folds together.
    fn numbers(&self) -> Result<Moments<Ix2>, Error> {
        let (first, others) = self
            .folds()?
            .split_first()
            .ok_or(npt_core::Error::NoSamples)?;
        let mut moments = first.clone();
        for fold in others {
            moments.merge(fold)?;
        }
        Ok(moments)
    }

    fn classes(&self) -> Result<&ClassMoments<Label>, Error> {
        match self {
            Self::Classes(moments) => Ok(moments),
            Self::Numbers(_) => Err(Error::OnlyRead),
        }
    }
}
