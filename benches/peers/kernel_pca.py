"""The work of `benches/exact_space.rs`, done by scikit-learn: medians of five.

    pip install scikit-learn==1.9.1
    python benches/peers/kernel_pca.py 1000 2000 4000
"""

import statistics
import sys
import time

import numpy
from sklearn.decomposition import KernelPCA

sizes = [int(size) for size in sys.argv[1:]] or [1000, 2000, 4000]
print(f"{'n':>6} {'d':>3} {'rank':>6} {'fit/s':>9} {'map 1000':>9}")
for n in sizes:
    for d in (10, 2):
        rng = numpy.random.default_rng(1)
        x, new = rng.standard_normal((n, d)), rng.standard_normal((1000, d))
        fits, maps = [], []
        for _ in range(5):
            start = time.perf_counter()
            model = KernelPCA(n_components=None, kernel="rbf", gamma=0.1).fit(x)
            fits.append(time.perf_counter() - start)
            start = time.perf_counter()
            model.transform(new)
            maps.append(time.perf_counter() - start)
        rank = len(model.eigenvalues_)
        print(f"{n:>6} {d:>3} {rank:>6} {statistics.median(fits):>9.3f} {statistics.median(maps):>9.3f}")
