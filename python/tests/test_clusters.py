"""Sums on clusters of other processes, beside one process."""

import os
import signal
import time

import numpy as np
import pytest

from npt.sums import Sums

COLUMNS = ["a", "b", "c"]


def samples(n=4000, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, 3))
    return x, np.sin(x[:, 0]) + x[:, 1] * x[:, 2]


def begin(x):
    return Sums("ridge(penalty = [0.01, 1, 100])", "gaussian(gamma = 0.3)", landmarks=x[:60])


def slowly(part):
    """A part that takes a while, so that a worker can be lost meanwhile."""
    time.sleep(0.3)
    return part


def test_dask_with_a_worker_that_is_killed():
    distributed = pytest.importorskip("dask.distributed")
    import npt.dask

    x, y = samples()
    expected = begin(x).partial_fit(x, y).fit().predict(x)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = list(client.run(os.getpid).values())
        parts = [(x[k::16], y[k::16]) for k in range(16)]
        client.loop.add_callback(client.loop.call_later, 1.0, os.kill, pids[0], signal.SIGKILL)
        sums = npt.dask.add(client, begin(x), parts, slowly)
        assert pids[0] not in client.run(os.getpid).values()
    assert sums.count == len(x)
    np.testing.assert_allclose(sums.fit().predict(x), expected, atol=1e-10)


def test_ray_with_a_worker_that_is_killed(tmp_path):
    ray = pytest.importorskip("ray")
    import npt.ray

    x, y = samples()
    expected = begin(x).partial_fit(x, y).fit().predict(x)
    died = tmp_path / "died"

    def once_killed(part):
        """The fourth part, after the first worker that reads it is gone."""
        place, samples_of_part = part
        if place == 3 and not died.exists():
            died.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return samples_of_part

    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
    try:
        parts = [(k, (x[k::8], y[k::8])) for k in range(8)]
        sums = npt.ray.add(begin(x), parts, once_killed)
    finally:
        ray.shutdown()
    assert died.exists() and sums.count == len(x)
    np.testing.assert_allclose(sums.fit().predict(x), expected, atol=1e-10)


@pytest.fixture(scope="module")
def session():
    """A session of a Spark server that comes as a wheel."""
    spark_server = pytest.importorskip("pysail.spark")
    sql = pytest.importorskip("pyspark.sql")
    server = spark_server.SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    try:
        host, port = server.listening_address
        session = sql.SparkSession.builder.remote(f"sc://{host}:{port}").getOrCreate()
        yield session
        session.stop()
    finally:
        server.stop()


def test_spark_by_map_in_arrow(session):
    pandas = pytest.importorskip("pandas")
    import npt.spark

    x, y = samples()
    expected = begin(x).partial_fit(x, y).fit().predict(x)
    table = pandas.DataFrame(x, columns=COLUMNS).assign(target=y)
    sums = npt.spark.add(session.createDataFrame(table).repartition(4), begin(x), COLUMNS, "target", merging=2)
    assert sums.count == len(x)
    np.testing.assert_allclose(sums.fit().predict(x), expected, atol=1e-10)


def test_spark_with_labels_and_weights(session):
    pandas = pytest.importorskip("pandas")
    import npt.spark

    x, y = samples(1000)
    labels, weights = np.where(y > 0.5, "high", "low"), 1.0 + np.arange(len(x)) % 3

    def begun():
        return Sums("kfd(ridge = 0.1)", "gaussian(gamma = 0.3)", landmarks=x[:40])

    expected = begun().partial_fit(x, labels, weights).fit()
    table = pandas.DataFrame(x, columns=COLUMNS).assign(label=labels, weight=weights)
    found = npt.spark.add(session.createDataFrame(table).repartition(3), begun(), COLUMNS, "label", "weight", merging=2).fit()
    np.testing.assert_allclose(found.decision_function(x), expected.decision_function(x), atol=1e-10)
    unweighted = begun().partial_fit(x, labels).fit()
    assert np.abs(unweighted.decision_function(x) - expected.decision_function(x)).max() > 1e-4


def test_sums_with_samples_are_refused():
    pytest.importorskip("dask.distributed")
    import npt.dask

    x, y = samples(100)
    with pytest.raises(ValueError, match="have 100 samples"):
        npt.dask.add(None, begin(x).partial_fit(x, y), [])
