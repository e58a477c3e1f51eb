//! Ten linfa estimators and their kernel versions, side by side.
//!
//! An estimator `method` that linfa can fit to a matrix is made a kernel method by one line:
//!
//! ```ignore
//! Kernelized::new(method, Exact::new(kernel))
//! ```
//!
//! It is a linfa estimator again: `fit`, `predict` and everything built on them stay as they were.
//! This program does that to classifiers, clusterings and regressions. It prints the score of each on
//! samples that it has not seen, once as linfa has it and once in kernel coordinates:
//!
//! ```text
//! Scores on held-out samples, means of five splits; 1 is perfect.
//! kernelized: the same estimator in the coordinates of a Gaussian kernel.
//!
//! data      estimator                score      linear  kernelized
//! letters   LogisticRegression       MCC          0.19        0.79
//! rings     LogisticRegression       accuracy     0.58        1.00
//! rings     KMeans                   purity       0.73        1.00
//! rings     GaussianMixtureModel     purity       0.65        1.00
//! XOR       Svm                      accuracy     0.53        0.97
//! XOR       GaussianNb               accuracy     0.43        0.90
//! iris      MultiLogisticRegression  accuracy     0.96        0.96
//! iris      KMeans                   purity       0.86        0.87
//! wine      DecisionTree             MCC          0.41        0.43
//! wine      RandomForest             MCC          0.44        0.47
//! wine      Svm                      MCC          0.43        0.46
//! diabetes  LinearRegression         R²           0.49        0.47
//! diabetes  ElasticNet, ridge        R²           0.49        0.48
//! diabetes  ElasticNet, lasso        R²           0.48        0.46
//!
//! accuracy: the share of labels that are right; purity: of samples in a cluster of their class;
//! MCC: Matthews' correlation, 0 for guessing; R²: the share of variance that is explained.
//! ```
//!
//! Letters are 2000 pictures of capitals in twenty typefaces, each described by 16 whole numbers: where
//! its ink is, how many edges a line crosses. The question is which of them are vowels. A plane in these
//! 16 dimensions hardly does better than guessing; in kernel coordinates it does: this is what a kernel
//! is for.
//!
//! Rings and XOR are made so that a straight line fails: the rings lie inside each other, the squares
//! of XOR opposite each other. Wine gains a little, from interactions between measurements. Iris is all
//! but linear, and diabetes is 442 noisy patients: there a kernel has nothing to find and costs some
//! variance. Always try the linear version first.
//!
//! Features are standardised on the training part. γ is 1/d for d features, a rule of thumb, but 2
//! for rings and XOR, whose shapes are finer than their spread. Methods with a regulariser of their own
//! get all dimensions of the space, or those that hold 95 % of the variance, or for letters the leading
//! 400; the others get the ten leading ones, the mixture two. Five and twenty components, and several
//! penalties of the elastic nets, were looked at on these same held-out samples: read the table as an
//! illustration, not as an estimate. A penalty counts in the units of its coordinates: the linear
//! versions might do with another. linfa's trees break ties in the order of a hash map, so their scores
//! move by a few hundredths from run to run.
//!
//! # References
//! D. Slate, "Letter Recognition", UCI Machine Learning Repository, 1991, doi:10.24432/C5ZP40 (CC BY 4.0).

use linfa::{
    Dataset, Label,
    prelude::{SingleTargetRegression, ToConfusionMatrix},
};
use linfa_bayes::GaussianNb;
use linfa_clustering::{GaussianMixtureModel, KMeans};
use linfa_elasticnet::ElasticNet;
use linfa_ensemble::RandomForestParams;
use linfa_linear::LinearRegression;
use linfa_logistic::{LogisticRegression, MultiLogisticRegression};
use linfa_svm::Svm;
use linfa_trees::DecisionTree;
use ndarray::{Array1, Array2, Ix1};
use npt::{methods::preprocessing::StandardScaler, prelude::*, tables::CsvBlocks};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;
use std::{error::Error, f64::consts::TAU};

/// The number of seeded random splits; every score is the mean over them.
const SPLITS: u64 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    println!("Scores on held-out samples, means of five splits; 1 is perfect.");
    println!("kernelized: the same estimator in the coordinates of a Gaussian kernel.\n");
    println!("data      estimator                score      linear  kernelized");
    letters()?;
    toys()?;
    iris()?;
    wine()?;
    diabetes()?;
    println!(
        "\naccuracy: the share of labels that are right; purity: of samples in a cluster of their class;"
    );
    println!(
        "MCC: Matthews' correlation, 0 for guessing; R²: the share of variance that is explained."
    );
    Ok(())
}

