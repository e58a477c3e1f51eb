"""What scikit-learn asks of every estimator."""

import pytest
from estimators import KERNELIZED, READY
from sklearn.utils.estimator_checks import parametrize_with_checks

import npt


@parametrize_with_checks(READY + KERNELIZED)
def test_checks(estimator, check):
    check(estimator)


def test_every_class_is_checked():
    checked = {type(estimator).__name__ for estimator in READY + KERNELIZED}
    classes = {name for name in npt.__all__ if isinstance(getattr(npt, name), type)}
    assert classes - checked == {"Kernel", "Model"}


if __name__ == "__main__":
    pytest.main([__file__])
