"""Sums on a Ray cluster."""

from .sums import as_tree, merged, require_begun, sum_of

__all__ = ["add"]


def add(begun, parts, read=None, retries=3):
    """Adds parts to sums without samples, each in a task. The parts of a worker that is lost are summed by another worker.

    Parameters
    ----------
    begun : npt.sums.Sums
        Sums without samples; afterwards they have all samples.
    parts : list
        ``(X, y)``, ``(X, y, sample_weight)``, references to these, or whatever ``read`` takes, such as the names of files.
    read : callable or None
        A function that makes of a part such a tuple, or an iterator over such tuples. It runs on the worker.
    retries : int, default=3
        The number of times that a part whose worker is lost is tried again.

    Returns
    -------
    npt.sums.Sums
    """
    import ray

    there = ray.put(require_begun(begun))
    summing, merging = ray.remote(max_retries=retries)(sum_of), ray.remote(max_retries=retries)(merged)
    whole = as_tree(merging.remote, [summing.remote(there, part, read) for part in parts])
    begun.merge(ray.get(whole))
    return begun
