//! `npt-cluster`: the scheduler and the executors of a cluster of Apache Ballista that has the functions of `npt-datafusion`.

mod executor;
mod scheduler;

use clap::{Parser, Subcommand};
use datafusion::{
    common::Result,
    execution::{SessionState, SessionStateBuilder, config::SessionConfig},
};
use npt_datafusion::Functions;
use std::{net::IpAddr, process::ExitCode};

/// The largest message: sums on 4000 landmarks are 64 MB for each fold.
const MESSAGE: u32 = 1 << 30;

/// The seconds between two signs of life of an executor.
const HEARTBEAT: u64 = 3;

/// The seconds without a sign of life after which an executor's tasks are given to others.
const TIMEOUT: u64 = 12;

/// A cluster for fits to many tables: one scheduler, and an executor on each machine that reads them
///
/// npt fit --cluster sends its queries here. Whoever reaches the ports may send queries too, which read the files that an executor can
/// read; so both listen on this machine alone unless --host says otherwise.
#[derive(Debug, Parser)]
#[command(name = "npt-cluster", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    Scheduler(scheduler::Scheduler),
    Executor(executor::Executor),
}

#[tokio::main]
async fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let done = match Arguments::parse().part {
        Part::Scheduler(scheduler) => scheduler.run().await,
        Part::Executor(executor) => executor.run().await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("npt-cluster: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A session that knows the functions: the plans that it receives have only their names.
fn session(config: SessionConfig) -> Result<SessionState> {
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_default_features()
        .build();
    Functions::of_files().register(&mut state)?;
    Ok(state)
}

/// Says where a part listens, and who reaches it; an error if another program listens there.
fn say(part: &str, host: IpAddr, port: u16) -> std::io::Result<()> {
    drop(std::net::TcpListener::bind((host, port))?);
    let reach = if host.is_loopback() {
        "which this machine alone reaches; --host names an address that others reach"
    } else {
        "and whoever reaches it may have any file read that this program can read"
    };
    eprintln!("npt-cluster {part}: listens on {host}:{port}, {reach}");
    Ok(())
}
