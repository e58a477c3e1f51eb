"""One of each estimator, for tests that ask the same of all."""

from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LogisticRegression, Ridge

import npt

READY = [
    npt.SVC(),
    npt.NuSVC(nu=0.3),
    npt.CalibratedSVC(),
    npt.MultipleKernelSVC(),
    npt.KernelSearchCV(npt.SVC(), {"C": [1.0, 10.0], "gamma": [0.1, 1.0]}, cv=2),
    npt.KernelSearchCV(npt.KernelRidge(kernel="rbf"), {"alpha": [0.1, 1.0]}, cv=2),
    npt.SVR(),
    npt.NuSVR(),
    npt.OneClassSVM(),
    npt.KernelRidge(kernel="rbf"),
    npt.KernelRidgeCV(kernel="rbf"),
    npt.IterativeKernelRidge(),
    npt.GaussianProcessRegressor(),
    npt.KernelPCA(n_components=2, kernel="rbf"),
    npt.KernelPCAL1(),
    npt.KernelICA(),
    npt.RobustKernelPCA(),
    npt.KernelPLS(),
    npt.KernelCCA(),
    npt.KernelFisher(),
    npt.KernelLogisticRegression(),
    npt.KernelKMeans(n_clusters=3),
    npt.NoveltyDetector(),
    npt.KernelMap(),
    npt.Nystroem(n_components=10),
    npt.RBFSampler(n_components=20),
    npt.PolynomialCountSketch(n_components=20),
]

KERNELIZED = [
    npt.Kernelized(LogisticRegression()),
    npt.Kernelized(Ridge()),
    npt.Kernelized(PCA(n_components=1)),
    npt.Kernelized(KMeans(n_clusters=2, n_init=2, random_state=0)),
    npt.Kernelized(IsolationForest(n_estimators=5, random_state=0)),
]
