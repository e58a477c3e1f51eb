"""The time of streamed fits at several sizes and numbers of landmarks, and the cost model that follows from some of them.

python cli/benches/model.py NPT: prints the tables of docs/many_machines.md. Rows are made, in Parquet files that are not kept; needs NumPy and
pyarrow.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from large import FILES, GROUP, made

ROWS = 1_000_000
LANDMARKS = [250, 500, 1000]
CHECKED = [(300_000, 500), (3_000_000, 500), (1_000_000, 2000)]
REPEATS = 3


def seconds(npt, folder, landmarks):
    """The seconds of the sums, the median of some runs."""
    method = ["-t", "y", "-m", "ridge:penalty=0.01", "-k", "gaussian:gamma=0.02", "--scale", "none", "-s", f"nystrom:landmarks={landmarks}"]
    found = []
    for _ in range(REPEATS):
        run = subprocess.run([npt, "fit", "made-*.parquet", *method, "--stream", "-o", "m.npt"], cwd=folder, capture_output=True, text=True, check=True)
        found.append(float(re.search(r"sums of \d+ rows in ([\d.]+) s", run.stderr)[1]))
    return np.median(found)


def write(folder, rows):
    for k in range(FILES):
        pq.write_table(made(rows // FILES, k), folder / f"made-{k}.parquet", row_group_size=GROUP, compression="snappy")


def main():
    npt = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write(folder, ROWS)
        # Two threads: microseconds of a core for a row.
        each = np.array([2e6 * seconds(npt, folder, r) / ROWS for r in LANDMARKS])
        terms = lambda r: np.array([1.0, r, r * r])
        a, b, c = np.linalg.solve([terms(r) for r in LANDMARKS], each)
        print(f"microseconds of a core for a row on r landmarks: {a:.2f} + {b:.2e} r + {c:.2e} r^2", flush=True)
        print("| rows | landmarks | s | by the model |\n|---|---|---|---|")
        for r, us in zip(LANDMARKS, each):
            print(f"| {ROWS:,} | {r} | {us * ROWS / 2e6:.1f} | of these |", flush=True)
        for rows, r in CHECKED:
            write(folder, rows)
            print(f"| {rows:,} | {r} | {seconds(npt, folder, r):.1f} | {rows * (terms(r) @ [a, b, c]) / 2e6:.1f} |", flush=True)
        print("\n| rows | landmarks | core-hours | on 2 cores | on 1000 cores |\n|---|---|---|---|---|")
        for power in range(6, 13):
            for r in [500, 1000]:
                hours = 10.0**power * (terms(r) @ [a, b, c]) / 3.6e9
                print(f"| 10^{power} | {r} | {hours:.3g} | {hours / 2:.3g} h | {hours * 3.6:.3g} s |")


if __name__ == "__main__":
    main()
