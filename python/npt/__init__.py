"""Kernelize any scikit-learn estimator, and kernel methods that are fast, exact and can be interrupted.

``Kernelized(estimator, kernel)`` is the kernel version of an estimator: it maps samples to explicit kernel coordinates (N. Kwak,
"Nonlinear Projection Trick in Kernel Methods", 2013) and runs the estimator there.
"""

import importlib

from . import sums
from ._npt import set_threads, threads
from .classifiers import KernelFisher, KernelLogisticRegression
from .clusters import KernelKMeans
from .components import KernelCCA, KernelICA, KernelPCA, KernelPCAL1, KernelPLS, RobustKernelPCA
from .kernelized import Kernelized
from .kernels import Kernel, kernel
from .maps import KernelMap, Nystroem, PolynomialCountSketch, RBFSampler
from .model import Model, load
from .multiple import MultipleKernelSVC
from .novelty import NoveltyDetector
from .ridge import IterativeKernelRidge, KernelRidge, KernelRidgeCV
from .svm import SVC, SVR, CalibratedSVC, NuSVC, NuSVR, OneClassSVM

__all__ = [
    "SVC",
    "SVR",
    "CalibratedSVC",
    "GaussianProcessRegressor",
    "IterativeKernelRidge",
    "Kernel",
    "KernelCCA",
    "KernelFisher",
    "KernelICA",
    "KernelKMeans",
    "KernelLogisticRegression",
    "KernelMap",
    "KernelPCA",
    "KernelPCAL1",
    "KernelPLS",
    "KernelRidge",
    "KernelRidgeCV",
    "KernelSearchCV",
    "Kernelized",
    "Model",
    "MultipleKernelSVC",
    "NoveltyDetector",
    "NuSVC",
    "NuSVR",
    "Nystroem",
    "OneClassSVM",
    "PolynomialCountSketch",
    "RBFSampler",
    "RobustKernelPCA",
    "kernel",
    "load",
    "set_threads",
    "sums",
    "threads",
]

# scikit-learn's Gaussian processes and searches take longer to import than everything else here.
_AT_FIRST_USE = {"GaussianProcessRegressor": ".process", "KernelSearchCV": ".search"}


def __getattr__(name):
    if name not in _AT_FIRST_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_AT_FIRST_USE[name], __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
