"""Fits whose samples come in parts, on one machine or on many.

Only sums are kept: means and scatters of coordinates in the space of known landmarks. A worker gets sums without samples (by pickle),
adds its samples, and sends back bytes, which are merged in any order. ``npt.dask``, ``npt.spark`` and ``npt.ray`` do that on a cluster.
"""

import copy
import functools

import numpy as np
from scipy import sparse
from sklearn.utils import check_array, check_consistent_length, check_random_state
from sklearn.utils.validation import _num_samples

from . import _npt
from .base import as_samples, gamma_of, is_function, require_whole, to_samples
from .kernels import as_kernel
from .model import Model
from .targets import Labels, as_numbers

__all__ = ["Reservoir", "Sums", "as_tree", "merged", "require_begun", "sum_of"]


class Sums:
    """A fit whose samples come in parts.

    Parameters
    ----------
    method : str
        ``"ridge"``, ``"kpca"``, ``"pls"``, ``"kfd"`` or ``"cca"`` with their parameters, as the catalogue writes them:
        ``"ridge(penalty = [0.01, 1, 100])"``. Of several penalties the one with the smallest error on held-out folds is taken; the fold
        of a sample follows from its values, so that all workers agree.
    kernel : str or npt.Kernel
        ``gamma="scale"`` and ``"auto"`` are by the landmarks.
    landmarks : array-like, sparse matrix, list of str or list of set
        Samples in whose space the coordinates are, chosen by hand, or by a :class:`Reservoir` from the stream.
    space : str, default="exact"
        ``"exact"`` takes all landmarks, ``"nystrom(landmarks = 100)"`` some of them, ``"random_fourier(frequencies = 500)"`` features.
    second_landmarks : array-like or None, default=None
        The landmarks of the second view, for ``"cca"``.
    folds : int or None, default=None
        The number of folds; ``None`` is 5 if penalties are compared, else 1.

    Attributes
    ----------
    count : int
        The number of samples so far.
    rank : int
        The number of coordinates.
    fingerprint : int
        The number that sums of the same method, kernel, landmarks and folds have in common. Sums with another number are not merged.

    Examples
    --------
    >>> import numpy as np
    >>> import npt
    >>> x = np.linspace(0, 6, 400).reshape(-1, 1)
    >>> begun = npt.sums.Sums("ridge(penalty = 0.001)", "gaussian(gamma = 0.5)", landmarks=x[::20])
    >>> parts = [npt.sums.sum_of(begun, (x[k::4], np.sin(x[k::4, 0]))) for k in range(4)]  # on four machines
    >>> for part in parts:
    ...     begun.merge(part)
    >>> model = begun.fit()
    >>> bool(abs(model.predict([[2.0]])[0, 0] - np.sin(2.0)) < 1e-3)
    True
    """

    def __init__(self, method, kernel, *, landmarks, space="exact", second_landmarks=None, folds=None):
        landmarks = as_samples(landmarks)
        if is_function(kernel):
            raise ValueError(f"the kernel is {kernel!r}; sums take a text of the catalogue or a npt.Kernel")
        kernel = as_kernel(kernel).with_data(functools.partial(gamma_of, landmarks))
        second = None if second_landmarks is None else to_samples(as_samples(second_landmarks))
        sums = _npt.Estimator(method, str(kernel), space=space).sums(to_samples(landmarks), second)
        self._of_labels = method.strip().startswith("kfd")
        self._of_views = second is not None
        self._sums = sums if folds is None else sums.with_folds(folds)

    def partial_fit(self, X, y=None, sample_weight=None):
        """Adds samples with their targets. A block that is refused, and a block without samples, change nothing."""
        if _num_samples(X) == 0:
            return self
        X = as_samples(X)
        samples = to_samples(X)
        if sample_weight is not None:
            sample_weight = check_array(sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
            check_consistent_length(X, sample_weight)
            samples = samples.with_weights(sample_weight)
        if y is not None:
            y = to_samples(as_samples(y)) if self._of_views else Labels(y).as_they_are() if self._of_labels else as_numbers(y)
        self._sums.add(samples, y)
        return self

    def to_bytes(self):
        """The sums so far as bytes, without the landmarks. A worker sends them back."""
        return self._sums.part()

    def merge(self, part):
        """Adds other sums, or their bytes. Sums of another method, another kernel, other landmarks or other folds are a ``ValueError``."""
        self._sums.merge(part.to_bytes() if isinstance(part, Sums) else bytes(part))

    def fit(self, max_seconds=None, **parameters):
        """Fits the model of all samples so far. More samples may follow.

        Parameters
        ----------
        max_seconds : float or None, default=None
            The time after which the fit ends with ``TimeoutError``.
        **parameters
            Values of the method's parameters in the place of those that the sums began with: ``penalty=0.1``, ``components=3``.

        Returns
        -------
        npt.Model
        """
        return Model(self._sums.fit(parameters, _npt.Work(max_seconds)))

    @property
    def count(self):
        return self._sums.count()

    @property
    def rank(self):
        return self._sums.rank()

    @property
    def fingerprint(self):
        return self._sums.fingerprint()

    def __getstate__(self):
        return {"sums": self._sums.to_bytes(), "of_labels": self._of_labels, "of_views": self._of_views}

    def __setstate__(self, state):
        self._sums = _npt.Sums.from_bytes(state["sums"])
        self._of_labels, self._of_views = state["of_labels"], state["of_views"]


class Reservoir:
    """A random selection of samples that come in parts, as landmarks: each sample has the same chance, however many there will be.

    Parameters
    ----------
    size : int
    random_state : int, RandomState or None, default=None
        The seed. Reservoirs that are merged are of one size, and need different seeds, such as the number of the part.

    Attributes
    ----------
    samples : matrix or list
        The selected samples; all samples, if there were fewer than ``size``.

    Examples
    --------
    >>> import numpy as np
    >>> import npt
    >>> some = npt.sums.Reservoir(50, random_state=0)
    >>> for part in np.split(np.arange(1000.0).reshape(-1, 1), 10):
    ...     some.partial_fit(part)
    >>> some.samples.shape
    (50, 1)
    """

    def __init__(self, size, random_state=None):
        require_whole(size=size)
        self.size = size
        self._random = check_random_state(random_state)
        # Each sample has a random key; the samples with the smallest keys stay.
        self._keys = np.empty(0)
        self.samples = None

    def partial_fit(self, X, y=None):
        """Offers samples."""
        X = as_samples(X)
        self._offer(self._random.random_sample(_num_samples(X)), X)

    def merge(self, other):
        """Offers the samples of another reservoir, of other samples."""
        if other.size != self.size:
            raise ValueError(f"the reservoirs are of {self.size} and {other.size} samples; those that are merged must be of one size")
        if np.isin(other._keys, self._keys).any():
            raise ValueError("the reservoirs have the same random numbers; those that are merged need different seeds")
        if other.samples is not None:
            self._offer(other._keys, other.samples)

    def _offer(self, keys, X):
        samples = X if self.samples is None else _stacked(self.samples, X)
        keys = np.concatenate([self._keys, keys])
        kept = np.sort(np.argsort(keys, kind="stable")[: self.size])
        self._keys = keys[kept]
        self.samples = [samples[place] for place in kept] if isinstance(samples, list) else samples[kept]


def _stacked(first, second):
    if isinstance(first, list):
        return first + second
    return sparse.vstack([first, second], format="csr") if sparse.issparse(first) else np.concatenate([first, second])


def sum_of(begun, part, read=None):
    """The bytes of the sums over a part: ``(X, y)``, ``(X, y, sample_weight)``, or whatever ``read`` makes such tuples of."""
    own = copy.deepcopy(require_begun(begun))
    for block in [part] if read is None else _blocks(read(part)):
        own.partial_fit(*block)
    return own.to_bytes()


def _blocks(read):
    """One block, or an iterator over several."""
    return [read] if isinstance(read, tuple) else read


def merged(*parts):
    """The bytes of sums over all samples of several parts."""
    return _npt.merge_parts(list(parts))


def as_tree(merge, parts, width=8):
    """Merges parts a few at a time, on whatever machines ``merge`` runs, until there is one."""
    parts = list(parts)
    if not parts:
        raise ValueError("there are no parts to merge; at least one is needed")
    while len(parts) > 1:
        parts = [merge(*parts[k : k + width]) for k in range(0, len(parts), width)]
    return parts[0]


def require_begun(begun):
    """Refuses sums that have samples: each part would count them again."""
    if begun.count:
        raise ValueError(f"the sums have {begun.count} samples; those that parts begin from must have none")
    return begun
