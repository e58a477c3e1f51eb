//! Fits on a scheduler and two executors of this machine, some of which are killed.

mod cluster;
mod refused;

use cluster::{Cluster, Tables};
use std::time::Duration;

/// Models of numbers, of classes and without targets are those of one process.
#[test]
fn models_are_those_of_one_process() {
    let tables = Tables::made(4, 20_000);
    let cluster = Cluster::up(2);
    for task in [
        "-t wave --ignore twice,class,weight",
        "-t class -m kfd:ridge=0.01 --ignore wave,twice,weight",
        "-t wave,twice --weights weight --ignore class",
        "-m kpca:components=3 --ignore wave,twice,class,weight",
    ] {
        let task = format!("{task} -k gaussian:gamma=0.5 -s nystrom:landmarks=60");
        tables.fit(&format!("{task} --stream"), "here.npt");
        tables.fit(
            &format!("{task} --cluster {} --tasks 6", cluster.url()),
            "there.npt",
        );
        let apart = tables.apart("here.npt", "there.npt");
        assert!(apart < 1e-10, "{task}: {apart:e}");
    }
}

/// Sums that a cluster wrote are those of one process, and both together are sums of twice the rows.
#[test]
fn sums_are_those_of_one_process() {
    let tables = Tables::made(4, 20_000);
    let cluster = Cluster::up(2);
    let landmarks: String = (0..60)
        .map(|k: u32| {
            format!(
                "{},{},{}\n",
                0.1 * f64::from(k),
                f64::from(k % 7) / 7.0,
                k * 13 % 100
            )
        })
        .collect();
    tables.write("landmarks.csv", &format!("a,b,c\n{landmarks}"));
    let rows = "sums part-*.parquet -t wave --ignore twice,class --weights weight";
    let begun = "--landmarks landmarks.csv -m ridge:penalty=0.01 -k gaussian:gamma=0.5";
    tables.done(&format!("{rows} {begun} -o here.sums"));
    let there = format!("--cluster {} --tasks 6 -o there.sums", cluster.url());
    tables.done(&format!("{rows} {begun} {there}"));
    tables.done(&format!("{rows} --like here.sums {there}").replace("there.sums", "like.sums"));
    for sums in ["here", "there", "like"] {
        tables.done(&format!("fit {sums}.sums -t wave -o {sums}.npt"));
    }
    for sums in ["there", "like"] {
        let apart = tables.apart("here.npt", &format!("{sums}.npt"));
        assert!(apart < 1e-10, "{sums}: {apart:e}");
    }
    let both = tables.done("fit here.sums there.sums -t wave -o both.npt");
    assert!(both.starts_with("sums of 160000 rows\n"), "{both}");
}

/// An executor that is killed while both sum leaves its tasks to the other.
#[test]
fn an_executor_is_killed_midway() {
    let tables = Tables::made(8, 150_000);
    let task = "-t wave --ignore twice,class,weight -k gaussian:gamma=0.5 -s nystrom:landmarks=300";
    tables.fit(&format!("{task} --stream"), "here.npt");
    let mut cluster = Cluster::up(2);
    let running = tables.begin(
        &format!("{task} --cluster {} --tasks 12", cluster.url()),
        "there.npt",
    );
    cluster.wait_for(|outputs| outputs.of(0) >= 2 && outputs.of(1) >= 2);
    cluster.kill(1);
    running.done(Duration::from_secs(120));
    let apart = tables.apart("here.npt", "there.npt");
    assert!(apart < 1e-10, "{apart:e}");
}

/// The tasks of an executor that is killed before its output is fetched are done again.
#[test]
fn an_executor_is_killed_before_its_output_is_fetched() {
    const TASKS: usize = 5;
    let tables = Tables::made(8, 150_000);
    let task = "-t wave --ignore twice,class,weight -k gaussian:gamma=0.5 -s nystrom:landmarks=300";
    tables.fit(&format!("{task} --stream"), "here.npt");
    let mut cluster = Cluster::up(2);
    let running = tables.begin(
        &format!("{task} --cluster {} --tasks {TASKS}", cluster.url()),
        "there.npt",
    );
    // One task is left, and the executor that made the last output has none.
    let idle = cluster.wait_for(|outputs| outputs.of(0) + outputs.of(1) == TASKS - 1);
    cluster.kill(idle);
    running.done(Duration::from_secs(120));
    let apart = tables.apart("here.npt", "there.npt");
    assert!(apart < 1e-10, "{apart:e}");
}
