//! Tests methods that predict by kernel values with landmarks.

use super::*;
use npt::LandmarkSelection;

/// Checks that methods as expansions predict the same as by coordinates, with the same landmarks.
fn check<L>(name: &str, builder: &Nystrom<Gaussian<f64>, L>)
where
    L: LandmarkSelection<Rows<f64>> + Clone,
{
    let (sets, spaces) = (Sets::new(), spaces!(builder));
    macro_rules! row {
        ($name:literal, $params:expr, $space:ident, $data:ident, $ask:ident $shape:ident, $known:ident, $weights:ident) => {{
            let (what, data) = (format!("{} expanded on {name}", $name), &sets.$data);
            let method = $params.space(|_| spaces.$space.clone());
            let model = method.fit(data).unwrap_or_else(|error| panic!("{what}: {error}"));
            let found = values!(&model, &sets.new, $ask $shape);
            assert_says_something(&what, &found);
            assert!(model.expansion().samples().len() <= LANDMARKS);

            let whole = method.clone().by_coordinates().fit(data).unwrap();
            let expected = values!(&whole, &sets.new, $ask $shape);
            // Directions have the same sense on both roads. The expansion's distances from centroids lack the part that all of them have in common.
            let known = match Known::$known {
                Known::Clusters => Known::Clusters,
                _ => Known::Values,
            };
            assert_close(&what, &known.of(found), &known.of(expected), SAME_SPACE);

            assert_kept(&what, &model, |model| values!(model, &sets.new, $ask $shape));
            let method = method.space(|_| Fixed(whole.space().clone()));
            let how = (Weights::$weights, Known::$known);
            assert_weighed(&what, how, data, |data| method.fit(data), |model| {
                values!(model, &sets.new, $ask $shape)
            });
        }};
    }
    each_method!(row);
}

#[test]
fn landmarks() {
    each_choice_of_landmarks!(check);
}

/// Methods are the exact ones where all samples are landmarks. The landmarks are the same samples in another order, so
/// directions at rounding level are cut elsewhere: new samples' coordinates along them are known to √ε.
#[test]
fn of_all_samples() {
    const CUT: f64 = 1e-6;
    let sets = Sets::new();
    let rules = [
        ("random", Pivoting::random(44)),
        ("greedy", Pivoting::greedy(44)),
        ("uniform", Pivoting::uniform(44)),
        ("leverage", Pivoting::by_leverage(44, 0.1)),
    ];
    for (rule, pivoting) in rules {
        let spaces = spaces!(nystrom(pivoting.tolerance(0.0)));
        macro_rules! row {
            ($name:literal, $params:expr, $space:ident, $data:ident, $ask:ident $shape:ident, $known:ident, $weights:ident) => {{
                let (what, data) = (format!("{} on all, {rule}", $name), &sets.$data);
                let (exact, method) = ($params, $params.space(|_| spaces.$space.clone()));
                let (exact, model) = (exact.fit(data).unwrap(), method.fit(data).unwrap());
                let known = |values| Known::$known.of(values);
                let expected = known(values!(&exact, &sets.new, $ask $shape));
                let found = known(values!(&model, &sets.new, $ask $shape));
                assert_close(&what, &found, &expected, CUT);
            }};
        }
        each_method!(row);
    }
}
