//! Compares the contents that kept files report with what they hold: `contents.txt` has a line for each.

use super::{
    each,
    support::{Predicted, Visitor, type_of},
    visitors::golden,
};
use npt::model_file::{Contents, Item};
use serde::{Serialize, de::DeserializeOwned};
use std::{any::type_name, env, fmt::Write, fs, path::Path};

/// A visitor that writes a line for every kept file.
struct Says {
    text: String,
}

impl Visitor for Says {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        _: impl FnOnce() -> M,
        _: impl Fn(&M) -> Predicted,
    ) {
        let contents = Contents::load(golden(name)).unwrap();
        let named = |item: Option<&Item>| item.and_then(Item::name).unwrap_or("-").to_owned();
        let model = named(contents.model().get("model"));
        let whole = type_name::<M>().split('<').next().unwrap_or_default();
        assert_eq!(whole.rsplit("::").next(), Some(&*type_of(&model)), "{name}");
        let [method, kernel] = [contents.method(), contents.kernel()].map(named);
        let [samples, space] = [contents.samples(), contents.space()].map(named);
        let is_known = kernel == "-" || type_name::<M>().contains(&type_of(&kernel));
        // A type whose kernel is always of one type does not have that in its name.
        let is_fixed = !type_name::<M>().contains("::kernels::");
        assert!(is_known || is_fixed, "{name}: {kernel} is no part of it");
        writeln!(
            self.text,
            "{name}: {model}, {method}, {kernel}, {samples}, {space}"
        )
        .unwrap();
    }
}

#[test]
fn every_kept_file_says_what_it_holds() {
    let mut says = Says {
        text: String::from("file: model, method, kernel, samples, space\n"),
    };
    each(&mut says);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("saving/contents.txt");
    if env::var_os("NPT_NEW_GOLDEN").is_some() {
        fs::write(&path, &says.text).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap();
    for (now, then) in says.text.lines().zip(kept.lines()) {
        assert_eq!(now, then);
    }
    assert_eq!(says.text.lines().count(), kept.lines().count());
}