/// Compares estimators on pictures of capital letters, described by 16 numbers each: is a letter a vowel?
fn letters() -> Result<(), Box<dyn Error>> {
    let table = include_bytes!("../../data/letters.csv");
    let data = CsvBlocks::new(&table[..])?.labels("letter")?.read()?;
    let (data, _) = data.split_with_ratio(0.5);
    let data = data.map_targets(|letter| "AEIOU".contains(letter.as_str()));
    let leading = Exact::new(Gaussian::new(1.0 / 16.0)).rank(Rank::Components(400));

    let logistic = LogisticRegression::default().alpha(0.01);
    let scores = compare(&data, &logistic, leading, correlation)?;
    print_row("letters", "LogisticRegression", "MCC", scores);
    Ok(())
}

/// Compares estimators on classes that no straight line separates.
fn toys() -> Result<(), Box<dyn Error>> {
    let (rings, xor) = (rings(), xor());
    let gaussian = || Exact::new(Gaussian::new(2.0));
    let leading = |m| gaussian().rank(Rank::Components(m));

    let logistic = LogisticRegression::default();
    let scores = compare(&rings, &logistic, gaussian(), accuracy)?;
    print_row("rings", "LogisticRegression", "accuracy", scores);

    let means = KMeans::params_with_rng(2, rng(1));
    let scores = compare(&rings, &means, gaussian(), purity)?;
    print_row("rings", "KMeans", "purity", scores);

    let mixture = GaussianMixtureModel::params_with_rng(2, rng(1));
    let scores = compare(&rings, &mixture, leading(2), purity)?;
    print_row("rings", "GaussianMixtureModel", "purity", scores);

    let machine = Svm::<f64, bool>::params().pos_neg_weights(10.0, 10.0);
    let scores = compare(&xor, &machine, gaussian(), accuracy)?;
    print_row("XOR", "Svm", "accuracy", scores);

    let bayes = GaussianNb::params();
    let scores = compare(&xor, &bayes, leading(10), accuracy)?;
    print_row("XOR", "GaussianNb", "accuracy", scores);
    Ok(())
}

/// Compares estimators on three species of flowers, described by four lengths: almost linear.
fn iris() -> Result<(), Box<dyn Error>> {
    let data = linfa_datasets::iris();
    let gaussian = || Exact::new(Gaussian::new(1.0 / 4.0));

    let logistic = MultiLogisticRegression::default();
    let scores = compare(&data, &logistic, gaussian(), accuracy)?;
    print_row("iris", "MultiLogisticRegression", "accuracy", scores);

    let means = KMeans::params_with_rng(3, rng(1));
    let scores = compare(&data, &means, gaussian(), purity)?;
    print_row("iris", "KMeans", "purity", scores);
    Ok(())
}

/// Compares estimators on wines that are better than 6 points or not, by eleven measurements; one in seven is better.
fn wine() -> Result<(), Box<dyn Error>> {
    let data = linfa_datasets::winequality().map_targets(|&points| points > 6);
    let gaussian = Exact::new(Gaussian::new(1.0 / 11.0));
    let leading = gaussian.clone().rank(Rank::Components(10));

    let tree = DecisionTree::params().max_depth(Some(8));
    let scores = compare(&data, &tree, leading.clone(), correlation)?;
    print_row("wine", "DecisionTree", "MCC", scores);

    let forest = RandomForestParams::new_fixed_rng(DecisionTree::params(), rng(1))
        .ensemble_size(50)
        .bootstrap_proportion(0.7)
        .feature_proportion(0.5);
    let scores = compare(&data, &forest, leading, correlation)?;
    print_row("wine", "RandomForest", "MCC", scores);

    let machine = Svm::<f64, bool>::params()
        .pos_neg_weights(7.0, 1.0)
        .eps(1e-3);
    let scores = compare(
        &data,
        &machine,
        gaussian.rank(Rank::Variance(0.95)),
        correlation,
    )?;
    print_row("wine", "Svm", "MCC", scores);
    Ok(())
}

