//! Tests that no file is loaded as another type, except for types that a file does not tell apart.

use super::{
    each,
    support::{Predicted, Visitor},
    visitors::{Kept, golden},
};
use ndarray::{Array1, array};
use npt::{
    ExpansionModel,
    linfa::DatasetBase,
    methods::{
        linear::{Ridge, Svc},
        streaming::ClassMoments,
    },
    model_file::{from_bytes, load, to_bytes},
    prelude::*,
};
use petgraph::{Graph, Undirected};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    any::type_name,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
};

/// The model of a kept file: the name of the file, the model's type, its bytes.
type Model = (String, &'static str, Vec<u8>);

/// Collects the models of all kept files.
struct Collects(Vec<Model>);

impl Visitor for Collects {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        _: impl FnOnce() -> M,
        _: impl Fn(&M) -> Predicted,
    ) {
        let kept: Kept<M> = load(golden(name)).unwrap();
        let bytes = to_bytes(&kept.model).unwrap();
        self.0.push((name.to_owned(), type_name::<M>(), bytes));
    }
}

/// A visitor that loads every model as each type.
struct Types<'a>(&'a [Model]);

impl Visitor for Types<'_> {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        _: impl FnOnce() -> M,
        _: impl Fn(&M) -> Predicted,
    ) {
        let own_type = type_name::<M>();
        for (other, other_type, bytes) in self.0 {
            assert_eq!(
                from_bytes::<M>(bytes).is_ok(),
                own_type == *other_type,
                "whether {other}, a {other_type}, is loaded as {name}, a {own_type}"
            );
        }
    }
}

#[test]
fn no_model_is_loaded_as_another_type() {
    let mut all = Collects(Vec::new());
    each(&mut all);
    each(&mut Types(&all.0));
}

fn is_loaded<M: Serialize + DeserializeOwned, Other: DeserializeOwned>(model: &M) -> bool {
    from_bytes::<Other>(&to_bytes(model).unwrap()).is_ok()
}

type Machine<F> = Kept<ExpansionModel<Svc<F>, Rows<F>, Gaussian<F>, F>>;

/// A number by itself is whole or not, and its file has no more of its type; a list has the type of its numbers.
#[test]
fn numbers_by_themselves_have_no_type() {
    let kernel = Gaussian::new(0.3_f32);
    let wide: Gaussian<f64> = from_bytes(&to_bytes(&kernel).unwrap()).unwrap();
    let (x, y) = ([0.5_f32, -1.0], [1.5_f32, 0.25]);
    let [wide_x, wide_y] = [x, y].map(|sample| sample.map(f64::from));
    let value = f64::from(kernel.eval(&x, &y));
    let difference = wide.eval(&wide_x, &wide_y) - value;
    assert!(difference.abs() <= 1e-6 * value, "{difference:e}");
    assert!(is_loaded::<_, Gaussian<f32>>(&Gaussian::new(0.5_f64)));
    // 0.3 in double precision is no number of single precision.
    assert!(!is_loaded::<_, Gaussian<f32>>(&Gaussian::new(0.3_f64)));

    let samples = Rows::new(array![[0.5_f32]]).unwrap();
    assert!(!is_loaded::<_, Rows<f64>>(&samples));
    let file = fs::read(golden("kernel_svc_f32")).unwrap();
    assert!(from_bytes::<Machine<f32>>(&file).is_ok());
    assert!(from_bytes::<Machine<f64>>(&file).is_err());

    let mut moments = ClassMoments::new(1);
    let some = DatasetBase::new(array![[1.0], [2.0]], array![0_usize, 1]);
    moments.add(&some).unwrap();
    assert!(is_loaded::<_, ClassMoments<u8>>(&moments));
    assert!(!is_loaded::<_, ClassMoments<bool>>(&moments));
}

fn items<T: Clone>(items: &[T]) -> Items<T> {
    Items::new(items.to_vec()).unwrap()
}

/// A set is written as the list of its elements, whichever type of set it is.
#[test]
fn sets_of_another_type_predict_the_same() {
    let sets = [0..2, 1..3, 0..4, 3..5, 2..3_u32].map(BTreeSet::from_iter);
    let targets = array![0.5, 1.0, -1.0, 2.0, 0.0];
    let data = DatasetBase::new(items(&sets), targets);
    let model = KernelRidge::params(Jaccard::new()).fit(&data).unwrap();
    let file = to_bytes(&model).unwrap();
    let again: ExpansionModel<Ridge<f64>, Items<HashSet<u32>>, Jaccard> =
        from_bytes(&file).unwrap();
    let tables = sets.each_ref().map(|set| set.iter().copied().collect());
    let predicted: Array1<f64> = model.try_predict(&items(&sets)).unwrap();
    let of_tables: Array1<f64> = again.try_predict(&items::<HashSet<u32>>(&tables)).unwrap();
    assert_eq!(predicted, of_tables);
    assert!(!is_loaded::<_, Items<BTreeSet<u64>>>(&items(&sets)));
}

type Labelled<N, Index> = Items<Graph<N, (), Undirected, Index>>;

#[test]
fn other_containers_that_are_written_alike() {
    let list = items(&[vec![2_u32, 1]]);
    assert!(is_loaded::<_, Items<BTreeSet<u32>>>(&list));
    assert!(!is_loaded::<_, Items<(u32, u32)>>(&list));
    // The file of an empty list has no type of its numbers.
    assert!(is_loaded::<_, Items<Vec<f64>>>(&items(
        &[Vec::<u32>::new()]
    )));
    let map = items(&[BTreeMap::from([("a".to_owned(), 1_u32)])]);
    assert!(is_loaded::<_, Items<HashMap<String, u32>>>(&map));
    assert!(is_loaded::<_, Items<String>>(&items(&['a'])));
    assert!(is_loaded::<_, Items<Box<str>>>(&items(&['a'])));
    let mut graph = Graph::<u8, (), Undirected, u32>::default();
    graph.add_node(1);
    assert!(is_loaded::<_, Labelled<u8, usize>>(&items(
        &[graph.clone()]
    )));
    assert!(!is_loaded::<_, Labelled<u16, u32>>(&items(&[graph])));
}
