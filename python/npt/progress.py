"""Bars, functions and callbacks that are told how far a fit is."""

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        """Estimators without callbacks."""

    def with_callbacks(method):
        """The method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "Progress", "with_callbacks"]


class Progress:
    """Progress of a fit, told to a bar of tqdm, a function, and scikit-learn's callbacks, to which each stage of the work is a task.

    Parameters
    ----------
    estimator : estimator
        With ``verbose``: true for a bar, or a function ``told(stage, done, total, measure, value)``, which ends iterations with the best
        that they have where it returns ``True``. Callbacks end them likewise.
    X, y
        The samples and targets of the fit, for callbacks.
    """

    def __init__(self, estimator, X=None, y=None):
        verbose = getattr(estimator, "verbose", False)
        self._told = verbose if callable(verbose) else _Bar() if verbose else None
        self._context = None
        if hasattr(estimator, "_skl_callbacks") or hasattr(estimator, "_parent_callback_ctx"):
            self._data = {"estimator": estimator, "X": X, "y": y}
            self._context = estimator._init_callback_context(max_subtasks=None)
            self._context.call_on_fit_task_begin(**self._data)
        self._stage = self._task = None

    @property
    def tell(self):
        """The function that is told, or ``None``."""
        return None if self._told is None and self._context is None else self

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
