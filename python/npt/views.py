"""Rows and columns of a kernel matrix that no fit copies."""

import copy

import numpy as np

from . import _npt

__all__ = ["KernelView"]


class KernelView:
    """Samples that are known by their kernel matrix. ``kernel="precomputed"`` takes such a view in the place of an array.

    Rows are samples, and columns the training samples with which they have their kernel values, as in an array.
    ``view[np.ix_(rows, columns)]`` is a view of the same matrix.

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
        self._all = _Matrix(samples, kernel)
        self._rows = rows
        self._columns = columns

    @property
    def kernel(self):
        """The kernel that looks the values up."""
        return self._all.kernel

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

    @property
    def shape(self):
        """Numbers of rows and columns."""
        return len(self._rows), len(self._columns)

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, places):
        rows, columns = places
        view = copy.copy(self)
        view._rows, view._columns = self._rows[rows].ravel(), self._columns[columns].ravel()
        return view

    def samples(self):
        """The samples of the rows, for the Rust half."""
        return self._all.samples.rows(self._rows)


class _Matrix:
    """All samples of a matrix, and the kernel that looks their values up."""

    def __init__(self, samples, kernel):
        self.samples = samples
        self.kernel = kernel
        self._values = None

    def __getstate__(self):
        # One array for all tasks of joblib, which then puts it into memory that its workers share.
        if self._values is None:
            self._values = _npt.kernel_matrix(self.kernel, self.samples)
        return {"values": self._values, "kernel": self.kernel}

    def __setstate__(self, state):
        self.__init__(_npt.Samples.kernel_matrix(np.asarray(state["values"])), state["kernel"])
