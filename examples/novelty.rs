//! Novelty detection by kernel PCA: digits that are unlike the training digits.
//!
//! After H. Hoffmann, "Kernel PCA for novelty detection", 2007: a detector sees digits of one class alone, and is then shown
//! unseen digits of all classes. Four detectors are compared on the same samples:
//!
//! * kernel PCA: the squared distance of φ(x) from the space of the first q components;
//! * the Parzen window: the same without any component, which ranks digits by their mean kernel value with the training digits;
//! * the one-class support vector machine, with a tenth of the training digits outside;
//! * linear PCA: the squared distance from the space of the first q components of the pixels.
//!
//! The area under the ROC curve is the share of pairs of a known and a novel digit in which the novel one has the larger
//! error, in percent. "Found" is the share of novel digits whose error is above that of 95 % of the known ones. The columns are for zeros as
//! the known class, and for the mean over each of the ten classes; the kernels are exp(−‖x − y‖²/2σ²):
//!
//! ```text,data
//!                                         zeros       each class
//!                                   area  found      area  found
//! linear PCA, q = 20               98.35   94.3     95.06   73.2
//! linear PCA, q = 50               98.56   93.9     94.77   77.0
//! linear PCA, q = 100              98.02   90.2     93.42   71.3
//! Parzen window, σ = 4             97.91   88.2     91.00   57.5
//! one-class machine, σ = 4         98.75   94.5     93.86   68.3
//! kernel PCA, σ = 4, q = 50        98.40   92.6     92.86   66.6
//! kernel PCA, σ = 4, q = 100       98.48   93.3     93.09   67.8
//! kernel PCA, σ = 4, q = 200       98.56   93.2     93.35   69.0
//! kernel PCA, σ = 4, q = 400       98.69   94.0     93.39   69.3
//! Parzen window, σ = 8             96.33   79.1     89.20   50.7
//! one-class machine, σ = 8         98.16   90.4     94.64   71.0
//! kernel PCA, σ = 8, q = 50        98.59   93.8     94.17   68.8
//! kernel PCA, σ = 8, q = 100       98.78   95.3     94.38   70.4
//! kernel PCA, σ = 8, q = 200       98.87   96.6     94.31   71.1
//! kernel PCA, σ = 8, q = 400       98.84   96.3     94.06   70.7
//! Parzen window, σ = 16            95.20   76.0     88.76   48.9
//! one-class machine, σ = 16        97.09   84.4     93.26   66.7
//! kernel PCA, σ = 16, q = 50       98.75   97.0     94.78   72.6
//! kernel PCA, σ = 16, q = 100      98.92   97.1     94.65   70.7
//! kernel PCA, σ = 16, q = 200      98.89   96.8     94.50   70.9
//! kernel PCA, σ = 16, q = 400      98.80   96.8     94.10   70.2
//! ```
//!
//! Among zeros kernel PCA with a wide kernel finds most. Over all classes linear PCA finds as much, or more. The Parzen window finds least
//! everywhere.
//!
//! The data are the zip code digits of "The Elements of Statistical Learning", not included here: put `usps_train.gz` and
//! `usps_test.gz` into a folder and its name into `NPT_DATA`. The paper uses other digits, those of MNIST, so there are no figures to compare.
//!
//! # References
//! H. Hoffmann, "Kernel PCA for novelty detection", Pattern Recognition 40(3), 2007. doi:10.1016/j.patcog.2006.07.009

use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis};
use npt::prelude::*;
use npt_testkit::datasets::{self, Digits};
use std::error::Error;

const CLASSES: usize = 10;
/// Widths σ of the kernel, in grey values.
const WIDTHS: [f64; 3] = [4.0, 8.0, 16.0];
const LINEAR: [usize; 3] = [20, 50, 100];
const KERNEL: [usize; 4] = [50, 100, 200, 400];

type Step<T> = Result<T, Box<dyn Error>>;

/// Returns a number for each new digit, the larger the less it is like the training digits.
type Detector<'a> = dyn Fn(&Array2<f64>, &Array2<f64>) -> Step<Array1<f64>> + 'a;

/// The area under the ROC curve, and the share of novel digits beyond 95 % of the known ones.
struct Found {
    area: f64,
    beyond: f64,
}

