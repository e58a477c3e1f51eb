"""Classes that scikit-learn has too, beside scikit-learn's: fits, predictions, imports, the wheel.

    python python/benches/performance.py [page.md [npt.whl]]

All in one process and in turns, three times each; a figure is the ratio of two medians. The samples are the magic telescope's, scaled, where
``NPT_DATA`` names a folder with ``magic.csv`` or ``magic04.data``, and else normal ones.
"""

import os
import platform
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn import decomposition, kernel_approximation, kernel_ridge, svm
from sklearn.model_selection import GridSearchCV

import npt

ROUNDS = 3


def samples():
    """Samples of ten features in two classes, and a number each."""
    folder = Path(os.environ.get("NPT_DATA", "."))
    for name in ("magic.csv", "magic04.data"):
        if (folder / name).exists():
            table = np.genfromtxt(folder / name, delimiter=",", dtype=str)
            numbers = [row for row in table if row[0].replace(".", "", 1).replace("-", "", 1).isdigit()]
            x = np.array([row[:10] for row in numbers], dtype=float)
            y = np.array([row[10] for row in numbers])
            order = np.random.default_rng(0).permutation(len(x))
            x, y = x[order], y[order]
            return (x - x.mean(axis=0)) / x.std(axis=0), np.unique(y, return_inverse=True)[1], name
    x = np.random.default_rng(0).normal(size=(19_000, 10))
    return x, (x[:, 0] * x[:, 1] > 0).astype(int), "normal samples"


def pairs():
    """Name, ours, theirs, sizes, and which targets."""
    return [
        ("SVC(C=1)", npt.SVC(), svm.SVC(tol=1e-3), (2000, 4000, 16000), "classes"),
        ("SVC(C=100)", npt.SVC(C=100), svm.SVC(C=100, tol=1e-3), (2000, 4000), "classes"),
        ("NuSVC(nu=0.4)", npt.NuSVC(nu=0.4), svm.NuSVC(nu=0.4), (2000, 4000), "classes"),
        ("SVR(C=1)", npt.SVR(), svm.SVR(), (2000, 4000, 16000), "numbers"),
        ("NuSVR(nu=0.4)", npt.NuSVR(nu=0.4), svm.NuSVR(nu=0.4), (2000, 4000), "numbers"),
        ("OneClassSVM(nu=0.1)", npt.OneClassSVM(nu=0.1), svm.OneClassSVM(nu=0.1), (4000, 16000), None),
        ("KernelRidge", npt.KernelRidge(kernel="rbf"), kernel_ridge.KernelRidge(kernel="rbf"), (2000, 4000, 8000), "numbers"),
        ("KernelRidge, single precision", npt.KernelRidge(kernel="rbf", precision="single"), kernel_ridge.KernelRidge(kernel="rbf"),
         (2000, 4000, 8000), "numbers"),
        ("KernelPCA(10)", npt.KernelPCA(10, kernel="rbf"), decomposition.KernelPCA(10, kernel="rbf"), (2000, 4000), None),
        ("Nystroem(500)", npt.Nystroem(n_components=500), kernel_approximation.Nystroem(n_components=500), (4000, 19000), None),
        ("RBFSampler(500)", npt.RBFSampler(n_components=500), kernel_approximation.RBFSampler(n_components=500), (4000, 19000), None),
    ]


def searches():
    """Name, our search and theirs, sizes, and which targets."""
    gammas = [0.01, 0.03, 0.1]
    machines, ridges = {"gamma": gammas, "C": [0.1, 1, 10, 100]}, {"gamma": gammas, "alpha": [0.01, 0.1, 1, 10]}
    return [
        ("SVC", npt.KernelSearchCV(npt.SVC(), machines), GridSearchCV(svm.SVC(tol=1e-3), machines), (1000, 2000, 4000), "classes"),
        ("KernelRidge", npt.KernelSearchCV(npt.KernelRidge(kernel="rbf"), ridges),
         GridSearchCV(kernel_ridge.KernelRidge(kernel="rbf"), ridges), (1000, 2000, 4000), "numbers"),
    ]


