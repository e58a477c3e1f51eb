"""docs/performance.md and its picture, from what compare.py has measured."""

import pathlib
import platform
import statistics
import subprocess

import matplotlib.pyplot as plt

TEXT = """# Times, beside scikit-learn

Written by `NPT_DATA=… python3 benches/peers/compare.py`. Both run in turn on the same samples, with {threads} threads each; a row has medians of at
least {rounds} rounds after one that does not count, and the range of the rounds' ratios. Where scikit-learn has several solvers, the fastest of those that agree
(its randomized one is off by 10⁻³ in the smallest of 20 eigenvalues here). No time is quoted before both have computed the same: the last column is
the largest difference of their results, by the largest of them (eigenvalues, inner products of coordinates, scores, decision values and the objective,
predictions, all scores of a grid).

{machine}; scikit-learn {sklearn}, npt at {revision}, {rustc}. γ = 0.1; samples are normal (d = 10 if it is not said), or rows of magic (d = 10) and
letter (d = 16).

| work | ours s | theirs s | theirs/ours | goal | peak MB, ours / theirs | differ by |
|---|---|---|---|---|---|---|
{rows}

Memory is that of a process that does this work and nothing else: Python and its libraries take 150 MB of it before they begin.

## The machine's limit

Measured in the same run, {threads} threads: a product of 3000×3000 matrices by OpenBLAS does {product:.0f} GFLOP/s; memory is read at {read:.1f} GB/s;
new pages of 4 KB are written for the first time at {touch:.1f} GB/s: a matrix of 128 MB (n = 4000 in f64) takes {first:.0f} ms for that alone. NumPy asks the system for
large ones, ours does not. Share of the product's peak, where the operations can be counted:

| work | GFLOP | share |
|---|---|---|
{shares}

## Single precision

The centred Gram matrix (n = 4000, d = 10) in f32 takes {f32:.2f} of the time in f64 (goal: 1/1.8 = 0.56): its exponentials are computed in f64, so that a value is off by its own rounding
alone.

## Memory of exact coordinates, n = 10,000

Peak of a process that does nothing else, in units of one matrix of 8n² bytes (800 MB):

| axes | ours | goal | theirs |
|---|---|---|---|
{memory}

On Cholesky axes the coordinates are one such matrix, and the triangle that maps new samples half of one. On principal axes the eigensolver holds three and a half: the
eigenvectors, two work matrices of the tridiagonal problem, and half of one for reflections. Here the factor's one and a half are beside them, as the smallest eigenvalues are
too small for the kernel matrix to be decomposed itself.

## Below the goal, and why

{short}

## Time against n

Above fits, below predictions of as many new samples as there were to fit.

![time against the number of samples](performance.svg)
"""

# Why a row is below its goal; what a profile says.
WHY = {
    "Gram": "half is the first write of the result, which the peer has in large pages; the two passes that centre it are most of the rest",
    "exact coordinates, Cholesky axes (theirs: principal), d = 2": "it takes 20 ms, and rounds differ by more than is missing",
    "exact coordinates, Cholesky": "products of 256 columns, and what is copied between them",
    "exact coordinates, principal": "the eigensolver: more than half is the reduction to tridiagonal form, at the speed of memory",
    "20 principal components": "19 products of the matrix with blocks of 12 vectors are 40 %, each of them as long as the matrix takes to be read; a fifth is their orthogonalisation, 6 % eigenpairs within the basis, the rest the Gram matrix",
    "scores of 10,000 new": "the peer takes 0.3 s in some rounds and 1.1 s in others, ours 0.05 s in all",
    "C-SVC, C": "kernel values of samples that violate optimality on the way, and the first write of their rows, in small pages",
    "grid": "moves of pairs at the largest penalties, a third of it kernel values that are brought together for them; the goal was set when the peer's times were three to four times as long",
    "ridge, 50": "two eigendecompositions: one of the space, one of its inner products",
    "ridge": "the first write of matrices, and what is copied between products of 256 columns",
    "Gaussian process": "as ridge, and a triangular solve for the variances",
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
    (folder / "performance.md").write_text(text)
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
