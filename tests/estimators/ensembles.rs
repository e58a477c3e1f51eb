//! Tests trees and ensembles of trees: each split looks at one axis.
//!
//! linfa 0.8.1 breaks ties between splits in the order of a hash map. So its trees and ensembles
//! differ from run to run whatever the generator. The verdict compares the effect of turning the axes
//! with the effect of a second run.

use super::{
    Row, Verdict,
    tasks::{quadratic, rings, rng},
    verdict::share,
};
use linfa::{Dataset, traits::PredictInplace};
use linfa_ensemble::{AdaBoostParams, EnsembleLearnerParams, RandomForestParams};
use linfa_trees::DecisionTree;
use ndarray::{Array1, Array2};
use npt::{Axes, Kernelized, LinearMethod};

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "DecisionTree",
        from: "linfa-trees",
        way: "fit",
        check: decision_tree,
    },
    Row {
        name: "EnsembleLearner",
        from: "linfa-ensemble",
        way: "fit",
        check: || {
            let bagging = EnsembleLearnerParams::new_fixed_rng(DecisionTree::params(), rng(1));
            verdict(&bagging.ensemble_size(20).bootstrap_proportion(0.7))
        },
    },
    Row {
        name: "RandomForest",
        from: "linfa-ensemble",
        way: "fit",
        check: || {
            let forest = RandomForestParams::new_fixed_rng(DecisionTree::params(), rng(1));
            let forest = forest.ensemble_size(20).bootstrap_proportion(0.7);
            verdict(&forest.feature_proportion(0.6))
        },
    },
    Row {
        name: "AdaBoost",
        from: "linfa-ensemble",
        way: "fit",
        check: || {
            let stump = DecisionTree::params().max_depth(Some(1));
            verdict(&AdaBoostParams::new_fixed_rng(stump, rng(1)).n_estimators(30))
        },
    },
];

/// Tests a decision tree, which reads sample weights: it never predicts a class of weight 0.
fn decision_tree() -> Verdict {
    let train = rings().train;
    let weights = train
        .targets()
        .mapv(|class| if class == 1 { 1.0 } else { 0.0 });
    let train = Dataset::new(train.records().clone(), train.targets().clone());
    let estimator = Kernelized::new(DecisionTree::params(), quadratic(Axes::Principal));
    let tree = estimator.fit(&train.with_weights(weights)).expect("a tree");
    assert!(tree.predict(&rings().probe).iter().all(|&class| class == 1));
    verdict(&DecisionTree::params())
}

/// Tests that coordinates reach a method of trees, and that it depends on the axes. Trees can follow any curve by steps, so
/// the linear version is no worse.
fn verdict<M, E>(method: &M) -> Verdict
where
    M: LinearMethod<f64, Array1<usize>, E> + Clone,
    M::Object: PredictInplace<Array2<f64>, Array1<usize>>,
    E: std::error::Error + From<linfa::Error> + 'static,
{
    let task = rings();
    let predict = |axes| -> Array1<usize> {
        let estimator = Kernelized::new(method.clone(), quadratic(axes));
        let model = estimator.fit(&task.train).expect("trees");
        let score = share(&model.predict(task.new.records()), task.new.targets());
        assert!(score > 0.85, "the score is {score} on {axes:?} axes");
        model.predict(&task.probe)
    };
    let first = predict(Axes::Principal);
    let again = 1.0 - share(&first, &predict(Axes::Principal));
    let turned = 1.0 - share(&first, &predict(Axes::Cholesky));
    assert!(
        turned > again + 0.02,
        "{turned} by turning, {again} by chance"
    );
    Verdict::Axes
}
