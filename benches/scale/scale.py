"""Times and errors of low-rank spaces beside scikit-learn's Nystroem, and writes docs/scale.md.

    NPT_DATA=… python3 benches/scale/scale.py [part …]

Parts: residuals, seeds, plain, widths, stream, tables, letters, shuttle, rows, blocks, passes, ridge. Each work is a process of its own, with two threads, that tells its peak
memory. What was measured is kept in target/scale/results.json: with names of parts only these are
measured anew, and the page is written from all.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "scale"
ENVIRONMENT = ROOT / "target" / "peers" / "venv"
PACKAGES = ["scikit-learn==1.9.1", "matplotlib==3.10.7"]
THREADS = {name: "2" for name in ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"]}

if "NPT_DATA" not in os.environ:
    sys.exit("Set NPT_DATA to the folder that has letter.csv, magic.csv and the other public data sets.")
DATA = pathlib.Path(os.environ["NPT_DATA"])

if pathlib.Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    os.execve(python, [str(python), *sys.argv], {**os.environ, **THREADS})

import numpy as np
import page

FOLDER = WORK / "samples"
# Name, width γ of the kernel.
SETS = [("letter", 0.1), ("magic", 0.1), ("shuttle", 0.1), ("higgs", 0.02), ("usps", 0.01)]
RULES = ["random", "random-cut", "greedy", "uniform", "leverage", "centroids"]
COUNTS = [100, 300, 1000]
SEEDS = [0, 1, 2]
# For letters with other widths, and for random pivots beside uniform landmarks.
SOME_SEEDS, MANY_SEEDS = list(range(9)), list(range(30))
# Where these are told apart least, as there are few.
FEW = [(name, gamma, count) for name, gamma in SETS for count in COUNTS[:-1]]
# Widths γ for letters, from few large eigenvalues to many.
WIDTHS = [0.02, 0.1, 0.2, 0.5]


def save(name, x, y):
    numbers = np.column_stack([x, y]).astype("<f8")
    np.concatenate([[float(numbers.shape[1])], numbers.ravel()]).astype("<f8").tofile(FOLDER / name)


def split(name, x, y, test):
    order = np.random.default_rng(0).permutation(len(x))
    save(f"{name}-test", x[order[:test]], y[order[:test]])
    save(f"{name}-train", x[order[test:]], y[order[test:]])


def write_samples():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, header in [("letter", 0), ("magic", 0), ("shuttle", 0), ("higgs", 1)]:
        table = np.loadtxt(DATA / f"{name}.csv", delimiter=",", skiprows=header)
        x, y = table[:, :-1], table[:, -1]
        save(name, (x - x.mean(0)) / x.std(0) if header else x, y)
        if name in ["letter", "shuttle"]:
            split(name, x, y, len(x) // 5)
    usps = np.loadtxt(DATA / "usps_train.gz")
    save("usps", usps[:, 1:], usps[:, 0])
    for n in [204000, 500000]:
        generator = np.random.default_rng(n)
        x = generator.standard_normal((n + 10000, 28))
        y = x[:, 0] * x[:, 1] + abs(x[:, 2]) - 0.8 + np.sin(x[:, 3]) + generator.standard_normal(len(x))
        split(f"rows-{n}", x, y > 0, 10000)
    generator = np.random.default_rng(1)
    x = generator.standard_normal((100000, 10))
    save("waves", x, x[:, 0] * x[:, 1] + abs(x[:, 2]) + np.sin(x[:, 3]) + 0.3 * generator.standard_normal(len(x)))


def build():
    """The path of our worker."""
    command = ["cargo", "bench", "-p", "npt-benches", "--bench", "scale", "--no-run", "--message-format=json"]
    messages = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    artifacts = [json.loads(line) for line in messages.splitlines()]
    return next(a["executable"] for a in artifacts if a.get("target", {}).get("name") == "scale" and a.get("executable"))


def run(command, *words):
    """The numbers that a work tells of itself, and its peak memory in MB among them."""
    words = [str(word) for word in words]
    process = subprocess.Popen([*command, str(FOLDER), *words], stdout=subprocess.PIPE, text=True, env={**os.environ, **THREADS})
    answer = process.stdout.read()
    if process.wait() != 0:
        sys.exit(f"has failed: {words}")
    numbers = {}
    for pair in answer.split():
        name, value = pair.split("=")
        numbers.setdefault(name, []).append(float(value))
    numbers = {name: values[0] if len(values) == 1 else values for name, values in numbers.items()}
    print(" ".join(words), numbers, flush=True)
    return numbers


def medians(results):
    return {name: statistics.median(result[name] for result in results) for name in results[0]}


class Parts:
    """What is measured, by name."""

    def __init__(self, ours, theirs):
        self.ours, self.theirs = ours, theirs

    def residuals(self):
        found = {}
        for name, gamma in SETS:
            by_rule = found[name] = {"gamma": gamma, "samples": len(np.fromfile(FOLDER / name)) // len_of_row(name)}
            for count in COUNTS:
                for rule in RULES:
                    seeds = SEEDS[:1] if rule == "greedy" else SEEDS
                    by_rule.setdefault(rule, []).append(self.residual(name, gamma, rule, count, seeds))
                results = [run(self.theirs, "residual", name, gamma, count, seed) for seed in SEEDS]
                by_rule.setdefault("scikit-learn", []).append(medians(results))
            best = run(self.ours, "best", name, gamma, ",".join(map(str, COUNTS)))
            by_rule["best"], by_rule["unknown"] = best["left"], best["unknown"]
        found["letter"]["subset"] = run(self.theirs, "subset", *SETS[0], COUNTS[-1])["left"]
        return found

    def residual(self, name, gamma, rule, count, seeds):
        return medians(self.of_seeds(name, gamma, rule, count, seeds))

    def of_seeds(self, name, gamma, rule, count, seeds):
        return [run(self.ours, "residual", name, gamma, rule, count, seed) for seed in seeds]

    def seeds(self):
        """What random pivots leave, and uniform landmarks."""
        found = []
        for name, gamma, count in [*FEW, ("letter", WIDTHS[-1], COUNTS[-1])]:
            lefts = {rule: [result["left"] for result in self.of_seeds(name, gamma, rule, count, MANY_SEEDS)] for rule in ["random", "uniform"]}
            found.append({"name": name, "gamma": gamma, "count": count, **lefts})
        return found

    def plain(self):
        return [run(self.theirs, "plain", name, gamma, count, len(SOME_SEEDS))["left"] for name, gamma, count in FEW]

    def widths(self):
        found = []
        for gamma in WIDTHS:
            rules = ["random", "random-cut", "centroids", "uniform"]
            of_rules = {rule: self.residual("letter", gamma, rule, COUNTS[-1], SOME_SEEDS)["left"] for rule in rules}
            best = run(self.ours, "best", "letter", gamma, COUNTS[-1])["left"]
            error = run(self.ours, "classes", "letter", "exact", gamma, 10)["error"]
            found.append({"gamma": gamma, **of_rules, "best": best, "error": error})
        return found

    def stream(self):
        rows = [10**4, 10**5, 10**6]
        turns = [[(run(self.ours, "stream", n, 1000, "made"), run(self.theirs, "stream", n, 1000)) for _ in range(3 if n < 10**6 else 1)] for n in rows]
        ours = [medians([one for one, _ in turn]) for turn in turns]
        theirs = [medians([other for _, other in turn]) for turn in turns]
        return {"rows": rows, "ours": ours, "theirs": theirs}

    def tables(self):
        """The rows of the stream from files, and what reading alone takes of it."""
        found = []
        for n in [10**5, 10**6]:
            for form in ["csv", "parquet"]:
                run(self.ours, "write", n, 29, form)
                times = 3 if n < 10**6 else 1
                read = medians([run(self.ours, "read", n, 29, form) for _ in range(times)])
                stream = medians([run(self.ours, "stream", n, 1000, form) for _ in range(times)])
                made = medians([run(self.ours, "stream", n, 1000, "made") for _ in range(times)])
                (FOLDER / f"stream-{n}-29.{form}").unlink()
                found.append({"rows": n, "format": form, "read": read, "stream": stream, "made": made})
        return found

    def letters(self):
        return self.classes("letter", [100, 300, 1000, 2000], 0.1, 10)

    def shuttle(self):
        return self.classes("shuttle", [300], 0.1, 10)

    def classes(self, name, counts, gamma, c):
        found = {"counts": ["exact", *counts], "ours": [], "theirs": []}
        for count in found["counts"]:
            found["ours"].append(run(self.ours, "classes", name, count, gamma, c))
            found["theirs"].append(run(self.theirs, "classes", name, count, gamma, c))
        return found

    def rows(self):
        found = {}
        for n, landmarks in [(204000, 300), (500000, 200)]:
            words = ["sides", f"rows-{n}", landmarks, 0.02, 1]
            found[n] = {"landmarks": landmarks, "ours": run(self.ours, *words), "theirs": run(self.theirs, *words)}
        return found

    def blocks(self):
        found = {}
        for landmarks in [1000, 2000, 4000, 10000]:
            found[landmarks] = {solver: run(self.ours, "blocks", "waves", landmarks, solver) for solver in ["moments", "iterations"]}
            if landmarks <= 2000:
                found[landmarks]["theirs"] = run(self.theirs, "blocks", "waves", landmarks)
        return found

    def passes(self):
        gamma, sides = 0.02, {"ours": self.ours, "theirs": self.theirs}
        works = [("logistic", 204000, 300, 1), ("svc", 204000, 300, 1), ("svc", 204000, 1000, 1), ("svc", 500000, 200, 1), ("kmeans", 204000, 300, 10)]
        found = []
        for work, n, landmarks, parameter in works:
            words = [work, f"rows-{n}", landmarks, gamma, parameter]
            found.append({"work": work, "rows": n, "landmarks": landmarks, **{side: run(command, *words) for side, command in sides.items()}})
        return found

    def ridge(self):
        return run(self.ours, "ridge", "waves", 400, 0.05, 0.1)


def len_of_row(name):
    return int(np.fromfile(FOLDER / name, count=1)[0])


def main():
    file = WORK / "results.json"
    write_samples()
    parts = Parts([build()], [sys.executable, str(HERE / "theirs.py")])
    results = json.loads(file.read_text()) if file.exists() else {}
    for part in sys.argv[1:] or ["residuals", "seeds", "plain", "widths", "stream", "tables", "letters", "shuttle", "rows", "blocks", "passes", "ridge"]:
        results[part] = getattr(parts, part)()
        results.setdefault("measured", {})[part] = page.measured()
        file.write_text(json.dumps(results))
    page.write(ROOT / "docs", results, COUNTS, RULES)


if __name__ == "__main__":
    main()
