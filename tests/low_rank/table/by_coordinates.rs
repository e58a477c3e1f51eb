//! Tests methods that keep their space, of any kind.

use super::*;

/// Checks that a method is the linear one on coordinates, to the bit.
fn check<B, P>(builder: &str, spaces: &Spaces<B>, sets: &Sets)
where
    B: SpaceBuilder<Rows<f64>, Space = P> + Clone,
    P: KernelSpace<Samples = Rows<f64>, Scalar = f64> + Clone + Serialize + DeserializeOwned,
{
    macro_rules! row {
        ($name:literal, $params:expr, $space:ident, $data:ident, $ask:ident $shape:ident, $known:ident, $weights:ident) => {{
            let (what, data) = (format!("{} on {builder}", $name), &sets.$data);
            let method = $params.space(|_| spaces.$space.clone()).by_coordinates();
            let model = method.fit(data).unwrap_or_else(|error| panic!("{what}: {error}"));
            let found = values!(&model, &sets.new, $ask $shape);
            assert_says_something(&what, &found);

            let (space, coordinates, _) = spaces.$space.fit_space(&data.records).unwrap().into_parts();
            let mapped = DatasetBase::new(coordinates, data.targets.clone());
            let linear = Fit::<_, _, Error>::fit(method.inner(), &mapped).unwrap();
            let coordinates = space.coordinates(&sets.new).unwrap();
            assert_eq!(found, values!(&linear, &coordinates, $ask $shape), "{what}");

            assert_kept(&what, &model, |model| values!(model, &sets.new, $ask $shape));
            let method = Kernelized::new(method.inner().clone(), Fixed(space));
            let how = (Weights::$weights, Known::$known);
            assert_weighed(&what, how, data, |data| method.fit(data), |model| {
                values!(model, &sets.new, $ask $shape)
            });
        }};
    }
    each_method!(row);
}

fn on<L: Clone>(name: &str, builder: &Nystrom<Gaussian<f64>, L>)
where
    Nystrom<Gaussian<f64>, L>:
        SpaceBuilder<Rows<f64>, Space = npt::ExactSpace<Rows<f64>, Gaussian<f64>>>,
{
    check(name, &spaces!(builder), &Sets::new());
}

#[test]
fn landmarks() {
    each_choice_of_landmarks!(on);
}

#[test]
fn random_features() {
    let waves = RandomFourier::new(kernel(), 10);
    check("waves", &spaces!(waves), &Sets::new());
    let waves = waves.structured(true);
    check("structured waves", &spaces!(waves), &Sets::wide());
    let sketch = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 32);
    check("sketches", &spaces!(sketch), &Sets::new());
}

#[test]
fn features_of_histograms() {
    let builder = HomogeneousFeatures::new(AdditiveChiSquared::new(), 2);
    check("histograms", &spaces!(builder), &Sets::new());
}
