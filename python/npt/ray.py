"""Sums on a Ray cluster."""

from .sums import as_tree, merged, require_begun, sum_of

__all__ = ["add"]


def add(begun, parts, read=None, retries=3):
    """Adds parts to the sums of nothing, each in a task; parts of a worker that is lost are summed by another.

    Parameters
    ----------
    begun : npt.sums.Sums
        Sums without samples, which have all of them afterwards.
    parts : list
        ``(X, y)``, ``(X, y, sample_weight)``, references to these, or whatever ``read`` takes, such as the names of files.
    read : callable or None
        Gives, of a part, such a tuple, or an iterator over them. It runs on the worker.
    retries : int, default=3
        How often a part is tried again whose worker is lost.

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
