//! Tests methods with models of their own: residuals, variances, two spaces.

use super::*;
use npt::{
    LandmarkSelection,
    methods::{GaussianProcessModel, linear::Cca, model_selection::ByCoordinates},
};

/// The second view of a correlation.
fn other(x: &Array2<f64>) -> Array2<f64> {
    x.mapv(|v| (v + 0.3) * (v + 0.3))
}

fn of_pair((means, variances): (Array1<f64>, Array1<f64>)) -> Array2<f64> {
    ndarray::stack![Axis(1), means, variances]
}

fn check<B, P>(builder: &str, spaces: &Spaces<B>, sets: &Sets)
where
    B: SpaceBuilder<Rows<f64>, Space = P> + Clone,
    P: KernelSpace<Samples = Rows<f64>, Scalar = f64> + Clone + Serialize + DeserializeOwned,
{
    let Spaces { centered, plain } = spaces;
    let what = |method: &str| format!("{method} on {builder}");

    // A process on coordinates is one of the linear kernel, and knows nothing of the part outside the space.
    let name = what("GaussianProcess");
    let process = GaussianProcess::params(kernel()).noise(0.1);
    let process = process.space(|_| plain.clone()).by_coordinates();
    let model = process.fit(&sets.values).expect(&name);
    let ask = |model: &GaussianProcessModel<P, ByCoordinates>| {
        of_pair(model.predict_with_variance(&sets.new).unwrap())
    };
    let found = ask(&model);
    assert_says_something(&name, &found);
    let fitted = plain.fit_space(&sets.values.records).unwrap();
    let mapped = Dataset::new(
        fitted.training_coordinates().to_owned(),
        sets.values.targets.clone(),
    );
    let linear = GaussianProcess::params(Linear::new())
        .noise(0.1)
        .fit(&mapped);
    let (y, residuals) = fitted.coordinates_and_residuals(&sets.new).unwrap();
    let (means, variances) = linear.unwrap().predict_with_variance(&y).unwrap();
    let expected = of_pair((means, variances + residuals));
    assert_close(&name, &found, &expected, SAME_SPACE);
    assert_kept(&name, &model, ask);
    let how = (Weights::Refused, Known::Values);
    assert_weighed(&name, how, &sets.values, |data| process.fit(data), ask);

    // The detector's model has the residuals of the space, and a threshold.
    let name = what("NoveltyDetector");
    let detector = NoveltyDetector::params(kernel()).space(|_| centered.clone());
    let model = detector.fit(&sets.alone).expect(&name);
    let ask = |model: &npt::methods::NoveltyDetectorModel<P>| {
        columns(model.reconstruction_errors(&sets.new).unwrap())
    };
    let fitted = centered.fit_space(&sets.alone.records).unwrap();
    let expected = columns(fitted.residuals(&sets.new).unwrap());
    assert_eq!(ask(&model), expected, "{name}");
    let novel = model.predict(&sets.alone.records).mapv(usize::from).sum();
    assert!(novel <= 44 / 20, "{name}: {novel}");
    assert_kept(&name, &model, ask);
    assert_weighed(&name, how, &sets.alone, |data| detector.fit(data), ask);

    // Both views have a space of this kind.
    let name = what("KernelCca");
    let second = other(&sets.alone.records);
    let cca = KernelCca::params(2, kernel(), kernel()).spaces(centered.clone(), centered.clone());
    let model = cca
        .fit_by_coordinates(&sets.alone.records, &second)
        .expect(&name);
    let [one, two] = [&sets.alone.records, &second].map(|x| centered.fit_space(x).unwrap());
    let views = DatasetBase::new(
        one.training_coordinates().to_owned(),
        two.training_coordinates().to_owned(),
    );
    let linear = Fit::<_, _, Error>::fit(&Cca::params(2).ridge(0.01), &views).unwrap();
    let found = values!(model.second(), &other(&sets.new), transform Array2);
    assert_says_something(&name, &found);
    let coordinates = two.coordinates(&other(&sets.new)).unwrap();
    let expected = values!(linear.second(), &coordinates, transform Array2);
    assert_eq!(found, expected, "{name}");
    assert_kept(
        &name,
        &model,
        |model| values!(model.second(), &other(&sets.new), transform Array2),
    );
}

