"""Ten million made rows of 28 numbers in eight Parquet files: fits by sums on 500 landmarks, here and on a cluster of two executors.

python cli/benches/large.py NPT [ROWS]: the program. If npt-cluster stands beside it, a scheduler and two executors of one thread each do the
same: undisturbed, with one executor killed midway, and with one killed after all its tasks, before its output is fetched. Needs NumPy,
pyarrow, and a few gigabytes for the files, which are not kept.
"""

import contextlib
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tables import run

COLUMNS, FILES, LANDMARKS, GROUP, TASKS = 28, 8, 500, 125_000, 24


def made(rows, seed):
    """Numbers, and a target that a Gaussian kernel finds."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, COLUMNS)).astype(np.float32)
    y = np.sin(x[:, 0] + x[:, 1]) + 0.3 * x[:, 2] * x[:, 3] + 0.1 * random.normal(size=rows)
    table = {f"x{k}": x[:, k] for k in range(COLUMNS)}
    return pa.table({**table, "y": y})


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def cluster(npt, folder):
    """The address of a scheduler, the two executors, and the folders of their outputs."""
    program, port = npt.with_name("npt-cluster"), free_port()
    work = [folder / f"executor-{k}" for k in range(2)]
    parts = [subprocess.Popen([program, "scheduler", "--port", str(port)], stderr=subprocess.DEVNULL)]
    for path in work:
        path.mkdir(exist_ok=True)
        of_executor = ["executor", "--threads", "1", "--port", str(free_port()), "--scheduler", f"127.0.0.1:{port}", "--folder", path]
        parts.append(subprocess.Popen([program, *of_executor], stderr=subprocess.DEVNULL))
    try:
        yield f"df://127.0.0.1:{port}", parts[1:], work
    finally:
        for part in parts:
            part.kill()
            part.wait()


def outputs(work):
    """The times at which each executor made the outputs of the second query."""
    jobs = sorted({job.name for path in work for job in path.iterdir() if not job.name.startswith("datafusion-")})
    if len(jobs) < 2:
        return [[], []]
    return [sorted(file.stat().st_mtime for file in (path / jobs[1] / "1").rglob("*.arrow")) for path in work]


def kill(executors, work, when):
    """Kills an executor: one of the two `midway`, or the `idle` one when a single task is left."""
    while True:
        made = outputs(work)
        done = sum(map(len, made))
        if when == "midway" and done >= TASKS // 2:
            return executors[1].kill()
        if when == "idle" and done == TASKS - 1:
            return executors[max(range(2), key=lambda k: made[k][-1:])].kill()
        time.sleep(0.01)


def predictions(npt, model, folder):
    return np.array(run([npt, "predict", model, "held-out.parquet", "-q"], folder)[0].split()[1:], float)


def main():
    npt = Path(sys.argv[1]).resolve()
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for k in range(FILES):
            pq.write_table(made(rows // FILES, k), folder / f"made-{k}.parquet", row_group_size=GROUP, compression="snappy")
        pq.write_table(made(20_000, 101), folder / "held-out.parquet")
        size = sum(path.stat().st_size for path in folder.glob("made-*")) / 1e9
        print(f"{rows:,} rows in {FILES} files, {size:.2f} GB", flush=True)
        method = ["-t", "y", "-m", "ridge:penalty=0.01", "-k", "gaussian:gamma=0.02", "--scale", "none", "-s", f"nystrom:landmarks={LANDMARKS}"]
        fit = [npt, "fit", "made-*.parquet", *method]
        _, seconds, memory = run([*fit, "--stream", "-o", "here.npt"], folder)
        score, _, _ = run([npt, "score", "here.npt", "held-out.parquet"], folder)
        print(f"here: {seconds:.1f} s, {rows / seconds:,.0f} rows/s, {memory:.0f} MB at the peak; {score.split()}", flush=True)
        here = predictions(npt, "here.npt", folder)
        if not npt.with_name("npt-cluster").exists():
            return
        for when in ["undisturbed", "midway", "idle"]:
            with cluster(npt, folder) as (url, executors, work):
                begin = time.perf_counter()
                running = subprocess.Popen([*fit, "--cluster", url, "--tasks", str(TASKS), "-q", "-o", "there.npt"], cwd=folder)
                if when != "undisturbed":
                    kill(executors, work, when)
                assert running.wait() == 0
                seconds = time.perf_counter() - begin
            for path in work:
                subprocess.run(["rm", "-rf", path], check=True)
            apart = np.abs(predictions(npt, "there.npt", folder) - here).max() / np.abs(here).max()
            print(f"cluster, {when}: {seconds:.1f} s, {rows / seconds:,.0f} rows/s, predictions {apart:.1e} apart", flush=True)


if __name__ == "__main__":
    main()
