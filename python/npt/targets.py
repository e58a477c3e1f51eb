"""Targets on their way to the Rust half, and back."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

__all__ = ["Labels", "as_numbers"]


class Labels:
    """Classes, and labels as models keep them: whole numbers, texts or truth values; labels of other types as positions of the classes."""

    def __init__(self, y):
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        self.classes, positions = np.unique(y, return_inverse=True)
        kind = self.classes.dtype.kind
        self.are_kept = kind in "biU" or (kind == "u" and self.classes.dtype.itemsize < 8)
        if not self.are_kept and all(isinstance(label, str) for label in self.classes):
            y, self.are_kept = y.astype(str), True
        kept = y if self.are_kept else positions
        self.targets = kept.tolist() if kept.dtype.kind == "U" else kept.astype(bool if kept.dtype.kind == "b" else np.int64)
        self.positions = positions

    def as_they_are(self):
        """The labels as models keep them. Labels that are kept as positions are refused: each part may have other classes."""
        if not self.are_kept:
            raise ValueError(f"labels have the type {self.classes.dtype}; for sums they must be integers, texts or truth values")
        return self.targets

    def require_two(self, of):
        """Refuses a single class."""
        if len(self.classes) < 2:
            raise ValueError(f"{of} needs samples of at least 2 classes in the data, but the data contains only one class: "
                             f"{self.classes[0]!r}")
        return self

    def weights(self, class_weight, sample_weight, alone="Invalid input - all samples with positive weights belong to the same class"):
        """The weight of each sample, by its class and by itself; ``None`` if all are 1. A class without weight is refused, with the
        message ``alone`` if it leaves a single class."""
        weights = sample_weight
        if class_weight is not None:
            own = np.ones(len(self.positions)) if sample_weight is None else sample_weight
            weights = own * self.class_weights(class_weight, own)[self.positions]
        if weights is not None:
            sums = np.bincount(self.positions, weights=weights, minlength=len(self.classes))
            if not np.all(sums > 0):
                found = f"{alone}: " if np.count_nonzero(sums > 0) < 2 else ""
                raise ValueError(f"{found}the class {self.classes[np.argmin(sums)]!r} has no sample with a weight above 0")
        return weights

    def class_weights(self, class_weight, own):
        """The weight of each class."""
        count = len(self.classes)
        if isinstance(class_weight, str):
            if class_weight != "balanced":
                raise ValueError(f"class_weight is {class_weight!r}; it must be 'balanced', a dict or None")
            sizes = np.bincount(self.positions, weights=own, minlength=count)
            return np.divide(own.sum(), count * sizes, out=np.zeros(count), where=sizes > 0)
        if not hasattr(class_weight, "items"):
            raise ValueError(f"class_weight is {class_weight!r}; it must be 'balanced', a dict or None")
        places = {label: place for place, label in enumerate(self.classes.tolist())}
        weights = np.ones(count)
        for label, weight in class_weight.items():
            if label in places:
                weights[places[label]] = weight
        return weights


def labels_back(predicted, classes, are_kept):
    """Predicted labels as an array of the type of the classes."""
    if are_kept:
        return np.asarray(predicted).astype(classes.dtype, copy=False)
    return classes[np.asarray(predicted)]


def as_numbers(y):
    """Targets as a matrix, one column a target."""
    y = np.asarray(y, dtype=np.float64)
    return np.ascontiguousarray(y.reshape(len(y), -1))
