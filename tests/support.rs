//! Tests support vectors: which samples they are, how many each class has, and the field's formula with them.

use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, Axis};
use npt::{
    ExpansionModel,
    methods::{
        KernelCalibratedSvc, KernelOneClassSvm,
        linear::{MulticlassSvc, Strategy},
    },
    prelude::*,
};
use npt_testkit::data;

const GAMMA: f64 = 0.5;

/// Σ βᵢκ(xᵢ, x) + b by hand, over the samples `support`.
fn formula(x: &Array2<f64>, support: &[usize], beta: &Array2<f64>, b: Array1<f64>) -> Array2<f64> {
    let vectors = x.select(Axis(0), support);
    let new = data::normal(20, 2, 4);
    let kernel = Array2::from_shape_fn((20, support.len()), |(i, j)| {
        let difference = &new.row(i) - &vectors.row(j);
        (-GAMMA * difference.dot(&difference)).exp()
    });
    kernel.dot(beta) + b
}

fn close(a: &Array2<f64>, b: &Array2<f64>) {
    assert_eq!(a.dim(), b.dim());
    let off = (a - b).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < 1e-12, "{off:e}");
}

/// Samples of three classes; samples of weight 0 are no support vectors, but keep their positions.
fn classes() -> DatasetBase<Array2<f64>, Array1<usize>> {
    let x = data::normal(120, 2, 3);
    let class = x.map_axis(Axis(1), |row| {
        usize::from(row.dot(&row) > 0.7) + usize::from(row[0] > 1.0)
    });
    let weights = (0_u8..120)
        .map(|i| f32::from(u8::from(i % 5 != 0)))
        .collect();
    DatasetBase::new(x, class).with_weights(weights)
}

#[test]
fn of_two_classes() {
    let data = classes();
    let sides = data.targets.mapv(|class| class > 0);
    let data = DatasetBase::new(data.records, sides).with_weights(data.weights);
    let new = data::normal(20, 2, 4);
    let model = KernelSvc::params(Gaussian::new(GAMMA)).fit(&data).unwrap();
    let (svc, expansion) = (model.inner(), model.expansion());
    let support = svc.support();
    assert!(support.iter().all(|i| i % 5 != 0) && support.is_sorted());
    let of_side = |side| support.iter().filter(|&&i| data.targets[i] == side).count();
    assert_eq!(svc.support_counts(), [of_side(false), of_side(true)]);
    assert_eq!(
        expansion.samples().view(),
        data.records.select(Axis(0), &support)
    );
    let beta = expansion.coefficients().to_owned();
    let by_hand = formula(
        &data.records,
        &support,
        &beta,
        expansion.offsets().to_owned(),
    );
    let values = model.decision_function(&new).unwrap();
    close(&values.insert_axis(Axis(1)), &by_hand);
    for (&i, &beta) in support.iter().zip(beta.column(0)) {
        assert!((beta > 0.0) == data.targets[i] && beta.abs() <= 1.0);
    }

    let data = DatasetBase::from(data.records);
    let one = KernelOneClassSvm::params(0.2, Gaussian::new(GAMMA));
    let model = one.fit(&data).unwrap();
    let support = model.inner().support();
    assert_eq!(support.len(), model.expansion().coefficients().nrows());
    assert!(support.len() >= 24 && support.len() < 120);
}

const C: f64 = 0.7;
const TOLERANCE: f64 = 1e-8;

/// Checks that each column of the coefficients is the dual of a machine of its own, under the conditions at which LIBSVM ends: 0 ≤ yᵢβᵢ ≤ C,
/// Σβᵢ = 0, and yᵢf(xᵢ) is 1 where yᵢβᵢ is between its bounds, at least 1 where it is 0, and at most 1 where it is C. Samples of other classes have
/// the coefficient 0.
fn assert_machines(
    model: &ExpansionModel<MulticlassSvc<f64, usize>, Rows<f64>, Gaussian<f64>>,
    data: &DatasetBase<Array2<f64>, Array1<usize>>,
) {
    let svc = model.inner();
    let support = svc.support().unwrap();
    let values = model.decision_function(&data.records).unwrap();
    let sides: Vec<[Option<usize>; 2]> = if svc.pairs().is_empty() {
        (0..svc.classes().len())
            .map(|class| [Some(class), None])
            .collect()
    } else {
        svc.pairs()
            .into_iter()
            .map(|(a, b)| [Some(a), Some(b)])
            .collect()
    };
    let beta = model.expansion().coefficients();
    assert_eq!(beta.dim(), (support.len(), sides.len()));
    for (machine, [first, second]) in sides.into_iter().enumerate() {
        let (beta, values) = (beta.column(machine), values.column(machine));
        assert!(beta.sum().abs() < 1e-10, "{}", beta.sum());
        let mut counts = [0; 3];
        for (i, (&class, &weight)) in data.targets.iter().zip(&data.weights).enumerate() {
            let place = support.iter().position(|&row| row == i);
            let beta = place.map_or(0.0, |place| beta[place]);
            let side = match Some(svc.classes()[class]) {
                class if class == first => 1.0,
                class if second.is_none() || class == second => -1.0,
                _ => 0.0,
            };
            if side == 0.0 || weight == 0.0 {
                assert!(beta == 0.0);
                continue;
            }
            let (alpha, margin) = (side * beta, side * values[i] - 1.0);
            assert!((0.0..=C * (1.0 + 1e-12)).contains(&alpha), "{alpha}");
            let place = usize::from(alpha > 0.0) + usize::from(alpha >= C * (1.0 - 1e-12));
            counts[place] += 1;
            let holds = match place {
                0 => margin >= -10.0 * TOLERANCE,
                1 => margin.abs() <= 10.0 * TOLERANCE,
                _ => margin <= 10.0 * TOLERANCE,
            };
            assert!(holds, "{alpha}: {margin:e}");
        }
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}

#[test]
fn of_many_classes() {
    let data = classes();
    let new = data::normal(20, 2, 4);
    for strategy in [Strategy::OneAgainstOne, Strategy::OneAgainstRest] {
        let method = KernelSvc::params(Gaussian::new(GAMMA));
        let method = method.method(|m| m.strategy(strategy).c(C).tolerance(TOLERANCE));
        let model = method.fit(&data).unwrap();
        let support = model.inner().support().unwrap();
        assert!(support.iter().all(|i| i % 5 != 0) && support.is_sorted());
        let of_class = |class| {
            support
                .iter()
                .filter(|&&i| data.targets[i] == class)
                .count()
        };
        let counts = [0, 1, 2].map(of_class);
        assert_eq!(model.inner().support_counts(), Some(&counts[..]));
        let expansion = model.expansion();
        let (beta, b) = (expansion.coefficients(), expansion.offsets());
        let by_hand = formula(&data.records, support, &beta.to_owned(), b.to_owned());
        close(&model.decision_function(&new).unwrap(), &by_hand);
        assert_machines(&model, &data);

        let linear = MulticlassSvc::params().strategy(strategy);
        let linear = linear.fit(&data).unwrap();
        let support = linear.support().unwrap();
        assert!(support.len() > 3 && support.iter().all(|i| i % 5 != 0));
    }
    let method = KernelCalibratedSvc::params(Gaussian::new(GAMMA)).method(|m| m.folds(3));
    let data = Dataset::new(data.records, data.targets);
    let model = method.fit(&data).unwrap();
    let support = model.inner().svc().support().unwrap();
    assert_eq!(support.len(), model.expansion().coefficients().nrows());
}
