"""Clusters in feature space."""

import numpy as np
from sklearn.base import ClusterMixin

from .base import KernelEstimator, seed_of, written

__all__ = ["KernelKMeans"]


class KernelKMeans(ClusterMixin, KernelEstimator):
    """Kernel k-means: clusters around means in feature space.

    Parameters
    ----------
    n_clusters : int, default=8
    kernel : str, npt.Kernel or callable, default="rbf"
    gamma : {"scale", "auto"} or float, default="scale"
    degree : int, default=3
    coef0 : float, default=1
    n_init : int, default=10
        The number of sets of starting centroids.
    max_iter : int, default=1000
        The most iterations from one start.
    tol : float, default=0.0
        An iteration that lowers the inertia by a smaller share than this is the last one.
    random_state : int, RandomState or None, default=None
        The seed of the starting centroids; ``None`` is 0.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
    model_ : npt.Model

    Examples
    --------
    >>> from npt import KernelKMeans
    >>> labels = KernelKMeans(n_clusters=2).fit_predict([[0.0], [0.1], [5.0], [5.1]])
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    """

    def __init__(self, n_clusters=8, *, kernel="rbf", gamma="scale", degree=3, coef0=1, n_init=10, max_iter=1000, tol=0.0, random_state=None,
                 verbose=False, max_seconds=None):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y=None, sample_weight=None):
        """Fits the clusters to samples; a sample of weight 2 counts twice."""
        X = self._checked(X, reset=True)
        method = written("kmeans", clusters=self.n_clusters, starts=self.n_init, max_iterations=self.max_iter, tolerance=float(self.tol),
                         seed=seed_of(self.random_state))
        self._fit_model(method, *self._distinct(X, self._weights(sample_weight, X)))
        self.n_iter_ = self._iterations_of("k-means")
        self.labels_ = self.model_._model.predict(self._samples(X)).astype(np.int32)
        return self

    def predict(self, X):
        """The cluster of each sample."""
        return self._ask("predict", X).astype(np.int32)
