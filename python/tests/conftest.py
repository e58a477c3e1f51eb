"""Data that several tests share."""

import numpy as np
import pytest


@pytest.fixture
def plane():
    """Forty samples of two classes that no line divides, and numbers along them."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3))
    sides = (x[:, 0] * x[:, 1] > 0).astype(int)
    return x, sides, np.sin(x[:, 0]) + 0.5 * x[:, 1]
