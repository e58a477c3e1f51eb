//! Ready-made kernels from their descriptions, to find out a kernel that describes itself as one of them and is another.

use super::Parameters;
use crate::Error;
use ndarray::Array1;
use npt_core::{
    AdditiveChiSquared, Anova, ChiSquared, Columns, Cosine, Description, Exponential, Gaussian,
    Gower, HistogramIntersection, Kernel, Laplacian, LengthScales, Linear, Matern, MinMax,
    Normalized, Periodic, Polynomial, Product, RationalQuadratic, Rows, Samples, Scalar, Scaled,
    Sigmoid, SimpleMatching, Spline, Sum, Tanimoto, WeightedSum,
};

type Ready = Box<dyn Kernel<Rows<f64>, Scalar = f64>>;

/// How many samples a kernel is tried on.
const TRIED: usize = 8;

/// That the kernel has the values of the kernel that it describes, on some of the samples, to half their digits.
pub(in super::super) fn require_truth<F, K>(kernel: &K, samples: &Rows<F>) -> Result<(), Error>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    let description = kernel.describe();
    let ready = ready(&description)?;
    let some: Vec<usize> = (0..samples.len().min(TRIED)).collect();
    let some = samples.select(&some);
    let in_f64 = Rows::new(some.view().mapv(F::as_f64))?;
    ready.check(&in_f64)?;
    let half_the_digits: f64 = F::epsilon().as_f64().sqrt();
    let (values, expected) = (kernel.gram(&some), ready.gram(&in_f64));
    for (value, &expected) in values.iter().zip(&expected) {
        let found: f64 = value.as_f64();
        if !((found - expected).abs() <= half_the_digits * (1.0 + expected.abs())) {
            return Err(Error::KernelValue {
                kernel: description.to_string(),
                found,
                expected,
            });
        }
    }
    Ok(())
}

fn ready(kernel: &Description) -> Result<Ready, Error> {
    let of = Parameters(kernel);
    let part = |index| ready(of.part(index)?);
    let degree = || u32::try_from(of.integer("degree")?).map_err(|_| of.unknown());
    Ok(match kernel.name.as_str() {
        "linear" => Box::new(Linear::new()),
        "polynomial" => Box::new(Polynomial::new(
            degree()?,
            of.real("gamma")?,
            of.real("constant")?,
        )),
        "sigmoid" => Box::new(Sigmoid::new(of.real("gamma")?, of.real("constant")?)),
        "cosine" => Box::new(Cosine::new()),
        "tanimoto" => Box::new(Tanimoto::new()),
        "gaussian" => Box::new(Gaussian::new(of.real("gamma")?)),
        "exponential" => Box::new(Exponential::new(of.real("gamma")?)),
        "laplacian" => Box::new(Laplacian::new(of.real("gamma")?)),
        "matern" => Box::new(matern(of)?),
        "rational_quadratic" => Box::new(RationalQuadratic::new(
            of.real("length_scale")?,
            of.real("alpha")?,
        )),
        "periodic" => Box::new(Periodic::new(of.real("length_scale")?, of.real("period")?)),
        "chi_squared" => Box::new(ChiSquared::new(of.real("gamma")?)),
        "additive_chi_squared" => Box::new(AdditiveChiSquared::new()),
        "histogram_intersection" => Box::new(HistogramIntersection::new()),
        "min_max" => Box::new(MinMax::new()),
        "anova" => Box::new(Anova::new(of.real("gamma")?, degree()?)),
        "spline" => Box::new(Spline::new()),
        "simple_matching" => Box::new(SimpleMatching::new()),
        "gower" => Box::new(Gower::new(of.list("ranges")?.to_vec())),
        "sum" => Box::new(Sum::new(part(0)?, part(1)?)),
        "product" => Box::new(Product::new(part(0)?, part(1)?)),
        "scaled" => Box::new(Scaled::new(part(0)?, of.real("factor")?)),
        "normalized" => Box::new(Normalized::new(part(0)?)),
        "columns" => Box::new(Columns::new(
            part(0)?,
            of.integer("start")?..of.integer("end")?,
        )),
        "length_scales" => Box::new(LengthScales::new(
            part(0)?,
            of.list("length_scales")?.to_vec(),
        )),
        "weighted_sum" => {
            let kernels = of.parts().map(ready).collect::<Result<_, _>>()?;
            let weights = Array1::from(of.list("weights")?.to_vec());
            Box::new(WeightedSum::new(kernels, weights)?)
        }
        _ => return Err(of.unknown()),
    })
}

fn matern(of: Parameters<'_>) -> Result<Matern<f64>, Error> {
    let (smoothness, length_scale) = (of.real("smoothness")?, of.real("length_scale")?);
    let kernels = [
        (0.5, Matern::half(length_scale)),
        (1.5, Matern::three_halves(length_scale)),
        (2.5, Matern::five_halves(length_scale)),
    ];
    let found = kernels.into_iter().find(|kernel| kernel.0 == smoothness);
    found.map(|kernel| kernel.1).ok_or_else(|| of.unknown())
}
