//! Fitted methods by the names of their types.

use super::{AnyExpansion, labels::Plain};
use crate::{
    AnyKernel, AnySamples, Label,
    fitted::{Fitted, Pair},
};
use ndarray::Dimension;
use npt_core::{FoldedModel, serial::method::Method as Said};
use npt_export::libsvm::LibsvmMethod;
use npt_methods::linear::{
    CalibratedSvc, FastIca, IterativeRidge, Lda, Logistic, MulticlassSvc, NearestCentroid,
    OneClassSvm, Pca, PcaL1, Pls, QuantileRegression, RegressionDiscriminant, Ridge, Svc, Svr,
};
use npt_model_file::BY_NAME;
use serde::{
    Deserialize, Deserializer,
    de::{self, EnumAccess, VariantAccess, Visitor},
};
use std::{fmt, marker::PhantomData};

/// A fitted method and its classes.
type Whole = Result<(Fitted, Vec<Label>), String>;

type With = dyn FnOnce(AnyExpansion) -> Whole;

/// A fitted linear method that waits for the expansion on whose values it works.
pub(super) struct Method<I> {
    with: Box<With>,
    targets: PhantomData<I>,
}

impl<I> Method<I> {
    /// The method on the values of an expansion, unless it takes others.
    pub(super) fn with(self, expansion: AnyExpansion) -> Whole {
        (self.with)(expansion)
    }
}

impl<'de, I: Dimension + Deserialize<'de> + 'static> Deserialize<'de> for Method<I> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let with = deserializer.deserialize_newtype_struct(BY_NAME, ByName::<I>(PhantomData))?;
        let targets = PhantomData;
        Ok(Self { with, targets })
    }
}

/// A method in the place of the one that a model has, and its classes.
type Finished<T> = (T, Vec<Label>);

type Folded<T> = FoldedModel<T, AnySamples, AnyKernel, f64>;

/// Reads a method of the type `Q`, of which `finish` makes the one of a model.
fn read<'de, Q, T: 'static, A>(
    object: A,
    finish: impl FnOnce(Q) -> Finished<T> + 'static,
    fitted: impl FnOnce(Folded<T>) -> Fitted + 'static,
) -> Result<Box<With>, A::Error>
where
    Q: Deserialize<'de> + 'static,
    A: VariantAccess<'de>,
{
    let said: Said<Q> = object.newtype_variant()?;
    Ok(Box::new(move |expansion| {
        let functions = expansion.offsets().len();
        let method = said.of(functions, "functions of the expansion")?;
        let (method, classes) = finish(method);
        Ok((fitted(FoldedModel::new(method, expansion)), classes))
    }))
}

/// A method as it is, which has no classes.
fn same<Q>(method: Q) -> Finished<Q> {
    (method, Vec::new())
}

/// A classifier whose labels are the positions of its classes.
fn by_position<Q>((classes, method): (Vec<Plain>, Q)) -> Finished<Q> {
    (method, classes.into_iter().map(Plain::label).collect())
}

fn pair<Q, O>(model: Folded<Q>) -> Box<Pair<Q, O>> {
    Box::new(Pair::Folded(model))
}

/// The labels of a machine of LIBSVM's, in its order.
fn of_libsvm(method: LibsvmMethod) -> Finished<LibsvmMethod> {
    let labels = method.labels().iter().map(|&label| i64::from(label).into());
    let labels = labels.collect();
    (method, labels)
}

struct ByName<I>(PhantomData<I>);

/// Matches the name of a type with how it is read; of one that is none of them the names are told.
macro_rules! by_name {
    ($name:ident { $($type:literal => $read:expr;)+ }) => {
        match $name.as_str() {
            $($type => $read,)+
            other => Err(de::Error::custom(format!(
                "{other} cannot be read as the method of a Model, which is one of {}",
                [$($type),+].join(", "),
            ))),
        }
    };
}

impl<'de, I: Dimension + Deserialize<'de> + 'static> Visitor<'de> for ByName<I> {
    type Value = Box<With>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fitted method")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Box<With>, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        by_name!(name {
            "Pca" => read(object, same::<Pca<f64>>, |m| Fitted::Pca(pair(m)));
            "PcaL1" => read(object, same::<PcaL1<f64>>, |m| Fitted::PcaL1(pair(m)));
            "FastIca" => read(object, same::<FastIca<f64>>, |m| Fitted::FastIca(pair(m)));
            "RegressionDiscriminant" => read(object, same::<RegressionDiscriminant<f64>>, |m| {
                Fitted::RegressionDiscriminant(pair(m))
            });
            "NearestCentroid" => read(object, same::<NearestCentroid<f64>>, |m| Fitted::KMeans(pair(m)));
            "OneClassSvm" => read(object, same::<OneClassSvm<f64>>, |m| Fitted::OneClassSvm(pair(m)));
            "Svr" => read(object, same::<Svr<f64>>, |m| Fitted::Svr(pair(m)));
            "QuantileRegression" => read(object, same::<QuantileRegression<f64>>, |m| {
                Fitted::QuantileRegression(pair(m))
            });
            "Ridge" => read(object, |m: Ridge<f64, I>| same(m.of_columns()), |m| Fitted::Ridge(pair(m)));
            "IterativeRidge" => read(object, |m: IterativeRidge<f64, I>| same(m.of_columns()), |m| {
                Fitted::IterativeRidge(pair(m))
            });
            "Pls" => read(object, |m: Pls<f64, I>| same(m.of_columns()), |m| Fitted::Pls(pair(m)));
            "Svc" => read(
                object,
                |m: Svc<f64>| (m, vec![false.into(), true.into()]),
                |m| Fitted::Svc(pair(m))
            );
            "MulticlassSvc" => read(
                object,
                |m: MulticlassSvc<f64, Plain>| by_position(m.by_position()),
                |m| Fitted::MulticlassSvc(pair(m))
            );
            "CalibratedSvc" => read(
                object,
                |m: CalibratedSvc<f64, Plain>| by_position(m.by_position()),
                |m| Fitted::CalibratedSvc(pair(m))
            );
            "Logistic" => read(
                object,
                |m: Logistic<f64, Plain>| by_position(m.by_position()),
                |m| Fitted::Logistic(pair(m))
            );
            "Lda" => read(
                object,
                |m: Lda<f64, Plain>| by_position(m.by_position()),
                |m| Fitted::Lda(pair(m))
            );
            "LibsvmMethod" => read(object, of_libsvm, |m| Fitted::Libsvm(Box::new(m)));
        })
    }
}
