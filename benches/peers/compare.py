"""Times npt beside scikit-learn on the same samples, and writes docs/performance.md.

    NPT_DATA=… python3 benches/peers/compare.py [--rounds 5] [name …]

Makes a Python environment under target/peers, builds ours.rs, and runs both in turn, two threads each.
A time counts only where both have computed the same: eigenvalues, coordinates, predictions, objectives.
With names, only the works that contain one of them, and no page is written.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "peers"
PACKAGES = ["scikit-learn==1.9.1", "matplotlib==3.10.7"]
THREADS = {name: "2" for name in ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"]}

if "NPT_DATA" not in os.environ:
    sys.exit("Set NPT_DATA to the folder that has letter.csv and magic.csv.")
DATA = pathlib.Path(os.environ["NPT_DATA"])

if pathlib.Path(sys.prefix).resolve() != (WORK / "venv").resolve():
    python = WORK / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(WORK / "venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    os.execve(python, [str(python), *sys.argv], {**os.environ, **THREADS})

import matplotlib

matplotlib.use("svg")
import numpy as np
import page
import sklearn


@dataclasses.dataclass
class Work:
    """A row of the table."""

    name: str
    # What ours.rs is told, and theirs.py: the fastest of several counts.
    ours: str
    theirs: list
    goal: str
    # How much results may differ, by the largest of their group.
    tolerance: float
    # Floating point operations, where a known number has to be done.
    operations: float = 0.0
    rounds: int = 0


def powers(count, first, step):
    """As many powers of ten, as arguments."""
    return ",".join(f"{10 ** (first + i * step):.12g}" for i in range(count))


def works():
    """All of them, in the order of the page."""

    def both(name, line, goal, tolerance, **more):
        return Work(name, line, [line], goal, tolerance, **more)

    yield both("Gram matrix, centred, n = 4000, d = 10", "gram normal-4000-10", "≥ 6", 1e-12)
    square = 4000**2
    yield both("Gram matrix, centred, n = 4000, d = 256", "gram normal-4000-256", "≥ 3", 1e-12, operations=square * 256)
    yield both("Gram matrix, centred, n = 4000, d = 10, f32", "gram-f32 normal-4000-10", "", 1e-5)
    for n, goal in [(2000, "≥ 8"), (4000, "≥ 15")]:
        name = f"exact coordinates, Cholesky axes (theirs: principal), n = {n}"
        yield both(name, f"space normal-{n}-10", goal, 1e-10, operations=n**3 / 3)
    yield both("exact coordinates, Cholesky axes (theirs: principal), d = 2, n = 4000", "space normal-4000-2", "≥ 200", 1e-9)
    for n in [2000, 4000]:
        name = f"exact coordinates, principal axes, n = {n}"
        yield Work(name, f"principal normal-{n}-10", [f"space normal-{n}-10"], "≥ 1.1", 1e-10)
    for n in [4000, 10000]:
        line = f"components normal-{n}-10 20"
        theirs = [f"{line} {solver}" for solver in ["arpack", "randomized"]]
        yield Work(f"20 principal components, n = {n}", line, theirs, "≥ 3", 1e-6)
    line = "transform normal-4000-10 normal-10000-10 20"
    yield both("scores of 10,000 new, 20 components", line, "≥ 8", 1e-8)
    for c, goal in [(1, "≥ 2.5"), (100, "≥ 4")]:
        yield both(f"C-SVC, C = {c}, n = 4000", f"svc magic-4000 {c}", goal, 5e-3)
    yield both("C-SVC, C = 10,000, n = 4000", "svc magic-4000 10000", "", 2e-2, rounds=3)
    yield both("C-SVC, 26 classes, n = 20,000", "letters letter", "≥ 1.5", 1e-2, rounds=3)
    line = "svc-predict magic-4000 25"
    yield both("C-SVC, predictions of 100,000 new, n = 4000", line, "≥ 10", 1e-3)
    yield both("ε-SVR, C = 1, n = 4000", "svr waves-4000", "≥ 2", 5e-3)
    for n in [2000, 4000]:
        line = f"grid magic-{n} 0.1 {powers(9, -2, 0.5)}"
        yield both(f"grid of 9 C × 5 folds, n = {n}", line, "≥ 15", 3e-3)
    line = f"grid magic-2000 {powers(10, -2.5, 0.25)} {powers(10, -2, 0.5)}"
    yield both("grid of 10 γ × 10 C × 5 folds, n = 2000", line, "≥ 20", 1e-2, rounds=3)
    yield both("ridge, n = 4000", "ridge waves-4000", "≥ 2", 1e-8, operations=4000**3 / 3)
    name = "ridge, 50 penalties, leave-one-out (theirs: 10 folds), n = 2000"
    yield both(name, "ridge-path waves-2000", "≥ 35", 1e-8, rounds=3)
    name = "Gaussian process, 1000 means and variances, n = 4000"
    yield both(name, "process waves-4000", "≥ 2", 1e-8)
    # Each ends in a minimum of starts of its own.
    yield both("k-means, 26 clusters, 10 starts, n = 20,000", "k-means letter 26 10", "", 1e-2)
    yield both("k-means, 20 clusters, 10 starts, d = 256, n = 4000", "k-means normal-4000-256 20 10", "", 1e-2)


def write_samples(folder):
    """Every table that a work names."""
    folder.mkdir(parents=True, exist_ok=True)

    def save(name, x, y):
        numbers = np.column_stack([x, y]).astype("<f8")
        np.concatenate([[float(numbers.shape[1])], numbers.ravel()]).astype("<f8").tofile(folder / name)

    for n, d in [(500, 10), (1000, 10), (2000, 10), (4000, 10), (8000, 10), (10000, 10), (4000, 2), (4000, 256)]:
        # Distances of about the same size in any dimension.
        x = np.random.default_rng(n + d).standard_normal((n, d)) * (10 / max(d, 10)) ** 0.5
        save(f"normal-{n}-{d}", x, np.zeros(n))
    table = np.loadtxt(DATA / "magic.csv", delimiter=",")
    for n in [500, 1000, 2000, 4000, 8000]:
        some = table[:: len(table) // n][:n]
        x = some[:, :-1]
        save(f"magic-{n}", x, some[:, -1] > 0.5)
        save(f"waves-{n}", x, np.sin(x[:, 0] + 0.5 * x[:, 1]) + 0.1 * x[:, 2])
    table = np.loadtxt(DATA / "letter.csv", delimiter=",")
    save("letter", table[:, :-1], table[:, -1])


class Worker:
    """A process that does works, one a line."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **THREADS})

    def do(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.command[0]} has failed at: {line}")
        seconds, values = answer.split(maxsplit=1)
        return float(seconds), [np.array(group.split(), dtype=float) for group in values.split("|")]

    def peak(self, line):
        """The most memory of a process that does nothing else, in MB."""
        done = Worker(self.command)
        done.do(line)
        status = pathlib.Path(f"/proc/{done.process.pid}/status").read_text()
        done.process.stdin.close()
        done.process.wait()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