fn main() -> Step<()> {
    let Some(folder) = datasets::folder() else {
        println!("skipped: set NPT_DATA to a folder with usps_train.gz and usps_test.gz");
        return Ok(());
    };
    let known = Digits::read(&folder.join("usps_train.gz"))?;
    let new = Digits::read(&folder.join("usps_test.gz"))?;
    let compare = |name: String, errors: &Detector<'_>| -> Step<()> {
        let found = (0..CLASSES).map(|class| {
            let training = of_class(&known, class);
            Ok(found(&errors(&training, &new.pixels)?, &new.labels, class))
        });
        let found = found.collect::<Step<Vec<Found>>>()?;
        let mean = |of: &dyn Fn(&Found) -> f64| found.iter().map(of).sum::<f64>() / CLASSES as f64;
        println!(
            "{name:<28} {:>9.2} {:>6.1} {:>9.2} {:>6.1}",
            100.0 * found[0].area,
            100.0 * found[0].beyond,
            100.0 * mean(&|found| found.area),
            100.0 * mean(&|found| found.beyond),
        );
        Ok(())
    };
    println!("{:<28} {:>16} {:>16}", "", "zeros", "each class");
    println!("{:<28} {1:>9} {2:>6} {1:>9} {2:>6}", "", "area", "found");
    for q in LINEAR {
        let errors: &Detector<'_> = &|training, new| kernel_pca(Linear::new(), q, training, new);
        compare(format!("linear PCA, q = {q}"), errors)?;
    }
    for sigma in WIDTHS {
        let kernel = Gaussian::new(0.5 / (sigma * sigma));
        let window: &Detector<'_> = &|training, new| parzen(kernel, training, new);
        compare(format!("Parzen window, σ = {sigma}"), window)?;
        let machine: &Detector<'_> = &|training, new| one_class(kernel, training, new);
        compare(format!("one-class machine, σ = {sigma}"), machine)?;
        for q in KERNEL {
            let errors: &Detector<'_> = &|training, new| kernel_pca(kernel, q, training, new);
            compare(format!("kernel PCA, σ = {sigma}, q = {q}"), errors)?;
        }
    }
    Ok(())
}

fn of_class(digits: &Digits, class: usize) -> Array2<f64> {
    let rows = digits
        .labels
        .indexed_iter()
        .filter(|&(_, &label)| label == class);
    let rows: Vec<usize> = rows.map(|(row, _)| row).collect();
    digits.pixels.select(Axis(0), &rows)
}

/// The reconstruction errors of kernel PCA with `q` components.
fn kernel_pca<K>(
    kernel: K,
    q: usize,
    training: &Array2<f64>,
    new: &Array2<f64>,
) -> Step<Array1<f64>>
where
    K: Kernel<Rows<f64>, Scalar = f64> + Clone + 'static,
{
    let detector = NoveltyDetector::params(kernel).rank(Rank::Components(q));
    let model = detector.fit(&DatasetBase::from(training.clone()))?;
    Ok(model.reconstruction_errors(new)?)
}

/// The negative mean kernel value with the training digits.
fn parzen(kernel: Gaussian<f64>, training: &Array2<f64>, new: &Array2<f64>) -> Step<Array1<f64>> {
    let values = kernel.cross(&Rows::new(new.clone())?, &Rows::new(training.clone())?);
    Ok(-values.mean_axis(Axis(1)).ok_or("no training digits")?)
}

/// The negative decision value.
fn one_class(
    kernel: Gaussian<f64>,
    training: &Array2<f64>,
    new: &Array2<f64>,
) -> Step<Array1<f64>> {
    let machine = KernelOneClassSvm::params(0.1, kernel);
    let model = machine.fit(&DatasetBase::from(training.clone()))?;
    Ok(-model.decision_function(new)?)
}

fn found(errors: &Array1<f64>, labels: &Array1<usize>, class: usize) -> Found {
    let of = |is_known: bool| -> Vec<f64> {
        let pairs = errors.iter().zip(labels);
        let mut of = pairs.filter(|(_, label)| (**label == class) == is_known);
        let mut of: Vec<f64> = of.by_ref().map(|(error, _)| *error).collect();
        of.sort_by(f64::total_cmp);
        of
    };
    let (known, novel) = (of(true), of(false));
    let below: usize = novel
        .iter()
        .map(|&error| known.partition_point(|&k| k < error))
        .sum();
    let threshold = known[known.len() - 1 - known.len() / 20];
    let beyond = novel.len() - novel.partition_point(|&error| error <= threshold);
    Found {
        area: below as f64 / (known.len() * novel.len()) as f64,
        beyond: beyond as f64 / novel.len() as f64,
    }
}
