"""Sums on a Dask cluster."""

from .sums import as_tree, merged, require_begun, sum_of

__all__ = ["add"]


def add(client, begun, parts, read=None, retries=3):
    """Adds parts to sums without samples, each on a worker. The parts of a worker that is lost are summed by another worker.

    Parameters
    ----------
    client : dask.distributed.Client
    begun : npt.sums.Sums
        Sums without samples; afterwards they have all samples.
    parts : list
        ``(X, y)``, ``(X, y, sample_weight)``, futures of these, or whatever ``read`` takes, such as the names of files.
    read : callable or None
        A function that makes of a part such a tuple, or an iterator over such tuples. It runs on the worker.
    retries : int, default=3
        The number of times that a part that fails is tried again.

    Returns
    -------
    npt.sums.Sums
    """
    require_begun(begun)
    # The sums are sent by a task: scattered data would be lost with the workers that have them.
    there = client.submit(_same, begun, pure=False, retries=retries)
    futures = [client.submit(sum_of, there, part, read, pure=False, retries=retries) for part in parts]
    whole = as_tree(lambda *few: client.submit(merged, *few, pure=False, retries=retries), futures)
    begun.merge(whole.result())
    return begun


def _same(value):
    return value
