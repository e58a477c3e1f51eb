//! Tests that every kernel of the table is in the catalogue, under its name, with the same values to the bit and the same closed forms.
//! Loaded from a file, a kernel has the same name and the same values, too.

use super::{
    in_domain,
    table::{KeptScalar, table},
};
use npt::{Catalogue, ReadyKernels, Samples as _, prelude::*};
use npt_testkit::data;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;

/// The name of a kernel with samples inside, which no text holds.
const OF_SAMPLES: &str = "centered";

fn check<F: KeptScalar>() {
    let catalogue: Catalogue<Rows<F>, F> = Rows::ready_kernels();
    let x = data::normal(9, 3, 1);
    for entry in table::<F>() {
        if entry.signature.contains(OF_SAMPLES) {
            assert!(catalogue.kernel(&entry.kernel.describe()).is_err());
            continue;
        }
        let (typed, text) = (&entry.kernel, entry.kernel.describe().to_string());
        let named = catalogue.read(&text);
        let named = named.unwrap_or_else(|error| panic!("{text}: {error}"));
        let x = in_domain(typed, &x);
        assert_eq!(named.check(&x), typed.check(&x), "{text}");
        let (some, origin) = (x.select(&[0, 2]), x.select(&[1]));
        let values = |kernel: &dyn Kernel<Rows<F>, Scalar = F>| {
            let about = (
                kernel.cross_about(&origin, &some, &x),
                kernel.diag_about(&origin, &x),
            );
            (
                kernel.gram(&x),
                kernel.cross(&some, &x),
                kernel.diag(&x),
                about,
            )
        };
        assert_eq!(values(&named), values(typed), "{text}");
        assert_eq!(values(&entry.kept), values(typed), "{text} from a file");
        assert_eq!(entry.name_in_file, typed.describe().name, "{text}");
        let forms = |kernel: &dyn Kernel<Rows<F>, Scalar = F>| {
            let distances = kernel.squared_distance_of_inputs(F::cast(0.25));
            let derivatives = kernel.parameter_derivatives(&x, kernel.gram(&x).view());
            let of_samples = (kernel.origin(&x), kernel.squared_distance_derivatives(&x));
            let is = (
                kernel.is_positive_semidefinite(),
                kernel.ignores_common_zeros(),
                kernel.linear_factor(),
            );
            let frequencies = kernel.spectral_measure().map(|measure| {
                let mut deviations = [0.0; 3];
                measure.draw_deviations(&mut Xoshiro256Plus::seed_from_u64(1), &mut deviations);
                (measure.is_isotropic(), deviations)
            });
            let spectrum = kernel.homogeneous().map(|kernel| kernel.spectrum(0.7));
            (
                distances,
                derivatives,
                kernel.gaussian_gamma(),
                of_samples,
                (is, frequencies, spectrum),
            )
        };
        assert_eq!(forms(&named), forms(typed), "{text}");
    }
}

#[test]
fn kernels_by_name_and_from_files_are_the_typed_ones() {
    check::<f64>();
    check::<f32>();
}