/// Compares estimators on the progress of a disease, by ten measurements of 442 patients.
fn diabetes() -> Result<(), Box<dyn Error>> {
    let data = linfa_datasets::diabetes();
    let gaussian = Exact::new(Gaussian::new(1.0 / 10.0));

    let least_squares = LinearRegression::new();
    let leading = gaussian.clone().rank(Rank::Components(10));
    let scores = compare(&data, &least_squares, leading, r_squared)?;
    print_row("diabetes", "LinearRegression", "R²", scores);

    let ridge = ElasticNet::ridge().penalty(0.01).max_iterations(100);
    let scores = compare(&data, &ridge, gaussian.clone(), r_squared)?;
    print_row("diabetes", "ElasticNet, ridge", "R²", scores);

    let lasso = ElasticNet::lasso().penalty(1.0);
    let scores = compare(&data, &lasso, gaussian, r_squared)?;
    print_row("diabetes", "ElasticNet, lasso", "R²", scores);
    Ok(())
}

/// The score of a method on records as they are, and of its kernel version.
fn compare<M, T, P, E, K>(
    data: &Dataset<f64, T, Ix1>,
    method: &M,
    space: Exact<K>,
    score: fn(&Array1<P>, &Array1<T>) -> f64,
) -> Result<[f64; 2], Box<dyn Error>>
where
    M: LinearMethod<f64, Array1<T>, E> + Clone,
    M::Object: PredictInplace<Array2<f64>, Array1<P>>,
    E: Error + From<linfa::Error> + 'static,
    K: Kernel<Rows<f64>, Scalar = f64>,
    T: Copy + 'static,
{
    let kernelized = Kernelized::new(method.clone(), space);
    let mut scores = [0.0; 2];
    for seed in 0..SPLITS {
        let (mut train, mut test) = data.shuffle(&mut rng(seed)).split_with_ratio(0.7);
        let scaler = StandardScaler::params().fit(&train)?;
        train.records = scaler.transform(train.records);
        test.records = scaler.transform(test.records);

        scores[0] += score(&method.fit(&train)?.predict(&test), test.targets());
        scores[1] += score(&kernelized.fit(&train)?.predict(&test), test.targets());
    }
    Ok(scores.map(|sum| sum / SPLITS as f64))
}

fn print_row(data: &str, estimator: &str, score: &str, [linear, kernelized]: [f64; 2]) {
    println!("{data:<9} {estimator:<24} {score:<9} {linear:>7.2} {kernelized:>11.2}");
}

fn accuracy<L: Label>(predicted: &Array1<L>, truth: &Array1<L>) -> f64 {
    let hits = predicted.iter().zip(truth).filter(|(p, t)| p == t).count();
    hits as f64 / truth.len() as f64
}

/// Matthews' correlation coefficient: 1 is perfect, 0 is guessing, whatever the class sizes.
fn correlation(predicted: &Array1<bool>, truth: &Array1<bool>) -> f64 {
    let matrix = predicted.confusion_matrix(truth);
    matrix.expect("one prediction a sample").mcc().into()
}

/// The share of samples whose class is the commonest one in their cluster.
fn purity<L: Label>(clusters: &Array1<usize>, truth: &Array1<L>) -> f64 {
    let size = |cluster, class: &L| {
        let pairs = clusters.iter().zip(truth);
        pairs.filter(|&(&c, t)| c == cluster && t == class).count()
    };
    let clusters = 0..=clusters.iter().max().copied().unwrap_or(0);
    let largest = clusters.map(|cluster| truth.iter().map(|class| size(cluster, class)).max());
    largest.flatten().sum::<usize>() as f64 / truth.len() as f64
}

fn r_squared(predicted: &Array1<f64>, truth: &Array1<f64>) -> f64 {
    predicted.r2(truth).expect("one prediction a sample")
}

/// A disc inside a ring.
fn rings() -> Dataset<f64, bool, Ix1> {
    let mut rng = rng(1);
    let inner = Array1::from_shape_fn(400, |i| i % 2 == 0);
    let mut points = Array2::zeros((400, 2));
    for (mut point, &inner) in points.outer_iter_mut().zip(&inner) {
        let noise: f64 = rng.sample(StandardNormal);
        let radius = if inner { 0.3 } else { 2.0 } + 0.15 * noise;
        let (sin, cos) = rng.gen_range(0.0..TAU).sin_cos();
        point[0] = radius * cos;
        point[1] = radius * sin;
    }
    Dataset::new(points, inner)
}

/// Four squares; opposite ones are of the same class.
fn xor() -> Dataset<f64, bool, Ix1> {
    let mut rng = rng(2);
    let points = Array2::from_shape_simple_fn((400, 2), || rng.gen_range(-1.0..1.0));
    let same_sign = points
        .outer_iter()
        .map(|point| point[0] * point[1] > 0.0)
        .collect();
    Dataset::new(points, same_sign)
}

fn rng(seed: u64) -> Xoshiro256Plus {
    Xoshiro256Plus::seed_from_u64(seed)
}
