//! Samples whose type is chosen at run time.

use crate::typed::samples::AnyKind;
use npt_core::{Error, Samples};
use npt_model_file::BY_NAME;
use petgraph::{Graph, Undirected};
use std::sync::{Arc, OnceLock};

/// A graph with texts at its vertices and edges.
pub type TextGraph = Graph<String, String, Undirected>;

/// Calls a macro with the types of samples: variant, type, name of a field, and the words of an error message.
macro_rules! with_kinds {
    ($macro:ident) => {
        $macro! {
            Rows(npt_core::Rows<f64>) rows "dense vectors";
            Sparse(npt_core::SparseRows<f64>) sparse "sparse vectors";
            Texts(npt_core::Items<String>) texts "texts";
            Sets(npt_core::Items<std::collections::BTreeSet<String>>) sets "sets of texts";
            Graphs(npt_core::Items<crate::samples::TextGraph>) graphs "graphs";
            Precomputed(npt_core::KernelRows<f64>) precomputed "precomputed kernel values";
        }
    };
}
pub(crate) use with_kinds;

/// Samples of one of the types for which there are kernels by name.
///
/// All methods are compiled once, for this type. Only blocks of kernel values depend on the type of the samples, which is looked up
/// once a block.
#[derive(Debug, Clone)]
pub struct AnySamples {
    of: Arc<Kind>,
    /// One handle a sample, made when a single sample is asked for.
    handles: Arc<OnceLock<Vec<Handle>>>,
}

/// One sample: the samples that it belongs to, and its position.
#[derive(Debug, Clone)]
pub struct Handle {
    of: Arc<Kind>,
    index: usize,
}

impl Handle {
    pub(crate) fn of(&self) -> (&Kind, usize) {
        (&self.of, self.index)
    }
}

macro_rules! kinds {
    ($($kind:ident($samples:ty) $field:ident $words:literal;)+) => {
        /// The samples, by their type.
        #[derive(Debug, serde::Serialize, serde::Deserialize)]
        #[serde(rename = "AnySamples")]
        pub(crate) enum Kind {
            $($kind($samples),)+
        }

        impl Kind {
            /// Words for the samples, as in an error message.
            pub(crate) fn words(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $words,)+
                }
            }

            fn len(&self) -> usize {
                match self {
                    $(Self::$kind(samples) => samples.len(),)+
                }
            }

            fn select(&self, indices: &[usize]) -> Self {
                match self {
                    $(Self::$kind(samples) => Self::$kind(samples.select(indices)),)+
                }
            }

            fn append(&self, more: &Self) -> Option<Result<Self, Error>> {
                match (self, more) {
                    $((Self::$kind(samples), Self::$kind(more)) => {
                        Some(samples.append(more).map(Self::$kind))
                    })+
                    _ => None,
                }
            }

            fn check_compatible(&self, new: &Self) -> Option<Result<(), Error>> {
                match (self, new) {
                    $((Self::$kind(samples), Self::$kind(new)) => Some(samples.check_compatible(new)),)+
                    _ => None,
                }
            }
        }

        $(impl From<$samples> for AnySamples {
            fn from(samples: $samples) -> Self {
                Self::new(Kind::$kind(samples))
            }
        })+
    };
}
with_kinds!(kinds);

impl AnySamples {
    fn new(of: Kind) -> Self {
        Self {
            of: Arc::new(of),
            handles: Arc::default(),
        }
    }

    /// The dense vectors, if the samples are dense vectors; else the samples as they are.
    pub(crate) fn into_rows(self) -> Result<npt_core::Rows<f64>, Self> {
        match Arc::try_unwrap(self.of) {
            Ok(Kind::Rows(rows)) => Ok(rows),
            Ok(other) => Err(Self::new(other)),
            Err(shared) => match &*shared {
                Kind::Rows(rows) => Ok(rows.clone()),
                _ => Err(Self {
                    of: shared,
                    handles: self.handles,
                }),
            },
        }
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.of
    }
}

impl Samples for AnySamples {
    type Sample = Handle;

    fn len(&self) -> usize {
        self.of.len()
    }

    fn get(&self, index: usize) -> &Handle {
        let handle = |index| Handle {
            of: Arc::clone(&self.of),
            index,
        };
        let handles = || (0..self.len()).map(handle).collect();
        &self.handles.get_or_init(handles)[index]
    }

    fn select(&self, indices: &[usize]) -> Self {
        Self::new(self.of.select(indices))
    }

    fn append(&self, more: &Self) -> Result<Self, Error> {
        self.of
            .append(&more.of)
            .map_or_else(|| Err(other_kind(self, more)), |of| of.map(Self::new))
    }

    fn check_compatible(&self, new: &Self) -> Result<(), Error> {
        self.of
            .check_compatible(&new.of)
            .unwrap_or_else(|| Err(other_kind(self, new)))
    }
}

fn other_kind(samples: &AnySamples, new: &AnySamples) -> Error {
    Error::SampleKind {
        expected: samples.of.words(),
        found: new.of.words(),
    }
}

impl linfa::dataset::Records for AnySamples {
    type Elem = f64;

    fn nsamples(&self) -> usize {
        self.len()
    }

    fn nfeatures(&self) -> usize {
        match &*self.of {
            Kind::Rows(rows) => rows.view().ncols(),
            _ => 1,
        }
    }
}

impl serde::Serialize for AnySamples {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.of.serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for AnySamples {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Formats of text may write a newtype's name around its value; they have [`Kind`] alone.
        if deserializer.is_human_readable() {
            return Kind::deserialize(deserializer).map(Self::new);
        }
        deserializer
            .deserialize_newtype_struct(BY_NAME, AnyKind)
            .map(Self::new)
    }
}
