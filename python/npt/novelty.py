"""Detection of samples that are unlike the rest."""

import numpy as np
from sklearn.base import OutlierMixin

from .base import KernelEstimator, written

__all__ = ["NoveltyDetector"]


class NoveltyDetector(OutlierMixin, KernelEstimator):
    """Novelty detection by the part of a sample that kernel principal components leave.

    Parameters
    ----------
    n_components : int, default=2
        The number of components that explain samples that are not novel.
    kernel : str, npt.Kernel or callable, default="rbf"
    gamma : {"scale", "auto"} or float, default="scale"
    degree : int, default=3
    coef0 : float, default=1
    contamination : float, default=0.05
        The share of the training samples that are novel. Of new samples a larger share is novel, as components follow the training
        samples closer; the more so, the more components there are.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None

    Attributes
    ----------
    offset_ : float
        ``decision_function`` = ``score_samples`` − ``offset_``.
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import NoveltyDetector
    >>> t = np.linspace(0, 2 * np.pi, 60)
    >>> circle = NoveltyDetector(n_components=8).fit(np.column_stack([np.cos(t), np.sin(t)]))
    >>> circle.predict([[1.0, 0.0], [0.0, 0.0]]).tolist()
    [1, -1]
    """

    def __init__(self, n_components=2, *, kernel="rbf", gamma="scale", degree=3, coef0=1, contamination=0.05, verbose=False, max_seconds=None):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.contamination = contamination
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y=None):
        """Fits the components and the threshold to samples."""
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            raise ValueError("the kernel is 'precomputed'; NoveltyDetector needs the kernel values of new samples with themselves")
        X = self._checked(X, reset=True, ensure_min_samples=2)
        if not 0 <= self.contamination < 1:
            raise ValueError(f"contamination is {self.contamination!r}; it must be at least 0 and below 1")
        method = written("novelty_detector", quantile=1.0 - self.contamination)
        self._fit_model(method, X, space=written("exact", components=self.n_components))
        self.offset_ = -self.model_.learned["threshold"]
        return self

    def decision_function(self, X):
        """The threshold minus the error: positive for samples that are not novel."""
        return self._ask("decision_function", X).ravel()

    def score_samples(self, X):
        """The negated errors."""
        return self.decision_function(X) + self.offset_

    def predict(self, X):
        """1 for samples like the others, −1 for novel ones."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
