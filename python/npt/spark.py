"""Sums on a Spark cluster, by Spark Connect or classic sessions."""

import numpy as np

from .sums import merged, require_begun, sum_of

__all__ = ["add"]


def add(frame, begun, columns, target=None, weight=None, merging=8):
    """Adds the rows of a data frame to sums without samples; each partition is summed where it is.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    begun : npt.sums.Sums
        Sums without samples; afterwards they have all samples.
    columns : list of str
        The features, in their order.
    target : str, list of str or None
    weight : str or None
    merging : int, default=8
        The number of tasks that merge the sums of the partitions, before the driver merges their results.

    Returns
    -------
    npt.sums.Sums
    """
    require_begun(begun)

    def sums(batches):
        yield _batch(sum_of(begun, batches, lambda batches: (_block(batch, columns, target, weight) for batch in batches)))

    def merge(batches):
        parts = [part for batch in batches for part in batch.column("part").to_pylist()]
        if parts:
            yield _batch(merged(*parts))

    frame = frame.select(*columns, *_names(target), *_names(weight))
    parts = frame.mapInArrow(sums, "part binary").repartition(merging).mapInArrow(merge, "part binary")
    begun.merge(merged(*[bytes(row.part) for row in parts.collect()]))
    return begun


def _names(names):
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def _block(batch, columns, target, weight):
    def matrix(names):
        return np.column_stack([batch.column(name).to_numpy(zero_copy_only=False) for name in names])

    y = None if target is None else matrix(_names(target))
    if y is not None and isinstance(target, str):
        y = y.ravel()
    return matrix(columns).astype(np.float64), y, None if weight is None else matrix([weight]).ravel()


def _batch(part):
    import pyarrow

    return pyarrow.RecordBatch.from_arrays([pyarrow.array([part], type=pyarrow.binary())], ["part"])
