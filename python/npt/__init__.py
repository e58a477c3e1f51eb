"""Kernelize any scikit-learn estimator, and kernel methods that are fast, exact and can be interrupted.

``Kernelized(estimator, kernel)`` is the kernel version of an estimator: it maps samples to explicit kernel coordinates (N. Kwak,
"Nonlinear Projection Trick in Kernel Methods", 2013) and runs the estimator there.
"""

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
from .process import GaussianProcessRegressor
from .ridge import IterativeKernelRidge, KernelRidge, KernelRidgeCV
from .search import KernelSearchCV
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
