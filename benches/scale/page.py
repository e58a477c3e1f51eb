"""docs/scale.md and its picture, from what scale.py has measured."""

import collections
import itertools
import math
import pathlib
import platform
import subprocess
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np
import sklearn

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from markdown import narrow

TEXT = """# Many samples

For whoever has tens of thousands of samples or more on one machine, and chooses landmarks or random features.

Written by `NPT_DATA=… python3 benches/scale/scale.py`, beside scikit-learn {sklearn}, with 2 threads. Each work is a process of its own, and is measured once unless the text says otherwise. Times are those of fits. Memory is the peak of the process, with Python's 150 MB included. All kernels are Gaussian.

What rows cost from 10⁶ to 10¹², also on many machines, is on the page [many machines](many_machines.md).

## What landmarks leave

For 100, 300 and 1000 landmarks the table has the share of the trace of 𝒦 that the space leaves. The multiple in brackets compares it with what the best space of as many dimensions leaves, the sum of all but the largest eigenvalues. (The eigenvalues of shuttle are those in the space of 4000 landmarks, which leave {unknown:.0e}.) The seconds are those for 1000 landmarks. Medians of three seeds; {measured[residuals]}.

- `random` is randomly pivoted Cholesky.
- `random-cut` takes twice as many random landmarks, and of their space as many principal axes as the column says (`.rank(Rank::Components(m))`).
- `leverage` is by ridge leverage scores at the penalty n/10 a landmark.
- `centroids` are those of k-means.
- scikit-learn's Nystroem draws uniformly.

{residuals}

{verdicts}

The next table compares random pivots with uniform landmarks where landmarks are few or 𝒦 has many large eigenvalues. The figures are means of 30 seeds. The column "a pivot at a time" has means of nine seeds of the algorithm as it is published, in numpy; {measured[seeds]}.

{seeds}

{more_than_uniform}

How near 1000 landmarks come to the best space depends on the eigenvalues of 𝒦. The next table has letter with other widths, as medians of nine seeds. The error is that of exact support vectors (C = 10) at each width on a fifth held out; {measured[widths]}:

{widths}

![What landmarks leave of the trace, and errors on letters, against their number and seconds](scale.svg)

## A stream of rows

Rows of 28 columns are made on the fly, and read in blocks of 4,000. One pass computes moments on 1000 landmarks; ridge regression and 20 principal components follow from the moments. The time includes the making of the rows and the choice of landmarks. scikit-learn runs Nystroem and Ridge on rows in memory, without components. Medians of three, the last row once; {measured[stream]}.

| rows | s | rows/s | MB | scikit-learn: s | rows/s | MB | their time / ours |
|---|---|---|---|---|---|---|---|
{stream}

Time grows as n^{exponents[0]:.2f} from {rows_of_stream[0]:,} to {rows_of_stream[1]:,} rows, where the choice of landmarks is a large part of it, and as n^{exponents[1]:.2f} from there to {rows_of_stream[2]:,}. The goal was 3 times the rows per second of scikit-learn.

A row takes r² operations, for the half of the scatter of its kernel values that is computed; a row of scikit-learn takes 3r². The moments of coordinates follow from the scatter at the end (`CoordinateMoments`). Where the landmarks depend on each other so much that rounding would show, coordinates are summed instead, at 2r² a row.

The next table has the same rows from a file, with all digits of each number. The file is read alone, by one thread; then the whole work is compared with that of made rows. CPU seconds are those of all threads. Medians of three, those of {most_rows_of_tables:,} rows once; {measured[tables]}.

| rows | file | its MB | read alone: CPU s | MB/s | MB of memory | the whole work: CPU s | MB of memory | of made rows: CPU s | MB of memory |
|---|---|---|---|---|---|---|---|---|---|
{tables}

## Many landmarks

Ridge regression of 80,000 samples of 10 columns in blocks of 4,000, with γ = 0.05 and λ = 0.1. Landmarks are drawn uniformly from twice as many samples. The table compares two ways:

- from the moments of the coordinates;
- by conjugate gradients on blocks that are read for each iteration, to a residual of 10⁻⁴.

Times are from the choice of landmarks on. The root mean squared errors are those of 20,000 more samples, whose noise alone makes an error of 0.3. scikit-learn runs Nystroem and Ridge. {measured[blocks]}.

| landmarks | moments: s | MB | iterations | s | MB | error | scikit-learn: s | MB | error | scikit-learn's time / that of moments |
|---|---|---|---|---|---|---|---|---|---|---|
{blocks}

## Passes

Made rows of 28 columns in two classes that overlap, with random landmarks and γ = 0.02. Blocks of 4,000 rows are read again for each iteration:

- logistic regression with λ = 1, to a gain of 10⁻⁸ of the objective;
- support vectors with C = 1, to a violation of 10⁻³;
- k-means with 10 clusters, until an iteration lowers the inertia by less than 10⁻⁴ of it.

scikit-learn runs LogisticRegression, LinearSVC with hinge loss and KMeans (one start) on Nystroem. The errors are those of 10,000 more rows. The inertia is that of a row in the space of the landmarks, which are not the same for both. {measured[passes]}.

| | rows | landmarks | ours: passes | s | MB | error or inertia | scikit-learn: iterations (1000 and 300 are the limits of LinearSVC and KMeans) | s | MB | error or inertia | their time / ours |
|---|---|---|---|---|---|---|---|---|---|---|---|
{passes}

## Classes

Letter has 16,000 samples in 26 classes, shuttle 34,800 in 7, both with γ = 0.1 and C = 10; a fifth more samples is held out. Ours have a machine for each pair of classes, by exact kernel values or in the space of random landmarks. scikit-learn runs SVC, and LinearSVC with hinge loss on Nystroem; on letter LinearSVC ends at its limit of 1000 iterations before it has converged.

With so few samples exact kernel values are faster, and their errors are smaller; landmarks are for more samples. Letter: {measured[letters]}; shuttle: {measured[shuttle]}.

| | landmarks | ours: error | s | MB | theirs: error | s | MB | their time / ours |
|---|---|---|---|---|---|---|---|---|
{classes}

Made rows of 28 columns in two classes that overlap, with γ = 0.02 and C = 1. Another choice of landmarks changes an error by up to a point; {measured[rows]}:

| rows | landmarks | ours: error | s | MB | theirs: error | s | MB | their time / ours |
|---|---|---|---|---|---|---|---|---|
{rows}

## Exact kernel ridge regression

100,000 samples of 10 columns, γ = 0.05, λ = 0.1, preconditioned by 400 pivots. {iterations:.0f} iterations reach a relative residual of {residual:.1e} in {seconds:.0f} s, with {memory:.0f} MB. The goal was 600 s and 1 GB; the kernel matrix would take 80 GB.

Each iteration computes all kernel values anew. More pivots take fewer iterations and more memory. {measured[ridge]}.
"""