def processor():
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def timed(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def asked(estimator):
    return estimator.predict if hasattr(estimator, "predict") else estimator.transform


def compare(ours, theirs, x, y):
    """Medians: our fit and theirs, our answer for as many samples and theirs, for one and theirs."""
    times = [[] for _ in range(6)]
    for _ in range(ROUNDS):
        for place, estimator in enumerate((ours, theirs)):
            times[place].append(timed(lambda e=estimator: e.fit(x, y)))
            times[2 + place].append(timed(lambda e=estimator: asked(e)(x)))
            times[4 + place].append(timed(lambda e=estimator: [asked(e)(x[:1]) for _ in range(20)]) / 20)
    return [statistics.median(of_one) for of_one in times]


def import_seconds(module):
    program = f"import time, sklearn.base, sklearn.utils.validation; begun = time.perf_counter(); import {module}; print(time.perf_counter() - begun)"
    # As of an installed package: its modules are compiled once.
    kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=kept).stdout for _ in range(5)]
    return statistics.median(float(run) for run in runs)


def main():
    warnings.simplefilter("ignore")
    x, classes, name = samples()
    numbers = np.sin(x[:, 0]) + 0.3 * x[:, 1]
    targets = {"classes": classes, "numbers": numbers, None: None}
    lines = [
        "# The Python package beside scikit-learn",
        "",
        "For whoever compares the speed of the Python classes with that of scikit-learn.",
        "",
        f"Measured by `python python/benches/performance.py` with {name}, scikit-learn {sklearn.__version__}, {npt.threads()} threads,",
        f"{processor()}.",
        "Each cell has the seconds of ours / theirs, medians of three runs in turns. A ratio below 1 means that ours takes less",
        "time. Ours stop at a tolerance of 1e-9, theirs at 1e-3.",
        "",
        "| class | samples | fit | ratio | as many answers | ratio | one answer | ratio |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for label, ours, theirs, sizes, kind in pairs():
        for size in sizes:
            few, y = x[:size], None if kind is None else targets[kind][:size]
            fit, their_fit, many, their_many, one, their_one = compare(ours, theirs, few, y)
            cells = [label, f"{len(few):,}"]
            for own, their, unit in ((fit, their_fit, 1), (many, their_many, 1), (one, their_one, 1e3)):
                form = ".3f" if unit == 1 else ".2f"
                cells += [f"{own * unit:{form}} / {their * unit:{form}}{'' if unit == 1 else ' ms'}", f"{own / their:.2f}"]
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    lines += [
        "",
        "A search of 3 gammas × 4 penalties in 5 folds, by our `KernelSearchCV` and their `GridSearchCV`.",
        "",
        "| estimator | samples | fit | ratio |",
        "|---|---|---|---|",
    ]
    for label, ours, theirs, sizes, kind in searches():
        for size in sizes:
            few, y = x[:size], targets[kind][:size]
            times = [[timed(lambda e=estimator: e.fit(few, y)) for estimator in (ours, theirs)] for _ in range(ROUNDS)]
            own, their = (statistics.median(of_one) for of_one in zip(*times, strict=True))
            lines.append(f"| {label} | {size:,} | {own:.2f} / {their:.2f} | {own / their:.2f} |")
            print(lines[-1], flush=True)
    lines += [
        "",
        "Ours takes longer for `Nystroem` because its fit does more: it chooses landmarks by what those before leave, and turns",
        "the coordinates to principal axes.",
        "",
        f"`import npt` takes {import_seconds('npt') * 1e3:.0f} ms beyond scikit-learn's base.",
    ]
    if len(sys.argv) > 2:
        lines += ["", f"The wheel has {Path(sys.argv[2]).stat().st_size / 1e6:.2f} MB."]
    text = "\n".join(lines) + "\n"
    print(text)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