fn expanded<L>(builder: &str, centered: &Nystrom<Gaussian<f64>, L>)
where
    L: LandmarkSelection<Rows<f64>> + Clone,
{
    let spaces = spaces!(centered);
    check(builder, &spaces, &Sets::new());
    let plain = spaces.plain;
    let (sets, what) = (Sets::new(), |method: &str| {
        format!("{method} expanded on {builder}")
    });

    let name = what("GaussianProcess");
    let process = GaussianProcess::params(kernel())
        .noise(0.1)
        .space(|_| plain);
    let model = process.fit(&sets.values).expect(&name);
    let whole = process.clone().by_coordinates().fit(&sets.values).unwrap();
    let of_whole = of_pair(whole.predict_with_variance(&sets.new).unwrap());
    let ask = |model: &npt::methods::GaussianProcessModel<_>| {
        of_pair(model.predict_with_variance(&sets.new).unwrap())
    };
    assert_close(&name, &ask(&model), &of_whole, SAME_SPACE);
    assert!(model.expansion().samples().len() <= LANDMARKS);
    assert_kept(&name, &model, ask);
    let how = (Weights::Refused, Known::Values);
    assert_weighed(&name, how, &sets.values, |data| process.fit(data), ask);

    let name = what("KernelCca");
    let (first, second) = (&sets.alone.records, &other(&sets.alone.records));
    let cca = KernelCca::params(2, kernel(), kernel()).spaces(centered.clone(), centered.clone());
    let model = cca.fit(first, second).expect(&name);
    let whole = cca.fit_by_coordinates(first, second).unwrap();
    let new = &other(&sets.new);
    let expected = values!(whole.second(), new, transform Array2);
    let found = values!(model.second(), new, transform Array2);
    assert_close(&name, &found, &expected, SAME_SPACE);
    assert_kept(
        &name,
        &model,
        |model| values!(model.second(), new, transform Array2),
    );
}

#[test]
fn landmarks() {
    each_choice_of_landmarks!(expanded);
}

#[test]
fn features() {
    let waves = RandomFourier::new(kernel(), 10);
    check("waves", &spaces!(waves), &Sets::new());
    let waves = waves.structured(true);
    check("structured waves", &spaces!(waves), &Sets::wide());
    let sketch = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 32);
    check("sketches", &spaces!(sketch), &Sets::new());
    let builder = HomogeneousFeatures::new(AdditiveChiSquared::new(), 2);
    check("histograms", &spaces!(builder), &Sets::new());
}

/// Methods with models of their own are the exact ones where all samples are landmarks: see [`super::expanded`].
#[test]
fn of_all_samples() {
    const CUT: f64 = 1e-6;
    let sets = Sets::new();
    let all = &nystrom(Pivoting::random(44).tolerance(0.0));
    let process = GaussianProcess::params(kernel()).noise(0.1);
    let values = |model: Result<(Array1<f64>, Array1<f64>), SpaceError>| of_pair(model.unwrap());
    let exact = process.clone().fit(&sets.values).unwrap();
    let exact = values(exact.predict_with_variance(&sets.new));
    let model = process
        .space(|_| all.clone().centered(false))
        .fit(&sets.values);
    let found = values(model.unwrap().predict_with_variance(&sets.new));
    assert_close("GaussianProcess", &found, &exact, CUT);

    let (first, second) = (&sets.alone.records, &other(&sets.alone.records));
    let cca = KernelCca::params(2, kernel(), kernel());
    let exact = cca.fit(first, second).unwrap();
    let model = cca
        .spaces(all.clone(), all.clone())
        .fit(first, second)
        .unwrap();
    let signless = |values| Known::Signs.of(values);
    let exact = signless(values!(exact.first(), &sets.new, transform Array2));
    let found = signless(values!(model.first(), &sets.new, transform Array2));
    assert_close("KernelCca", &found, &exact, CUT);

    let rank = Rank::Components(6);
    let detector = NoveltyDetector::params(kernel()).rank(rank);
    let exact = detector.fit(&sets.alone).unwrap();
    let detector = detector.space(|_| all.clone().rank(rank));
    let model = detector.fit(&sets.alone).unwrap();
    let exact = columns(exact.reconstruction_errors(&sets.new).unwrap());
    let found = columns(model.reconstruction_errors(&sets.new).unwrap());
    assert_close("NoveltyDetector", &found, &exact, CUT);
}
