//! Letters that no planes tell apart: what a kernel is for.
//!
//! Each of 20,000 pictures of capital letters, in twenty distorted typefaces, is described by 16 numbers: where its ink is, how wide
//! it is, how many edges a line crosses. A support vector machine has a plane between each two of the 26 letters. In the space
//! of the 16 numbers the planes do not fit; in the space of a Gaussian kernel they do. The parameters of either are chosen by five-fold
//! cross-validation on 4000 letters. The best of each is fitted to the first 16,000, as these data are usually divided. This
//! is what it prints:
//!
//! ```text
//! space    method    score
//! linear   C = 1     0.8303 ± 0.0061
//! linear   C = 10    0.8247 ± 0.0073
//! linear   C = 100   0.8145 ± 0.0055
//! linear   C = 0.1   0.8103 ± 0.0105
//!
//! linear, C = 1: 16.4 % of 4000 are wrong
//!
//! space               method    score
//! gaussian γ = 0.1    C = 100   0.9210 ± 0.0068
//! gaussian γ = 0.1    C = 10    0.9205 ± 0.0076
//! gaussian γ = 0.03   C = 100   0.9113 ± 0.0063
//! …
//!
//! gaussian γ = 0.1, C = 100: 2.5 % of 4000 are wrong
//! ```
//!
//! The authors of the data report that the best of their own classifiers had a little under 20 % wrong.
//!
//! The data are the UCI set "Letter Recognition", standardised, not included here: put `letter.csv` into a folder and its name
//! into `NPT_DATA`.
//!
//! # References
//! P. Frey, D. Slate, "Letter Recognition Using Holland-Style Adaptive Classifiers", Machine Learning 6(2), 1991.
//! doi:10.1007/BF00114162

use linfa::DatasetBase;
use ndarray::{Array1, Array2, s};
use npt::{
    methods::{
        linear::Svc,
        model_selection::{Candidates, Folds, GridSearch, accuracy},
    },
    prelude::*,
};
use npt_testkit::datasets;
use num_traits::ToPrimitive;
use std::{error::Error, ops::Range, path::Path};

/// The number of letters that machines are fitted to; the others test them.
const TRAINING: usize = 16_000;
/// The number of training letters that choose the parameters.
const CHOOSING: usize = 4000;

type Letters = DatasetBase<Array2<f64>, Array1<usize>>;
type Spaces = Candidates<Exact<npt::NamedKernel<Rows<f64>, f64>>>;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = datasets::folder() else {
        println!("skipped: set NPT_DATA to a folder with letter.csv");
        return Ok(());
    };
    let letters = read(&folder.join("letter.csv"))?;
    let part = |rows: Range<usize>| -> Letters {
        let records = letters.records.slice(s![rows.clone(), ..]).to_owned();
        DatasetBase::new(records, letters.targets.slice(s![rows]).to_owned())
    };
    let (training, test) = (part(0..TRAINING), part(TRAINING..letters.targets.len()));

    let kernels: [Spaces; 2] = [
        Candidates::new().kernel("linear", Linear::new()),
        Candidates::new().kernels("gaussian γ", [0.03, 0.1, 0.3], Gaussian::new),
    ];
    let score = |predicted: &Array1<usize>, truth: &Array1<usize>| accuracy(predicted, truth);
    for spaces in kernels {
        let machines = Candidates::new().over("C", [0.1, 1.0, 10.0, 100.0], |c| Svc::params().c(c));
        let search = GridSearch::new(spaces, machines);
        let some = part(0..CHOOSING);
        let scores = search.scores(&some, &Folds::stratified(&some, 5, 1)?, score)?;
        println!("{scores}\n");
        let best = scores.best().ok_or("no candidate could be fitted")?;
        let model = search.estimator(best).fit(&training)?;
        let wrong = 1.0 - accuracy(&model.predict(&test.records), &test.targets);
        let (space, method) = scores.names(best);
        println!(
            "{space}, {method}: {:.1} % of {} are wrong\n",
            100.0 * wrong,
            test.targets.len()
        );
    }
    Ok(())
}

fn read(path: &Path) -> Result<Letters, Box<dyn Error>> {
    let (records, targets) = datasets::csv(path)?;
    let classes: Option<Array1<usize>> = targets.iter().map(ToPrimitive::to_usize).collect();
    Ok(DatasetBase::new(
        records,
        classes.ok_or("a class is negative")?,
    ))
}
