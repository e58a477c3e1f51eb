"""Tables, one line each: `npt fit` and `npt score` beside scikit-learn, whole processes from reading the file to the score.

python cli/benches/tables.py NPT FOLDER [PAGE]: the program, the folder of the data sets, and the page to write. Needs scikit-learn and pandas.
"""

import csv
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The file, the target, and the number of rows to train on. Up to 20,000 of the other rows are for the score.
TABLES = [("magic", 10, 10_000), ("letter", 16, 10_000), ("higgs", "label", 8_000), ("shuttle", 9, 10_000)]
HELD_OUT = 20_000

PEER = """
import sys, pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
name, training, held_out = sys.argv[1:]
model = {"svc": lambda: make_pipeline(StandardScaler(), SVC()), "trees": HistGradientBoostingClassifier}[name]()
training, held_out = pd.read_csv(training), pd.read_csv(held_out)
x, y = training.drop(columns="target"), training["target"]
print(model.fit(x, y).score(held_out.drop(columns="target"), held_out["target"]))
"""

SEARCH = """
import sys, numpy as np, pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
table = pd.read_csv(sys.argv[1])
grid = {"svc__C": np.geomspace(0.01, 316.2, 10), "svc__gamma": np.geomspace(0.003162, 0.5623, 10)}
search = GridSearchCV(make_pipeline(StandardScaler(), SVC(cache_size=500)), grid, n_jobs=-1)
print(search.fit(table.drop(columns="target"), table["target"]).best_score_)
"""

# The options of `npt cv` for the same search.
GRID = ["-m", "svc:c=0.01..316.2", "-k", "gaussian:gamma=0.003162..0.5623"]


def search(npt, data):
    """What is said of a search: the medians of the seconds of three runs of each program, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        split(data, "magic", 10, 4000, Path(folder))
        ours = [npt, "cv", "training.csv", "-t", "target", "--classes", *GRID, "-q"]
        theirs = [sys.executable, "-c", SEARCH, "training.csv"]
        runs = [(run(ours, folder)[1:], run(theirs, folder)[1:]) for _ in range(3)]
    seconds = [sorted(of_program[0] for of_program in programs)[1] for programs in zip(*runs)]
    return [
        "",
        "## A search",
        "",
        "10 widths × 10 penalties in 5 folds of 4000 rows of magic, scaled in each fold:",
        f"`npt cv training.csv -t target --classes {' '.join(GRID)}` takes {seconds[0]:.1f} s,",
        f"`GridSearchCV` of scikit-learn with `n_jobs=-1` {seconds[1]:.0f} s. These are whole processes, medians of three runs in turns.",
    ]


def split(folder, name, target, rows, into):
    """Writes two files with a header, with rows dealt at random; returns the number of rows that are held out."""
    with open(folder / f"{name}.csv", newline="") as file:
        lines = list(csv.reader(file))
    if isinstance(target, str):
        place = lines.pop(0).index(target)
    else:
        place = target
    random.Random(0).shuffle(lines)
    features = [f"x{k}" for k in range(len(lines[0]) - 1)]
    for part, some in [("training", lines[:rows]), ("held-out", lines[rows:rows + HELD_OUT])]:
        with open(into / f"{part}.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*features, "target"])
            writer.writerows([*line[:place], *line[place + 1:], int(float(line[place]))] for line in some)
    return min(len(lines) - rows, HELD_OUT)


def run(command, folder):
    """The text that a command prints, its seconds, and the most memory that it had, in MB."""
    begun = time.perf_counter()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        text = process.stdout.read()
        told = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command}: {told}")
    return text, time.perf_counter() - begun, usage.ru_maxrss / 1000


def main():
    npt, data = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    lines = [
        "# Tables, one line each",
        "",
        "For whoever asks what one line of the program costs and gains beside scikit-learn.",
        "",
        "Each table is one file, split into rows to train on and rows held out. `npt` runs",
        "`npt fit training.csv -t target --classes -o m.npt` and `npt score m.npt held-out.csv`, without any other option: it",
        "chooses parameters by cross-validation on 4000 of the rows. scikit-learn runs `make_pipeline(StandardScaler(), SVC())`",
        "and `HistGradientBoostingClassifier()` with their defaults, and chooses nothing.",
        "",
        "The seconds are those of whole processes, from reading the file to the score; one run each. The memory is the peak of",
        "the process that fits.",
        f"Written by `python cli/benches/tables.py`; {platform.processor() or platform.machine()}, {os.cpu_count()} processors.",
        "",
        "| table | rows to train on | held out | | accuracy | seconds | MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, target, rows in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            held_out = split(data, name, target, rows, Path(folder))
            _, seconds, memory = run([npt, "fit", "training.csv", "-t", "target", "--classes", "-o", "m.npt"], folder)
            score, more, _ = run([npt, "score", "m.npt", "held-out.csv"], folder)
            results = [("npt", float(score.split("\t")[1]), seconds + more, memory)]
            for peer, words in [("svc", "scikit-learn, SVC"), ("trees", "scikit-learn, boosted trees")]:
                score, seconds, memory = run([sys.executable, "-c", PEER, peer, "training.csv", "held-out.csv"], folder)
                results.append((words, float(score), seconds, memory))
        for words, score, seconds, memory in results:
            lines.append(f"| {name} | {rows:,} | {held_out:,} | {words} | {score:.4f} | {seconds:.1f} | {memory:.0f} |")
            print(lines[-1], flush=True)
    lines += search(npt, data)
    print("\n".join(lines[-6:]))
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
