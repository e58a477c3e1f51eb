//! Tests kernels that no format has, or that claim to be another.

use linfa::Dataset;
use ndarray::array;
use npt::{
    Centered, Description, ExpansionModel, FnKernel,
    export::{Error, libsvm::to_text, onnx::to_onnx},
    methods::linear::Svc,
    prelude::*,
};

fn machine<K: Kernel<Rows<f64>, Scalar = f64>>(
    kernel: K,
) -> ExpansionModel<Svc<f64>, Rows<f64>, K> {
    let x = array![[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [3.0, 0.0]];
    let data = Dataset::new(x, array![true, true, false, false, true]);
    KernelSvc::params(kernel).fit(&data).unwrap()
}

/// A multiple of a Gaussian that describes itself as a Gaussian.
#[derive(Debug, Clone)]
struct Impostor;

impl Kernel<Rows<f64>> for Impostor {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        2.0 * Gaussian::new(0.5).eval(a, b)
    }

    fn describe(&self) -> Description {
        Kernel::<Rows<f64>>::describe(&Gaussian::new(0.5))
    }
}

#[test]
fn a_kernel_is_tried_before_it_is_believed() {
    let model = machine(Impostor);
    let expected = "the kernel gaussian(gamma = 0.5) is not what it describes: of two samples it is 2, and should be 1";
    assert_eq!(to_onnx(&model).unwrap_err().to_string(), expected);
    assert_eq!(to_text(&model).unwrap_err().to_string(), expected);
}

#[test]
fn kernels_without_a_form_are_named() {
    let closure = FnKernel::new(|a: &[f64], b: &[f64]| 1.0 + a[0] * b[0] + a[1] * b[1]);
    let model = machine(closure);
    let error = |format| Error::Kernel {
        kernel: "function".to_owned(),
        format,
    };
    assert_eq!(to_onnx(&model).unwrap_err(), error("ONNX"));
    assert_eq!(to_text(&model).unwrap_err(), error("LIBSVM"));
    // A kernel inside others has no form either.
    let closure = FnKernel::new(|a: &[f64], b: &[f64]| 1.0 + a[0] * b[0] + a[1] * b[1]);
    let error = to_onnx(&machine(closure.plus(Gaussian::new(1.0)))).unwrap_err();
    assert_eq!(error.to_string(), "the kernel function has no form in ONNX");

    let x = array![[0.0, 1.0], [1.0, 0.0], [2.0, 0.0]];
    let centered = Centered::fit(Gaussian::new(0.5), &x).unwrap();
    let error = to_onnx(&machine(centered)).unwrap_err();
    let expected = "the kernel centered(gaussian(gamma = 0.5)) has no form in ONNX";
    assert_eq!(error.to_string(), expected);
}
