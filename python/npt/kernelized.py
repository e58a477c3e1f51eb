"""Any estimator in kernel coordinates."""

import copy

from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .kernels import as_kernel
from .maps import KernelMap

__all__ = ["Kernelized"]


def _inner_has(name):
    def check(self):
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    return check


class Kernelized(MetaEstimatorMixin, BaseEstimator):
    """The kernel version of an estimator: it runs in kernel coordinates.

    If only inner products and distances of samples matter to the estimator, as to ``Ridge``, ``LogisticRegression``, ``LinearSVC``,
    ``KMeans`` or ``PCA``, this is exactly the kernel method. If the estimator looks at single axes, as ``Lasso`` or a tree does, this is
    the estimator on principal axes of the feature space.

    Parameters
    ----------
    estimator : estimator
        A classifier, regressor, transformer, clusterer, outlier detector, or a pipeline.
    kernel : str, npt.Kernel or callable, default="gaussian"
        A text of the catalogue, a kernel, ``"precomputed"``, or a function of two samples.
    space, n_components, n_landmarks, axes, centered, random_state, verbose, max_seconds
        As in :class:`KernelMap`.

    Attributes
    ----------
    estimator_ : estimator
        The estimator, fitted to coordinates.
    map_ : KernelMap
        The fitted map to coordinates.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> from sklearn.linear_model import LogisticRegression
    >>> from npt import Kernelized
    >>> x, y = make_circles(200, noise=0.05, factor=0.4, random_state=0)
    >>> Kernelized(LogisticRegression(), kernel="gaussian(gamma = 2)").fit(x, y).score(x, y)
    1.0
    """

    def __init__(self, estimator, kernel="gaussian", *, space="auto", n_components=None, n_landmarks=1000, axes="principal", centered=True,
                 random_state=None, verbose=False, max_seconds=None):
        self.estimator = estimator
        self.kernel = kernel
        self.space = space
        self.n_components = n_components
        self.n_landmarks = n_landmarks
        self.axes = axes
        self.centered = centered
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def _map(self):
        return KernelMap(self.kernel, self.space, self.n_components, n_landmarks=self.n_landmarks, axes=self.axes, centered=self.centered,
                         random_state=self.random_state, verbose=self.verbose, max_seconds=self.max_seconds)

    def get_params(self, deep=True):
        params = super().get_params(deep=deep)
        if deep and isinstance(self.kernel, str) and self.kernel != "precomputed":
            # A kernel by a name alone has its parameters, too: no gamma but the kernel's own is here.
            try:
                inside = as_kernel(self.kernel).get_params()
            except ValueError:
                return params
            params.update({f"kernel__{key}": value for key, value in inside.items()})
        return params

    def set_params(self, **params):
        of_kernel = {key: value for key, value in params.items() if key.startswith("kernel__")}
        rest = {key: value for key, value in params.items() if key not in of_kernel}
        super().set_params(**rest)
        if of_kernel:
            self.kernel = KernelMap(copy.deepcopy(self.kernel)).set_params(**of_kernel).kernel
        return self

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        of_map = get_tags(self._map())
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.regressor_tags = inner.regressor_tags
        tags.target_tags = inner.target_tags
        tags.transformer_tags = inner.transformer_tags
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = []
        tags.input_tags = of_map.input_tags
        tags.non_deterministic = inner.non_deterministic
        return tags

    def get_metadata_routing(self):
        """The arguments of ``fit`` and other methods that go to the estimator."""
        mapping = MethodMapping()
        for name in ("fit", "score"):
            mapping.add(caller=name, callee=name)
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=mapping)

    def fit(self, X, y=None, **params):
        """Fits the coordinates to samples, and the estimator to coordinates and targets; ``params`` go to the estimator."""
        if y is None and get_tags(self.estimator).target_tags.required:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        self._fit("fit", X, y, params)
        return self

    def _fit(self, method, X, y, params):
        """Fits by a method of the estimator, and returns the result of that method. Nothing is kept of a fit that fails."""
        fitted_map = self._map()
        coordinates = fitted_map.fit_transform(X)
        routed = _routed(self, "fit", params)
        inner = clone(self.estimator)
        ask = getattr(inner, method)
        answer = ask(coordinates, **routed) if y is None else ask(coordinates, y, **routed)
        self.map_, self.estimator_ = fitted_map, inner
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(fitted_map, name):
                setattr(self, name, getattr(fitted_map, name))
        return answer

    def _ask(self, name, X, *rest, **params):
        check_is_fitted(self, "estimator_")
        return getattr(self.estimator_, name)(self.map_.transform(X), *rest, **params)

    @available_if(_inner_has("predict"))
    def predict(self, X):
        """The predictions of the estimator."""
        return self._ask("predict", X)

    @available_if(_inner_has("predict_proba"))
    def predict_proba(self, X):
        """The estimator's probabilities."""
        return self._ask("predict_proba", X)

    @available_if(_inner_has("predict_log_proba"))
    def predict_log_proba(self, X):
        """The logarithms of the estimator's probabilities."""
        return self._ask("predict_log_proba", X)

    @available_if(_inner_has("decision_function"))
    def decision_function(self, X):
        """The estimator's decision values."""
        return self._ask("decision_function", X)

    @available_if(_inner_has("score_samples"))
    def score_samples(self, X):
        """The estimator's scores of samples."""
        return self._ask("score_samples", X)

    @available_if(_inner_has("transform"))
    def transform(self, X):
        """The samples, transformed by the estimator."""
        return self._ask("transform", X)

    @available_if(_inner_has("transform"))
    def fit_transform(self, X, y=None, **params):
        """Fits, and returns the same samples, transformed by the estimator."""
        return self.fit(X, y, **params).transform(X)

    @available_if(_inner_has("fit_predict"))
    def fit_predict(self, X, y=None, **params):
        """Fits, and returns the estimator's predictions for the same samples."""
        return self._fit("fit_predict", X, y, params)

    @available_if(_inner_has("score"))
    def score(self, X, y=None, **params):
        """The estimator's score."""
        routed = _routed(self, "score", params)
        return self._ask("score", X, **routed) if y is None else self._ask("score", X, y, **routed)

    @available_if(_inner_has("set_output"))
    def set_output(self, *, transform=None):
        """Sets the type that ``transform`` returns: ``"default"``, ``"pandas"`` or ``"polars"``."""
        for inner in (self.estimator, getattr(self, "estimator_", None)):
            if inner is not None:
                inner.set_output(transform=transform)
        return self

    @available_if(_inner_has("get_feature_names_out"))
    def get_feature_names_out(self, input_features=None):
        """The names of the columns that ``transform`` returns."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.get_feature_names_out()

    @property
    def classes_(self):
        """The classes of a classifier."""
        return self.estimator_.classes_

    @property
    def labels_(self):
        """The clusters of the training samples."""
        return self.estimator_.labels_

    @property
    def offset_(self):
        """The offset of outlier detectors: ``decision_function`` = ``score_samples`` − ``offset_``."""
        return self.estimator_.offset_


def _routed(owner, method, params):
    """The parameters of one method that go to the estimator."""
    from sklearn import get_config

    if not get_config()["enable_metadata_routing"]:
        return params
    return process_routing(owner, method, **params).estimator[method] if params else {}
