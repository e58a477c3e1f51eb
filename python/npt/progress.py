"""Progress of one fit: its time, and bars, functions and callbacks that are told how far the Rust half is."""

import functools
import inspect
import math
import sys
import time
import warnings

from . import _npt

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        """Estimators without callbacks."""

    def with_callbacks(method):
        """The method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "Progress", "one_fit", "warn"]


def one_fit(fit):
    """The method ``fit`` with one :class:`Progress`, as ``self._progress``, for all work of the Rust half in it."""
    signature = inspect.signature(fit)

    @with_callbacks
    def managed(self, *args, **kwargs):
        try:
            given = signature.bind(self, *args, **kwargs).arguments
        except TypeError:
            # The error of the call itself says better what is wrong.
            return fit(self, *args, **kwargs)
        self._progress = Progress(self, given.get("X"), given.get("y"))
        try:
            return fit(self, *args, **kwargs)
        finally:
            progress = self.__dict__.pop("_progress")
            progress.end()

    @functools.wraps(fit)
    def fit_once(self, *args, **kwargs):
        # The fit of a subclass may call that of its base class.
        return (fit if "_progress" in self.__dict__ else managed)(self, *args, **kwargs)

    return fit_once


def warn(message, category):
    """Warns whoever called the estimator: the first line that is neither in this package nor in scikit-learn."""
    frame, level = sys._getframe(1), 2
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("npt", "sklearn"):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


class Progress:
    """The time that a fit has, and its progress, which is told to a bar of tqdm, a function, and scikit-learn's callbacks. Each stage of the
    work is a task of the callbacks.

    Parameters
    ----------
    estimator : estimator
        Its ``verbose`` is true for a bar, or a function ``told(stage, done, total, measure, value)``. If the function returns ``True``,
        iterations end with the best that they have. Callbacks end them likewise.
    X, y
        The samples and targets of the fit, for callbacks.
    """

    def __init__(self, estimator, X=None, y=None):
        self._seconds, self._began = getattr(estimator, "max_seconds", None), time.monotonic()
        if self._seconds is not None and not 0 <= self._seconds < math.inf:
            raise ValueError(f"max_seconds is {self._seconds!r}; it must be finite and at least 0")
        verbose = getattr(estimator, "verbose", False)
        self._told = verbose if callable(verbose) else _Bar() if verbose else None
        self._context = None
        if hasattr(estimator, "_skl_callbacks") or hasattr(estimator, "_parent_callback_ctx"):
            self._data = {"estimator": estimator, "X": X, "y": y}
            self._context = estimator._init_callback_context(max_subtasks=None)
            self._context.call_on_fit_task_begin(**self._data)
        self._stage = self._task = None

    def work(self, max_iterations=None):
        """Work of the Rust half that ends with the time of the fit, and whose iterations end after ``max_iterations``."""
        is_told = self._told is not None or self._context is not None
        return _npt.Work(self.seconds_left(), self if is_told else None, max_iterations)

    def seconds_left(self):
        """The time that the fit still has, or ``None`` without a limit."""
        return None if self._seconds is None else max(self._seconds - (time.monotonic() - self._began), 0.0)

    def __call__(self, stage, done, total, measure, value):
        ends = False
        if self._context is not None and stage != self._stage:
            ends = self._end_task()
            self._stage, self._task = stage, self._context.subcontext(task_name=stage)
            self._task.call_on_fit_task_begin(**self._data)
        if self._told is not None:
            ends = self._told(stage, done, total, measure, value) is True or ends
        return ends

    def _end_task(self):
        return self._task is not None and bool(self._task.call_on_fit_task_end(**self._data))

    def end(self):
        """Closes the bar and ends the tasks of a fit that is done."""
        if self._context is not None:
            self._end_task()
            self._context.call_on_fit_task_end(**self._data)
        if isinstance(self._told, _Bar):
            self._told.close()


class _Bar:
    """A bar for each stage."""

    def __init__(self):
        from tqdm.auto import tqdm

        self._make, self._bar, self._stage = tqdm, None, None

    def __call__(self, stage, done, total, measure, value):
        if stage != self._stage:
            self.close()
            self._stage, self._bar = stage, self._make(total=total, desc=stage)
        if measure is not None:
            self._bar.set_postfix({measure: f"{value:.2e}"}, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self):
        if self._bar is not None:
            self._bar.close()
