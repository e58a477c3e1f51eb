//! `npt-cluster executor`

use crate::{HEARTBEAT, MESSAGE, say, session};
use ballista_core::{
    config::TaskSchedulingPolicy, error::Result, registry::BallistaFunctionRegistry,
};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use datafusion::prelude::SessionConfig;
use std::{
    net::IpAddr, num::NonZeroUsize, path::PathBuf, sync::Arc, thread::available_parallelism,
};

/// The seconds within which the scheduler has to answer.
const CONNECT: u16 = 60;

/// Reads tables and sums them, a task for each thread
#[derive(Debug, clap::Args)]
pub struct Executor {
    /// The scheduler, such as 10.0.0.1:50050
    #[arg(long, default_value = "127.0.0.1:50050", value_name = "HOST:PORT", value_parser = host_and_port)]
    scheduler: (String, u16),
    /// The address on which the executor listens
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// The port; the executor takes the next one too
    #[arg(long, default_value_t = 50051, value_parser = clap::value_parser!(u16).range(1..=65534))]
    port: u16,
    /// The name by which others reach the executor, if they do not reach it by the address
    #[arg(long, value_name = "NAME")]
    external_host: Option<String>,
    /// Tasks at once; by default as many as there are processors
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZeroUsize>,
    /// The folder for the output that tasks hand on to others; by default a temporary one
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Executor {
    pub async fn run(self) -> Result<()> {
        let threads = self.threads.or(available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        let temporary = tempfile::tempdir()?;
        let folder = self.folder.as_deref().unwrap_or(temporary.path());
        let state = session(SessionConfig::new())?;
        let (scheduler_host, scheduler_port) = self.scheduler;
        say("executor", self.host, self.port)?;
        start_executor_process(Arc::new(ExecutorProcessConfig {
            bind_host: self.host.to_string(),
            external_host: Some(self.external_host.unwrap_or_else(|| self.host.to_string())),
            port: self.port,
            grpc_port: self.port + 1,
            scheduler_host,
            scheduler_port,
            scheduler_connect_timeout_seconds: CONNECT,
            vcores: threads,
            task_scheduling_policy: TaskSchedulingPolicy::PushStaged,
            work_dir: Some(folder.to_string_lossy().into_owned()),
            grpc_max_decoding_message_size: MESSAGE,
            grpc_max_encoding_message_size: MESSAGE,
            executor_heartbeat_interval_seconds: HEARTBEAT,
            // The registry of a session's state: the default registry lacks the nested functions.
            override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
            ..ExecutorProcessConfig::default()
        }))
        .await
    }
}

fn host_and_port(text: &str) -> std::result::Result<(String, u16), String> {
    let parts = text.rsplit_once(':');
    let parts = parts.and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.ok_or_else(|| "it is a host and a port, such as 10.0.0.1:50050".to_owned())
}