def build():
    """The path of our worker."""
    command = ["cargo", "bench", "-p", "npt-benches", "--bench", "ours", "--no-run", "--message-format=json"]
    messages = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    artifacts = [json.loads(line) for line in messages.splitlines()]
    return next(a["executable"] for a in artifacts if a.get("target", {}).get("name") == "ours" and a.get("executable"))


@dataclasses.dataclass
class Row:
    work: Work
    ours: float
    theirs: float
    # The peer's line that was the fastest.
    best: str
    # Of the rounds.
    ratios: list
    difference: float
    memory: tuple = ()

    @property
    def ratio(self):
        return self.theirs / self.ours


def measure(work, ours, theirs, rounds):
    """Ours, theirs, ours, theirs …, after one of each that does not count; None if no peer agrees."""
    times, values = {}, {}
    lines = [(ours, work.ours)] + [(theirs, line) for line in work.theirs]
    for round_ in range(-1, work.rounds or rounds):
        for worker, line in lines:
            seconds, values[worker, line] = worker.do(line)
            if round_ >= 0:
                times.setdefault((worker, line), []).append(seconds)
    found = values[lines[0]]
    differences = {}
    for line in lines[1:]:
        off = max(abs(a - b).max() / abs(b).max() for a, b in zip(found, values[line], strict=True))
        if off <= work.tolerance:
            differences[line] = off
        else:
            print(f"{line[1]}: results differ by {off:.1e}, not counted")
    if not differences:
        return None
    best = min(differences, key=lambda key: statistics.median(times[key]))
    ratios = [b / a for a, b in zip(times[lines[0]], times[best])]
    of_ours, of_theirs = (statistics.median(times[key]) for key in (lines[0], best))
    return Row(work, of_ours, of_theirs, best[1], ratios, differences[best])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", action="store_true", help="peak memory of the chosen works, too")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    folder = WORK / "samples"
    write_samples(folder)
    ours = Worker([build(), str(folder)])
    theirs = Worker([sys.executable, str(HERE / "theirs.py"), str(folder)])
    for n in [2000, 4000]:
        ours.do(f"folds magic-{n}")[1][0].astype("<f8").tofile(folder / f"magic-{n}.folds")
    rows, all_agree = [], True
    for work in works():
        if arguments.names and not any(name in work.name or name in work.ours for name in arguments.names):
            continue
        row = measure(work, ours, theirs, arguments.rounds)
        if row is None:
            all_agree = False
            continue
        if arguments.memory or not arguments.names:
            row.memory = (ours.peak(work.ours), theirs.peak(row.best))
        low, high = min(row.ratios), max(row.ratios)
        print(f"{work.name:64} {row.ours:8.4f} {row.theirs:8.4f} {row.ratio:7.2f} ({low:.2f}–{high:.2f}) goal {work.goal:8} {row.difference:.0e} {row.memory}", flush=True)
        rows.append(row)
    if not arguments.names:
        page.write(ROOT / "docs", rows, ours, theirs, sklearn.__version__)
    sys.exit(0 if all_agree else "some results differ")


if __name__ == "__main__":
    main()