def table(rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def ratio(ours, theirs):
    """How many times as long as ours theirs takes."""
    value = theirs["seconds"] / ours["seconds"]
    return f"{value:.2g}" if value < 100 else f"{value:.0f}"


def multiple(value):
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def residuals(results, counts, rules):
    head = ["", "", *(f"{count}" for count in counts), "s", "scikit-learn's time / ours"]
    rows = [head, ["---"] * len(head)]
    for name, of_set in results.items():
        best = of_set["best"]
        for rule in [*rules, "scikit-learn"]:
            left = [result["left"] for result in of_set[rule]]
            times = [f" ({multiple(value / least)}×)" for value, least in zip(left, best)]
            label = f"{name}, n = {of_set['samples']:,}, γ = {of_set['gamma']}" if rule == rules[0] else ""
            last = of_set[rule][-1]
            cells = [f"{value:.3g}{more}" for value, more in zip(left, times)]
            rows.append([label, rule, *cells, f"{last['seconds']:.2f}", ratio(last, of_set["scikit-learn"][-1])])
        rows.append(["", "the best", *(f"{value:.3g}" for value in best), "", ""])
    return table(rows)


def quotient(case):
    """Of the means of both rules, and its standard error: how far other seeds would move it."""
    random, uniform = np.array(case["random"]), np.array(case["uniform"])
    value = random.mean() / uniform.mean()
    return value, value * math.hypot(*(left.std(ddof=1) / left.mean() / len(left) ** 0.5 for left in [random, uniform]))


def seeds(results, plain):
    head = ["", "landmarks", "random", "a pivot at a time", "uniform", "random / uniform", "standard error"]
    rows = [head, ["---"] * len(head)]
    for case, left in itertools.zip_longest(results, plain):
        label = f"{case['name']}, γ = {case['gamma']}"
        means = [np.mean(case["random"]), left, np.mean(case["uniform"])]
        cells = ["" if mean is None else f"{mean:.4g}" for mean in means]
        rows.append([label, f"{case['count']}", *cells, *(f"{value:.4f}" for value in quotient(case))])
    return table(rows)


def more_than_uniform(results):
    """Where random pivots do worse, and not by chance."""
    cases = [(f"{case['name']} at {case['count']}", *quotient(case)) for case in results]
    worse = [f"{label} ({100 * (value - 1):.1f} %)" for label, value, error in cases if value - 1 > 2 * error]
    return f"Random pivots leave more than uniform landmarks, by more than twice the standard error, on {', '.join(worse)}." if worse else "Nowhere do random pivots leave more than uniform landmarks by more than twice the standard error."


def widths(results):
    rules = ["random", "random-cut", "centroids", "uniform"]
    head = ["γ", "error", *rules, "the best"]
    rows = [head, ["---"] * len(head)]
    for of_width in results:
        best = of_width["best"]
        left = [f"{of_width[rule]:.3g} ({multiple(of_width[rule] / best)}×)" for rule in rules]
        rows.append([f"{of_width['gamma']}", f"{100 * of_width['error']:.2f} %", *left, f"{best:.3g}"])
    return table(rows)


def verdicts(results):
    letter = results["letter"]
    random, cut, best = letter["random"][-1]["left"], letter["random-cut"][-1]["left"], letter["best"][-1]
    text = f"On letter 1000 random pivots leave {random / best:.2f} times the least (goal: 1.5). 1000 axes of twice as many pivots leave {cut / best:.2f} times."
    text += f" The best choice of samples that was tried takes, one after the other, the sample that lowers the trace most; it leaves {letter['subset'] / best:.2f} times."
    text += f" Centroids, which are not among the samples, leave {letter['centroids'][-1]['left'] / best:.2f} times."
    return text


def blocks(results):
    rows = []
    for landmarks, found in results.items():
        moments, iterations = found["moments"], found["iterations"]
        row = [landmarks, f"{moments['seconds']:.1f}", f"{moments['memory']:,.0f}"]
        for solved in [iterations, found.get("theirs")]:
            counted = [f"{solved['iterations']:.0f}"] if solved is iterations else []
            numbers = [f"{solved['seconds']:.1f}", f"{solved['memory']:,.0f}", f"{solved['error']:.4f}"] if solved else [""] * 3
            row += counted + numbers
        theirs = found.get("theirs")
        rows.append([*row, ratio(moments, theirs) if theirs else ""])
    return table(rows)


def passes(results):
    rows = []
    names = {"logistic": "logistic regression", "svc": "support vectors", "kmeans": "k-means"}
    for of_work in results:
        cells = [names[of_work["work"]], f"{of_work['rows']:,}", str(of_work["landmarks"])]
        for numbers in [of_work["ours"], of_work["theirs"]]:
            count = numbers.get("passes", numbers.get("iterations"))
            cells += [f"{count:.0f}", f"{numbers['seconds']:.1f}", f"{numbers['memory']:,.0f}", f"{numbers.get('error', numbers.get('inertia')):.4f}"]
        rows.append([*cells, ratio(of_work["ours"], of_work["theirs"])])
    return table(rows)


def stream(results):
    rows = []
    for n, ours, theirs in zip(results["rows"], results["ours"], results["theirs"]):
        cells = [f"{n:,}"]
        for side in [ours, theirs]:
            cells += [f"{side['seconds']:.2f}", f"{n / side['seconds']:,.0f}", f"{side['memory']:,.0f}"]
        rows.append([*cells, ratio(ours, theirs)])
    return table(rows)


def tables(results):
    rows = []
    for of in results:
        read, stream = of["read"], of["stream"]
        cells = [f"{of['rows']:,}", {"csv": "CSV", "parquet": "Parquet"}[of["format"]], f"{read['size']:.0f}"]
        cells += [f"{read['cpu']:.2f}", f"{read['speed']:.0f}", f"{read['memory']:,.0f}"]
        for work in [stream, of["made"]]:
            cells += [f"{work['cpu']:.2f}", f"{work['memory']:,.0f}"]
        rows.append(cells)
    return table(rows)


def pair(ours, theirs):
    cells = []
    for side in [ours, theirs]:
        cells += [f"{100 * side['error']:.2f} %", f"{side['seconds']:.2f}", f"{side['memory']:,.0f}"]
    return [*cells, ratio(ours, theirs)]


def classes(results):
    rows = []
    for name in ["letters", "shuttle"]:
        of_set = results[name]
        for count, ours, theirs in zip(of_set["counts"], of_set["ours"], of_set["theirs"]):
            rows.append([name if count == "exact" else "", str(count), *pair(ours, theirs)])
    return table(rows)


def made_rows(results):
    return table([f"{int(n):,}", str(of["landmarks"]), *pair(of["ours"], of["theirs"])] for n, of in results.items())


def picture(path, results, counts, rules):
    figure, panels = plt.subplots(2, 2, figsize=(10, 7.5), layout="constrained")
    letter = results["residuals"]["letter"]
    for rule in [*rules, "scikit-learn"]:
        left = [result["left"] for result in letter[rule]]
        style = "--" if rule == "scikit-learn" else "-"
        panels[0, 0].plot(counts, left, style, marker="o", label=rule)
        panels[0, 1].plot([result["seconds"] for result in letter[rule]], left, style, marker="o", label=rule)
    panels[0, 0].plot(counts, letter["best"], "k:", marker="o", label="the best")
    panels[0, 0].set(xlabel="landmarks", ylabel="share of the trace left, letter")
    panels[0, 1].set(xlabel="seconds", ylabel="share of the trace left, letter")
    letters = results["letters"]
    sides = [("ours", "npt, landmarks", "C0o-"), ("theirs", "scikit-learn, Nystroem + LinearSVC", "C1o--")]
    for side, label, style in sides:
        of_counts = letters[side][1:]
        errors = [result["error"] for result in of_counts]
        panels[1, 0].plot(letters["counts"][1:], errors, style, label=label)
        panels[1, 1].plot([result["seconds"] for result in of_counts], errors, style, label=label)
        exact = letters[side][0]
        marker, label = ("C0s", "npt, exact") if side == "ours" else ("C1s", "scikit-learn, SVC")
        panels[1, 1].plot(exact["seconds"], exact["error"], marker, label=label)
    panels[1, 0].axhline(letters["ours"][0]["error"], color="k", linestyle=":", label="exact")
    panels[1, 0].set(xlabel="landmarks", ylabel="test error, letter")
    panels[1, 1].set(xlabel="seconds", ylabel="test error, letter")
    for panel in panels.flat:
        panel.set(xscale="log", yscale="log")
        panel.legend(fontsize=8)
    figure.savefig(path)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def measured():
    """Which npt, and where."""
    revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=pathlib.Path(__file__).parent).stdout.strip()
    return f"npt at {revision}, {processor()}"


