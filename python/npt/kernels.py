"""Kernels: as objects that compose, as texts, and by scikit-learn's names."""

from __future__ import annotations

import functools
import numbers

import numpy as np

from . import _npt

__all__ = ["Kernel", "as_kernel", "by_sklearn_name", "kernel"]

# The words for a gamma that the data give.
BY_DATA = ("scale", "auto")


class Kernel:
    """A kernel of the catalogue, with its parameters and the kernels that it is made of.

    Kernels are added and multiplied with each other and with numbers. ``gamma`` may be ``"scale"``, 1 / (features × variance), or
    ``"auto"``, 1 / features; a fit then takes its value from the data.

    Parameters
    ----------
    name : str
        The name in the catalogue, such as ``"gaussian"``; :func:`kernel` reads whole texts.
    **parameters
        Numbers, texts and lists by the names of the catalogue, and kernels by the names of the places where they stand.

    Examples
    --------
    >>> from npt import Kernel
    >>> k = Kernel("gaussian", gamma=0.5) + 0.1 * Kernel("linear")
    >>> print(k)
    sum(gaussian(gamma = 0.5), scaled(factor = 0.1, linear))
    >>> k.get_params()["first__gamma"]
    0.5
    """

    def __init__(self, name, **parameters):
        self.name = name
        self.parameters = parameters

    def get_params(self, deep=True):
        """The name, the parameters and the parts; with ``deep`` those of the parts as well, behind two underscores."""
        params = {"name": self.name, **self.parameters}
        if deep:
            for place, part in self.parameters.items():
                if isinstance(part, Kernel):
                    inside = part.get_params()
                    params.update({f"{place}__{key}": value for key, value in inside.items()})
        return params

    def set_params(self, **params):
        """Sets parameters by name, those of parts behind two underscores: ``first__gamma=0.1``."""
        for key, value in params.items():
            place, _, inside = key.partition("__")
            if inside:
                part = self.parameters.get(place)
                if not isinstance(part, Kernel):
                    raise ValueError(f"the kernel {self.name} has no part {place}; it has {self._part_names()}")
                part.set_params(**{inside: value})
            elif key == "name":
                self.name = value
            elif key in self.parameters:
                self.parameters[key] = value
            else:
                raise ValueError(f"the kernel {self.name} has no parameter {key}; it has {self._names()}")
        return self

    def _part_names(self):
        return ", ".join(place for place, part in self.parameters.items() if isinstance(part, Kernel)) or "none"

    def _names(self):
        return ", ".join(self.parameters) or "none"

    def with_data(self, gamma_of):
        """A copy of the kernel in which gammas by the data are numbers."""
        known = {}
        for key, value in self.parameters.items():
            if isinstance(value, Kernel):
                known[key] = value.with_data(gamma_of)
            elif key == "gamma" and isinstance(value, str) and value in BY_DATA:
                known[key] = gamma_of(value)
            else:
                known[key] = value
        return Kernel(self.name, **known)

    def __str__(self):
        values = {k: v for k, v in self.parameters.items() if not isinstance(v, Kernel)}
        parts = [str(v) for v in self.parameters.values() if isinstance(v, Kernel)]
        written = [f"{name} = {_value(value)}" for name, value in values.items()] + parts
        return f"{self.name}({', '.join(written)})" if written else self.name

    def __repr__(self):
        return f"npt.kernel({str(self)!r})"

    def __call__(self, X, Y=None):
        """The kernel values of samples with others, or among themselves, one row a sample of ``X``.

        ``gamma="scale"`` is by the variance of ``Y``, which stands for the training samples; without ``Y``, by that of ``X``.
        """
        from .base import as_samples, gamma_of, to_samples

        training = as_samples(X if Y is None else Y)
        kernel = str(self.with_data(functools.partial(gamma_of, training)))
        x, y = to_samples(as_samples(X)), None if Y is None else to_samples(training)
        return _npt.kernel_matrix(kernel, x, y)

    def diag(self, X):
        """The kernel value of each sample with itself."""
        from .base import as_samples, gamma_of, to_samples

        X = as_samples(X)
        kernel = str(self.with_data(functools.partial(gamma_of, X)))
        return _npt.kernel_diagonal(kernel, to_samples(X))

    def __eq__(self, other):
        return isinstance(other, Kernel) and str(self) == str(other)

    # A kernel can be changed, and has no hash therefore.
    __hash__ = None

    def __add__(self, other):
        return Kernel("sum", first=self, second=as_kernel(other)) if _is_kernel(other) else NotImplemented

    def __radd__(self, other):
        return as_kernel(other) + self if _is_kernel(other) else NotImplemented

    def __mul__(self, other):
        if isinstance(other, numbers.Real):
            return Kernel("scaled", factor=float(other), kernel=self)
        return Kernel("product", first=self, second=as_kernel(other)) if _is_kernel(other) else NotImplemented

    def __rmul__(self, other):
        if isinstance(other, numbers.Real):
            return self * other
        return as_kernel(other) * self if _is_kernel(other) else NotImplemented


