//! Files of typed models that are refused: files with parts that a `Model` does not have, and forged files.

use super::*;
use serde::de::{EnumAccess, VariantAccess};

#[derive(serde::Serialize, serde::Deserialize)]
struct Method;

#[test]
fn what_has_no_place_is_refused() {
    // A kernel of one's own.
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Own;
    impl Kernel<Rows<f64>> for Own {
        type Scalar = f64;
        fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
            a[0] * b[0]
        }
    }
    let data = Dataset::new(matrix(), numbers());
    let error = refused(&KernelRidge::params(Own).fit(&data).unwrap());
    assert_eq!(
        error,
        "in `expansion.kernel`: Own cannot be read as the kernel of a Model, which is one of those by name"
    );
    // A model on coordinates.
    let data = DatasetBase::new(matrix(), nothing());
    let kmeans = linear::KMeans::params(2);
    let coordinates = Kernelized::new(kmeans, Exact::new(Gaussian::new(0.5)));
    let error = refused(&coordinates.fit(&data).unwrap());
    assert_eq!(
        error,
        "KernelizedModel cannot be read as Model, which takes the types Model, ExpansionModel, GaussianProcessModel, KernelCcaModel, NoveltyDetectorModel and RobustKpcaModel"
    );
    // A method of one's own.
    let svc = KernelRidge::params(Gaussian::new(0.5));
    let (_, expansion) = svc
        .fit(&Dataset::new(matrix(), numbers()))
        .unwrap()
        .into_parts();
    let error = refused(&ExpansionModel::new(Method, expansion));
    assert!(
        error.starts_with("in `method`: Method cannot be read as the method"),
        "{error}"
    );
    // Labels of other types.
    let some: Array1<Option<usize>> = positions(3).into_iter().map(Some).collect();
    let svc = KernelSvc::params(Gaussian::new(0.5));
    let error = refused(&svc.fit(&DatasetBase::new(matrix(), some)).unwrap());
    assert!(error.contains("a label that is a text"), "{error}");
    let huge: Array1<usize> = positions(3).iter().map(|&k| usize::MAX - k).collect();
    let svc = KernelSvc::params(Gaussian::new(0.5));
    let error = refused(&svc.fit(&DatasetBase::new(matrix(), huge)).unwrap());
    assert!(error.contains("a label that is a text"), "{error}");
}

/// A file of a typed model that is changed anywhere, with the right checksum, is refused or gives a model: nothing panics.
#[test]
fn forged_files() {
    let typed = KernelSvc::params(kernel());
    let typed = typed.fit(&DatasetBase::new(matrix(), words())).unwrap();
    let bytes = npt_model_file::to_bytes(&typed).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    for position in 20..bytes.len() - 4 {
        let mut forged = bytes.clone();
        forged[position] = forged[position].wrapping_add(1 + (position % 7) as u8);
        let end = forged.len() - 4;
        let sum = crc32fast::hash(&forged[..end]);
        forged[end..].copy_from_slice(&sum.to_le_bytes());
        std::fs::write(file.path(), forged).unwrap();
        if let Ok(model) = Model::load(file.path()) {
            // The answers may be anything.
            let _ = (model.predict(&new()), model.to_onnx(), model.to_string());
        }
    }
}

/// A linear kernel inside this number of other kernels.
struct Deep(usize);

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "normalized")]
struct Around {
    kernel: Deep,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "linear")]
struct Inmost;

impl serde::Serialize for Deep {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(inside) = self.0.checked_sub(1) else {
            return Inmost.serialize(serializer);
        };
        let kernel = Self(inside);
        Around { kernel }.serialize(serializer)
    }
}

struct AnyDepth;

impl<'de> serde::de::Visitor<'de> for AnyDepth {
    type Value = Deep;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("kernels within kernels")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Deep, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        if name == "linear" {
            return object.newtype_variant().map(|Inmost| Deep(0));
        }
        let Around { kernel } = object.newtype_variant()?;
        Ok(Deep(kernel.0 + 1))
    }
}

impl<'de> serde::Deserialize<'de> for Deep {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(npt_model_file::BY_NAME, AnyDepth)
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Expansion")]
struct KernelAlone {
    kernel: Deep,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "ExpansionModel")]
struct Forged<M> {
    method: M,
    expansion: KernelAlone,
}

/// Kernels as deep as a file may have them are read on the stack of a test.
#[test]
fn deep_kernels() {
    for depth in [1, 20, 60, 120, 180, 220, 240, 250, 252] {
        let ridge = KernelRidge::params(Gaussian::new(0.5));
        let ridge = ridge.fit(&Dataset::new(matrix(), numbers())).unwrap();
        let (method, _) = ridge.into_parts();
        let kernel = Deep(depth);
        let expansion = KernelAlone { kernel };
        let error = refused(&Forged { method, expansion });
        assert!(error.contains("missing field") || depth > 20, "{error}");
    }
}