def write(folder, results, counts, rules):
    of_stream = results["stream"]
    seconds = [ours["seconds"] for ours in of_stream["ours"]]
    rows = of_stream["rows"]
    exponents = [math.log(seconds[i + 1] / seconds[i]) / math.log(rows[i + 1] / rows[i]) for i in range(2)]
    text = TEXT.format(
        sklearn=sklearn.__version__,
        measured=collections.defaultdict(lambda: "not noted when", results.get("measured", {})),
        unknown=results["residuals"]["shuttle"]["unknown"],
        residuals=residuals(results["residuals"], counts, rules),
        seeds=seeds(results["seeds"], results["plain"]),
        more_than_uniform=more_than_uniform(results["seeds"]),
        widths=widths(results["widths"]),
        verdicts=verdicts(results["residuals"]),
        stream=stream(of_stream),
        tables=tables(results["tables"]),
        most_rows_of_tables=max(of["rows"] for of in results["tables"]),
        exponents=exponents,
        rows_of_stream=rows,
        blocks=blocks({f"{int(landmarks):,}": found for landmarks, found in results["blocks"].items()}),
        passes=passes(results["passes"]),
        classes=classes(results),
        rows=made_rows(results["rows"]),
        **results["ridge"],
    )
    (folder / "scale.md").write_text(narrow(text))
    picture(folder / "scale.svg", results, counts, rules)
