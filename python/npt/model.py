"""A fitted model of any kind, as it is kept in files."""

import numpy as np

from . import _npt

__all__ = ["Model", "load"]


class Model:
    """A fitted model of any kind, which Rust, the command line and Python keep in files.

    ``print(model)`` says what it is and which questions it answers. Samples are arrays with the columns of the fit, or texts or sets of
    texts in a list.
    """

    def __init__(self, model):
        self._model = model

    @property
    def classes_(self):
        """The classes, in the order of the columns of probabilities."""
        return np.asarray(self._model.classes())

    @property
    def abilities(self):
        """The names of the questions that the model answers."""
        return self._model.abilities()

    @property
    def kernel(self):
        """The kernel as it is written."""
        return self._model.kernel()

    @property
    def learned(self):
        """The values that the fit learned: arrays and numbers by name."""
        return self._model.learned()

    def _ask(self, question, X):
        from .base import as_samples, to_samples

        return getattr(self._model, question)(to_samples(as_samples(X, ensure_all_finite="allow-nan")))

    def predict(self, X):
        """Predicts labels, numbers, clusters, or which samples are novel."""
        return np.asarray(self._ask("predict", X))

    def decision_function(self, X):
        """The values by which the model decides, one row a sample."""
        return self._ask("decision_function", X)

    def predict_proba(self, X):
        """The probabilities of the classes, one row a sample."""
        return self._ask("predict_probabilities", X)

    def predict_with_variance(self, X):
        """Means and variances, one a sample."""
        return self._ask("predict_with_variance", X)

    def transform(self, X):
        """The components of the samples, one row a sample."""
        return self._ask("transform", X)

    def transform_second(self, X):
        """The components of samples of the second view, one row a sample."""
        return self._ask("transform_second", X)

    def residuals(self, X):
        """The squared distances of the samples from the space, one a sample."""
        return self._ask("residuals", X)

    def reconstruct(self, X):
        """The samples without the part that the components do not explain."""
        return self._ask("reconstruct", X)

    def inverse_transform(self, components):
        """Inputs that have these components, or nearly."""
        return self._model.inverse_transform(np.ascontiguousarray(components, dtype=np.float64))

    def to_onnx(self):
        """The model as bytes of ONNX."""
        return self._model.to_onnx()

    def to_libsvm(self):
        """The model as a text of LIBSVM."""
        return self._model.to_libsvm()

    def save(self, path):
        """Saves the model in a file."""
        self._model.save(path)

    def __getstate__(self):
        return self._model.to_bytes()

    def __setstate__(self, state):
        self._model = _npt.Model.from_bytes(state)

    def __str__(self):
        return str(self._model)

    def __repr__(self):
        return f"<npt.Model\n{self}\n>"


def load(path):
    """Loads the model of a file, whichever language saved it.

    Parameters
    ----------
    path : str or os.PathLike
        A file that ``save`` of an estimator, a program in Rust or the command line has written.

    Returns
    -------
    Model
    """
    return Model(_npt.Model.load(path))
