//! Clusters that are not there, or not whole: one line says what is wrong.

use crate::cluster::{Cluster, Tables, free_port};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use std::sync::Arc;

const TASK: &str =
    "-t wave --ignore twice,class,weight -k gaussian:gamma=0.5 -s nystrom:landmarks=20";

#[test]
fn a_scheduler_that_is_not_there() {
    let tables = Tables::made(1, 100);
    let (code, told) = tables.refused(&format!("{TASK} --cluster df://127.0.0.1:9"));
    assert_eq!(code, 1);
    assert!(
        told.starts_with("npt: df://127.0.0.1:9: ") && told.lines().count() == 1,
        "{told}"
    );
    let (code, told) = tables.refused(&format!("{TASK} --cluster nowhere"));
    assert_eq!(code, 2);
    assert!(
        told.contains("it is df://, a host and a port, such as df://10.0.0.1:50050"),
        "{told}"
    );
}

#[test]
fn no_executor() {
    let tables = Tables::made(1, 100);
    let cluster = Cluster::up(0);
    let (code, told) = tables.refused(&format!("{TASK} --cluster {} --deadline 2s", cluster.url()));
    assert_eq!(code, 1);
    assert!(
        told.contains("there was no result within 2 s; --deadline sets another time"),
        "{told}"
    );
}

/// Faults of the data are told as they are without a cluster, and the query is sent once.
#[test]
fn data_at_fault() {
    let tables = Tables::made(1, 100);
    let cluster = Cluster::up(1);
    let on = format!("--cluster {}", cluster.url());
    let (code, told) = tables.refused(&format!("-t waves -k gaussian:gamma=0.5 {on}"));
    assert_eq!(code, 1);
    assert!(
        told.contains("there is no column waves; the nearest name is wave"),
        "{told}"
    );
    let (code, told) = tables.refused(&format!(
        "-t class --ignore wave -m ridge:penalty=1 -k gaussian:gamma=0.5 {on}"
    ));
    assert_eq!(code, 1);
    // The error is in the words of the function that an executor called.
    assert_eq!(told, "npt: the column class has texts; it takes numbers");
}

/// A plain executor of Ballista lacks the functions: a plan has only their names.
#[test]
fn an_executor_that_lacks_the_functions() {
    let tables = Tables::made(1, 100);
    let cluster = Cluster::up(0);
    let folder = tempfile::tempdir().unwrap();
    let executor = start_executor_process(Arc::new(ExecutorProcessConfig {
        port: free_port(),
        grpc_port: free_port(),
        scheduler_host: "127.0.0.1".to_owned(),
        scheduler_port: cluster.port(),
        scheduler_connect_timeout_seconds: 60,
        task_scheduling_policy: ballista_core::config::TaskSchedulingPolicy::PushStaged,
        work_dir: Some(folder.path().to_string_lossy().into_owned()),
        ..ExecutorProcessConfig::default()
    }));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.spawn(executor);
    let (code, told) = tables.refused(&format!(
        "{TASK} --cluster {} --deadline 20s",
        cluster.url()
    ));
    runtime.shutdown_background();
    assert_eq!(code, 1);
    assert!(
        told.contains("does each executor have the functions?") && told.lines().count() == 1,
        "{told}"
    );
}