def _is_kernel(value):
    return isinstance(value, (Kernel, str))


def _value(value):
    """The text of a value, as the catalogue writes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return f"[{', '.join(repr(float(entry)) for entry in value)}]"


def kernel(text):
    """The kernel that a text describes.

    Parameters
    ----------
    text : str
        A kernel as the catalogue writes it, such as ``"gaussian(gamma = 0.5) + 0.1 * linear"``.

    Returns
    -------
    Kernel

    Examples
    --------
    >>> import npt
    >>> npt.kernel("gaussian(gamma=0.5) * linear").get_params()["first__gamma"]
    0.5
    """
    return _of_parts(_npt.describe_kernel(text))


def _of_parts(described):
    name, parameters, parts = described
    return Kernel(name, **parameters, **{place: _of_parts(part) for place, part in parts})


def as_kernel(value):
    """A kernel from a kernel or a text. A name that lacks its ``gamma``, such as ``"gaussian"``, and a name of scikit-learn's get a default
    gamma: that of the data, or 1 for ``"chi2"``."""
    if isinstance(value, Kernel):
        return value
    if not isinstance(value, str):
        raise ValueError(f"the kernel is {value!r}; it must be a text or a npt.Kernel")
    if value in _names_with_gamma():
        return Kernel(value, gamma="scale")
    return by_sklearn_name(value, {"gamma": 1.0 if value == "chi2" else "scale", "degree": 3, "coef0": 1}) or kernel(value)


def with_gamma(name, gamma):
    """The kernel of this name with this gamma, if a gamma is all that has to be given; ``None`` for any other text."""
    return Kernel(name, gamma=gamma) if name in _names_with_gamma() else None


_WITH_GAMMA = set()


def _names_with_gamma():
    """The names of the kernels that have to be given a gamma and nothing else."""
    if not _WITH_GAMMA:
        for heading in _npt.kernels("vectors"):
            required = [entry["name"] for entry in heading["parameters"] if entry["required"]]
            if required == ["gamma"]:
                _WITH_GAMMA.add(heading["name"])
    return _WITH_GAMMA


# The pairwise kernels of scikit-learn that are kernels here, with the names of their parameters here and in scikit-learn.
_SKLEARN = {
    "linear": ("linear", {}),
    "poly": ("polynomial", {"degree": "degree", "gamma": "gamma", "constant": "coef0"}),
    "polynomial": ("polynomial", {"degree": "degree", "gamma": "gamma", "constant": "coef0"}),
    "rbf": ("gaussian", {"gamma": "gamma"}),
    "laplacian": ("laplacian", {"gamma": "gamma"}),
    "sigmoid": ("sigmoid", {"gamma": "gamma", "constant": "coef0"}),
    "cosine": ("cosine", {}),
    "chi2": ("chi_squared", {"gamma": "gamma"}),
}


def by_sklearn_name(name, given):
    """The kernel of this name in scikit-learn, with these values of ``gamma``, ``degree`` and ``coef0``; ``None`` for another name."""
    if name not in _SKLEARN:
        return None
    own, names = _SKLEARN[name]
    return Kernel(own, **{ours: given[theirs] for ours, theirs in names.items()})
