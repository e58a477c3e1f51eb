"""Classifiers that are no support vector machines."""

import numpy as np
from sklearn.base import ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from .base import KernelEstimator, positive, written
from .targets import Labels, labels_back

__all__ = ["KernelFisher", "KernelLogisticRegression"]


class _Classifier(ClassifierMixin, KernelEstimator):
    def _fit_classifier(self, method, X, y, sample_weight, class_weight=None):
        X, y = self._checked_with(X, y)
        labels = Labels(y).require_two(type(self).__name__)
        self.classes_, self._are_kept = labels.classes, labels.are_kept
        weights = labels.weights(class_weight, self._weights(sample_weight, X))
        return self._fit_model(method, X, labels.targets, weights)

    def predict(self, X):
        """The class of each sample."""
        return labels_back(self._ask("predict", X), self.classes_, self._are_kept)

    def decision_function(self, X):
        """The values by which classes are chosen: with two classes positive for the second, with more one a class."""
        values = self._ask("decision_function", X)
        if len(self.classes_) == 2:
            return values[:, -1] - values[:, 0] if values.shape[1] == 2 else values.ravel()
        return values


class KernelFisher(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Classifier):
    """Kernel Fisher discriminant: directions between classes, and the class whose centre is nearest along them.

    Parameters
    ----------
    kernel : str, npt.Kernel or callable, default="rbf"
    gamma : {"scale", "auto"} or float, default="scale"
    degree : int, default=3
    coef0 : float, default=1
    ridge : float, default=1.0
        The ridge, in units of the mean squared distance from the mean.
    scatter : {"between", "total"}, default="between"
        The scatter that is maximised, relative to the scatter within classes.
    balanced : bool, default=False
        Whether all classes count the same, as if each sample of a rarer class were several samples.
    n_components : int or None, default=None
        The number of discriminants; by default one less than there are classes.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    model_ : npt.Model

    Examples
    --------
    >>> from npt import KernelFisher
    >>> fisher = KernelFisher().fit([[0, 0], [1, 1], [3, 3], [4, 4]], ["low", "low", "high", "high"])
    >>> fisher.predict([[0.4, 0.5]]).tolist()
    ['low']
    """

    def __init__(self, kernel="rbf", *, gamma="scale", degree=3, coef0=1, ridge=1.0, scatter="between", balanced=False, n_components=None,
                 verbose=False, max_seconds=None):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.ridge = ridge
        self.scatter = scatter
        self.balanced = balanced
        self.n_components = n_components
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the directions to samples and their classes; a sample of weight 2 counts twice."""
        method = written("kfd", ridge=float(self.ridge), scatter=self.scatter, balanced=bool(self.balanced), components=self.n_components)
        return self._fit_classifier(method, X, y, sample_weight)

    def transform(self, X):
        """Samples along the directions, one row a sample."""
        return self._ask("transform", X)

    @property
    def _n_features_out(self):
        return len(self.classes_) - 1 if self.n_components is None else self.n_components


class KernelLogisticRegression(_Classifier):
    """Kernel logistic regression: probabilities of classes.

    Parameters
    ----------
    C : float, default=1.0
        The inverse of the penalty of squared weights.
    kernel : str, npt.Kernel or callable, default="rbf"
    gamma : {"scale", "auto"} or float, default="scale"
    degree : int, default=3
    coef0 : float, default=1
    tol : float, default=1e-8
        The relative accuracy to which the objective is minimised.
    max_iter : int, default=100
    class_weight : dict, "balanced" or None, default=None
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelLogisticRegression
    >>> x = np.linspace(0, 1, 40).reshape(-1, 1)
    >>> model = KernelLogisticRegression(C=100).fit(x, x[:, 0] > 0.4)
    >>> bool(model.predict_proba([[0.9]])[0, 1] > 0.9)
    True
    """

    def __init__(self, C=1.0, *, kernel="rbf", gamma="scale", degree=3, coef0=1, tol=1e-8, max_iter=100, class_weight=None,
                 verbose=False, max_seconds=None):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the probabilities to samples and their classes; a sample of weight 2 counts twice."""
        positive(C=self.C, tol=self.tol)
        method = written("logistic", penalty=1.0 / self.C, tolerance=float(self.tol), max_iterations=self.max_iter)
        self._fit_classifier(method, X, y, sample_weight, self.class_weight)
        self.n_iter_ = self._iterations_of("Newton's method")
        return self

    def predict_proba(self, X):
        """The probability of each class, one row a sample."""
        return self._ask("predict_probabilities", X)

    def predict_log_proba(self, X):
        """The logarithms of the probabilities."""
        return np.log(self.predict_proba(X))
