"""Sums on a Dask cluster."""

from .sums import as_tree, merged, require_begun, sum_of

__all__ = ["add"]


def add(client, begun, parts, read=None, retries=3):
    """Adds parts to the sums of nothing, each on a worker; parts of a worker that is lost are summed by another.

    Parameters
    ----------
    client : dask.distributed.Client
    begun : npt.sums.Sums
        Sums without samples, which have all of them afterwards.
    parts : list
        ``(X, y)``, ``(X, y, sample_weight)``, futures of these, or whatever ``read`` takes, such as the names of files.
    read : callable or None
        Gives, of a part, such a tuple, or an iterator over them. It runs on the worker.
    retries : int, default=3
        How often a part is tried again that fails.

    Returns
    -------
    npt.sums.Sums
    """
    require_begun(begun)
    # A task, and not scattered data, which would be lost with the workers that have them.
    there = client.submit(_same, begun, pure=False, retries=retries)
    futures = [client.submit(sum_of, there, part, read, pure=False, retries=retries) for part in parts]
    whole = as_tree(lambda *few: client.submit(merged, *few, pure=False, retries=retries), futures)
    begun.merge(whole.result())
    return begun


def _same(value):
    return value
