"""The CPU seconds of streamed fits at several sizes and numbers of landmarks, and the cost model that follows from some of them.

python cli/benches/model.py NPT: prints the tables of docs/many_machines.md. Rows are made, in Parquet files that are not kept; needs NumPy and
pyarrow.
"""

import resource
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from large import FILES, GROUP, made
from tables import run

ROWS = 1_000_000
LANDMARKS = [250, 500, 1000]
CHECKED = [(300_000, 500), (3_000_000, 500), (10_000_000, 500)]
REPEATS = 3


def seconds(npt, folder, landmarks, repeats=REPEATS):
    """The CPU seconds of a fit, with both of its passes, and its wall seconds: the smallest of some runs."""
    method = ["-t", "y", "-m", "ridge:penalty=0.01", "-k", "gaussian:gamma=0.02", "--scale", "none", "-s", f"nystrom:landmarks={landmarks}"]
    found = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        _, wall, _ = run([npt, "fit", "made-*.parquet", *method, "--stream", "-o", "m.npt"], folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall))
    return min(found)


def write(folder, rows):
    for k in range(FILES):
        pq.write_table(made(rows // FILES, k), folder / f"made-{k}.parquet", row_group_size=GROUP, compression="snappy")


def main():
    npt = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write(folder, ROWS)
        each = [seconds(npt, folder, r) for r in LANDMARKS]
        terms = lambda r: np.array([1.0, r, r * r])
        a, b, c = np.linalg.solve([terms(r) for r in LANDMARKS], [1e6 * cpu / ROWS for cpu, _ in each])
        print(f"microseconds of a core for a row on r landmarks: {a:.2f} + {b:.2e} r + {c:.2e} r^2\n", flush=True)
        print("| rows | landmarks | s on two cores | CPU s | by the model |\n|---|---|---|---|---|")
        for r, (cpu, wall) in zip(LANDMARKS, each):
            print(f"| {ROWS:,} | {r} | {wall:.1f} | {cpu:.1f} | of these |", flush=True)
        for rows, r in CHECKED:
            write(folder, rows)
            cpu, wall = seconds(npt, folder, r, 1 if rows > ROWS else REPEATS)
            print(f"| {rows:,} | {r} | {wall:.1f} | {cpu:.1f} | {1e-6 * rows * (terms(r) @ [a, b, c]):.1f} |", flush=True)
        print("\n| rows | landmarks | core-hours | on 2 cores | on 100 cores | on 1000 cores |\n|---|---|---|---|---|---|")
        for power in range(6, 13):
            for r in [500, 1000]:
                hours = 10.0**power * (terms(r) @ [a, b, c]) / 3.6e9
                print(f"| 10^{power} | {r} | {hours:.2g} | {' | '.join(words(hours / cores) for cores in [2, 100, 1000])} |")


def words(hours):
    """A time in words, in the unit that suits it."""
    if hours < 1 / 60:
        return f"{3600 * hours:.2g} s"
    if hours < 1:
        return f"{60 * hours:.2g} min"
    if hours < 48:
        return f"{hours:.2g} h"
    return f"{hours / 24:.3g} days"


if __name__ == "__main__":
    main()
