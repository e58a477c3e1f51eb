"""docs/performance.md and its picture, from what compare.py has measured."""

import pathlib
import platform
import statistics
import subprocess
import sys

import matplotlib.pyplot as plt

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from markdown import narrow

TEXT = """# Times, beside scikit-learn

For whoever compares the speed of the methods with that of scikit-learn.

Written by `NPT_DATA=… python3 benches/peers/compare.py`. npt and scikit-learn run in turn on the same samples, with {threads} threads each. A row of the table has:

- the medians of at least {rounds} rounds, after one that does not count;
- the ratio of the times, with the range of the rounds' ratios in brackets;
- the goal that was set for the ratio;
- the memory of a process that does this work and nothing else. Python and its libraries take 150 MB before the work begins;
- the largest difference of the two results, relative to the largest of their values. No time is quoted before both have computed the same.

The results compared are eigenvalues, inner products of coordinates, scores, decision values and the objective, predictions, or all scores of a grid.

Where scikit-learn has several solvers, the fastest of those that agree is taken. Its randomized solver does not agree: it is off by 10⁻³ in the smallest of 20 eigenvalues here.

{machine}; scikit-learn {sklearn}, npt at {revision}, {rustc}. γ = 0.1. Samples are normal (d = 10 unless the row says otherwise), or rows of magic (d = 10) and letter (d = 16).

| work | ours s | theirs s | theirs/ours | goal | peak MB, ours / theirs | differ by |
|---|---|---|---|---|---|---|
{rows}

## The machine's limit

Measured in the same run, with {threads} threads:

- A product of 3000×3000 matrices by OpenBLAS does {product:.0f} GFLOP/s.
- Memory is read at {read:.1f} GB/s.
- New pages of 4 KB are written for the first time at {touch:.1f} GB/s. A matrix of 128 MB (n = 4000 in f64) takes {first:.0f} ms for that alone. NumPy asks the system for large pages, npt does not.

Where the operations of a work can be counted, the table has their speed as a share of that of the product:

| work | GFLOP | share |
|---|---|---|
{shares}

## Single precision

The centred Gram matrix (n = 4000, d = 10) in f32 takes {f32:.2f} of the time in f64 (goal: 1/1.8 = 0.56). Its exponentials are computed in f64, so that a value is off by its own rounding alone.

## Memory of exact coordinates, n = 10,000

The peak of a process that does nothing else, in units of one matrix of 8n² bytes (800 MB):

| axes | ours | goal | theirs |
|---|---|---|---|
{memory}

On Cholesky axes the coordinates take one such matrix, and the triangle that maps new samples takes half of one.

On principal axes the eigensolver takes three and a half: the eigenvectors, two work matrices of the tridiagonal problem, and half of one for reflections. The factor, another one and a half, is held at the same time. It is needed because here the smallest eigenvalues are too small for the kernel matrix itself to be decomposed.

## Below the goal, and why

{short}

## Time against n

The upper pictures are of fits, the lower ones of predictions for as many new samples as there were in the fit.

![time against the number of samples](performance.svg)
"""

# Why a row is below its goal; what a profile says.
WHY = {
    "Gram": "half of the time is the first write of the result, for which scikit-learn has large pages; most of the rest is the two passes that centre it",
    "exact coordinates, Cholesky axes (theirs: principal), d = 2": "the work takes 20 ms, and its rounds differ by more than what is missing",
    "exact coordinates, Cholesky": "most of the time is in products of 256 columns, and in copies between them",
    "exact coordinates, principal": "the time is in the eigensolver; more than half of it is the reduction to tridiagonal form, at the speed of memory",
    "20 principal components": "40 % of the time are 19 products of the matrix with blocks of 12 vectors, each of which takes as long as reading the matrix; a fifth is the orthogonalisation of the vectors, 6 % are eigenpairs within the basis, the rest is the Gram matrix",
    "scores of 10,000 new": "scikit-learn takes 0.3 s in some rounds and 1.1 s in others, npt 0.05 s in all",
    "C-SVC, C": "the time is in kernel values of samples that violate optimality on the way, and in the first write of their rows, in small pages",
    "grid": "the time is in moves of pairs at the largest penalties, a third of it in collecting kernel values for them; the goal was set when scikit-learn's times were three to four times as long",
    "ridge, 50": "the time is in two eigendecompositions, one of the space and one of its inner products",
    "ridge": "the time is in the first write of matrices, and in copies between products of 256 columns",
    "Gaussian process": "the time is that of ridge, and a triangular solve for the variances",
}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    names = {line.split(":")[1].strip() for line in lines if line.startswith("model name")}
    return " / ".join(sorted(names)) or platform.machine()


