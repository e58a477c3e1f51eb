"""Rows and columns of a kernel matrix that no fit copies."""

import numpy as np

from . import _npt

__all__ = ["KernelView"]


class KernelView:
    """Samples that are known by their kernel matrix, seen from some of them: what ``kernel="precomputed"`` takes in the place of an array.

    Rows are samples and columns the training samples that they are told by, as of an array; ``view[np.ix_(rows, columns)]`` is a view of
    the same matrix.

    Parameters
    ----------
    samples : npt._npt.Samples
        All samples of the matrix.
    kernel : str
        The kernel that looks the values up.
    rows, columns : ndarray of int
        Positions in the matrix.
    """

    ndim = 2
    dtype = np.dtype(np.float64)

    def __init__(self, samples, kernel, rows, columns):
        self._all = samples
        self.kernel = kernel
        self._rows = rows
        self._columns = columns

    @classmethod
    def of_kernel(cls, kernel, samples, work):
        """The kernel matrix of a kernel of the catalogue."""
        samples, kernel = _npt.precompute(kernel, samples, work)
        return cls._of_all(samples, kernel)

    @classmethod
    def of_matrix(cls, values):
        """A kernel matrix that somebody else has computed."""
        return cls._of_all(_npt.Samples.kernel_matrix(values), "precomputed")

    @classmethod
    def _of_all(cls, samples, kernel):
        every = np.arange(len(samples))
        return cls(samples, kernel, every, every)

    def __getstate__(self):
        values = _npt.kernel_matrix(self.kernel, self._all)
        return {"values": values, "kernel": self.kernel, "rows": self._rows, "columns": self._columns}

    def __setstate__(self, state):
        samples = _npt.Samples.kernel_matrix(np.asarray(state["values"]))
        self.__init__(samples, state["kernel"], state["rows"], state["columns"])

    @property
    def shape(self):
        """How many rows and columns there are."""
        return len(self._rows), len(self._columns)

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, places):
        rows, columns = places
        return KernelView(self._all, self.kernel, self._rows[rows].ravel(), self._columns[columns].ravel())

    def samples(self):
        """The samples of the rows, as the Rust half takes them."""
        return self._all.rows(self._rows)
