"""Ten million made rows of 28 numbers in eight Parquet files, summed on 500 landmarks and fitted.

python cli/benches/large.py NPT [ROWS]: the program. Needs NumPy, pyarrow, and a few gigabytes for the files, which are not kept.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tables import run

COLUMNS, FILES, LANDMARKS, GROUP = 28, 8, 500, 125_000


def made(rows, seed):
    """Numbers, and a target that a Gaussian kernel finds."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, COLUMNS)).astype(np.float32)
    y = np.sin(x[:, 0] + x[:, 1]) + 0.3 * x[:, 2] * x[:, 3] + 0.1 * random.normal(size=rows)
    table = {f"x{k}": x[:, k] for k in range(COLUMNS)}
    return pa.table({**table, "y": y})


def main():
    npt = Path(sys.argv[1]).resolve()
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for k in range(FILES):
            pq.write_table(made(rows // FILES, k), folder / f"made-{k}.parquet", row_group_size=GROUP, compression="snappy")
        pq.write_table(made(LANDMARKS, 100), folder / "landmarks.parquet")
        pq.write_table(made(20_000, 101), folder / "held-out.parquet")
        size = sum(path.stat().st_size for path in folder.glob("made-*")) / 1e9
        method = ["-k", "gaussian:gamma=0.02", "--scale", "none", "-t", "y"]
        _, seconds, memory = run([npt, "sums", "made-*.parquet", "--landmarks", "landmarks.parquet", *method, "-o", "all.sums"], folder)
        _, fit, _ = run([npt, "fit", "all.sums", "-t", "y", "-o", "m.npt"], folder)
        score, _, _ = run([npt, "score", "m.npt", "held-out.parquet"], folder)
        print(f"{rows:,} rows, {size:.2f} GB of files: sums {seconds:.1f} s, {rows / seconds:,.0f} rows/s, {memory:.0f} MB; fit {fit:.1f} s; {score.split()}")


if __name__ == "__main__":
    main()