def goal_number(goal):
    return float(goal[2:]) if goal.startswith("≥") else None


def large(ours, theirs):
    """Rows of the table of memory at n = 10,000."""
    unit = 8 * 10_000**2 / 2**20
    of_theirs = theirs.peak("space normal-10000-10") / unit
    for axes, line, goal in [("Cholesky", "space", 1.25), ("principal", "principal", 2.5)]:
        peak = ours.peak(f"{line} normal-10000-10") / unit
        yield f"| {axes} | {peak:.2f} | {goal} | {of_theirs:.2f} |"


def write(folder, rows, ours, theirs, sklearn):
    read, touch = ours.do("limits")[1][0]
    product = theirs.do("limits")[1][0][0]
    table, shares, short = [], [], []
    for row in rows:
        low, high = min(row.ratios), max(row.ratios)
        memory = " / ".join(f"{mb:.0f}" for mb in row.memory)
        table.append(
            f"| {row.work.name} | {row.ours:.4f} | {row.theirs:.4f} | **{row.ratio:.2f}** ({low:.2f}–{high:.2f}) | {row.work.goal} | {memory} | {row.difference:.0e} |"
        )
        if row.work.operations:
            share = row.work.operations / row.ours / product
            shares.append(f"| {row.work.name} | {row.work.operations / 1e9:.1f} | {share:.0%} |")
        goal = goal_number(row.work.goal)
        if goal and row.ratio < goal:
            why = next((text for start, text in WHY.items() if row.work.name.startswith(start)), "not looked into")
            short.append(f"- {row.work.name}: {row.ratio:.2f} of {goal:g}: {why}.")
    text = TEXT.format(
        threads=2,
        rounds=min(len(row.ratios) for row in rows),
        machine=machine(),
        sklearn=sklearn,
        revision=output("git", "-C", str(folder), "describe", "--always", "--dirty", "--exclude", "*"),
        rustc=output("rustc", "--version").split(" (")[0],
        rows="\n".join(table),
        product=product / 1e9,
        read=read / 1e9,
        touch=touch / 1e9,
        first=128e6 / touch * 1e3,
        shares="\n".join(shares),
        short="\n".join(short) or "None.",
        f32=next(row.ours for row in rows if "f32" in row.work.name) / rows[0].ours,
        memory="\n".join(large(ours, theirs)),
    )
    (folder / "performance.md").write_text(narrow(text))
    picture(folder / "performance.svg", ours, theirs)


def picture(path, ours, theirs):
    """Medians of three, on logarithmic axes."""
    sizes = [500, 1000, 2000, 4000, 8000]
    works = {
        "C-SVC, C = 1": ("svc magic-{n} 1", "svc-predict magic-{n} 1"),
        "20 components": ("components normal-{n}-10 20", "transform normal-{n}-10 normal-{n}-10 20"),
        "ridge": ("ridge waves-{n}", None),
    }
    figure, axes = plt.subplots(2, 3, figsize=(10, 6), sharex=True)
    for column, (title, lines) in enumerate(works.items()):
        for axis, line, what in zip(axes[:, column], lines, ["fit", "predictions"]):
            if line is None:
                axis.axis("off")
                # Those above are then the last of their column.
                axes[0, column].tick_params(labelbottom=True)
                axes[0, column].set_xlabel("samples")
                continue
            axis.set_title(f"{title}: {what}")
            for worker, label, style in [(ours, "npt", "o-"), (theirs, "scikit-learn", "s--")]:
                times = []
                for n in sizes:
                    work = line.format(n=n)
                    times.append(statistics.median(worker.do(work)[0] for _ in range(3)))
                axis.loglog(sizes, times, style, label=label)
            axis.set_xticks(sizes, [str(n) for n in sizes])
            axis.minorticks_off()
            axis.grid(alpha=0.3)
            axis.set_ylabel("seconds")
    axes[0, 0].legend()
    for axis in axes[1]:
        axis.set_xlabel("samples")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
