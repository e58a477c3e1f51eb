"""A drop-in: ``from npt.sklearn import SVC`` in the place of scikit-learn's."""

from .components import KernelPCA
from .maps import Nystroem, PolynomialCountSketch, RBFSampler
from .process import GaussianProcessRegressor
from .ridge import KernelRidge
from .svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

__all__ = [
    "SVC",
    "SVR",
    "GaussianProcessRegressor",
    "KernelPCA",
    "KernelRidge",
    "NuSVC",
    "NuSVR",
    "Nystroem",
    "OneClassSVM",
    "PolynomialCountSketch",
    "RBFSampler",
]
