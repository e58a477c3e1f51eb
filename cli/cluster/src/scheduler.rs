//! `npt-cluster scheduler`

use crate::{HEARTBEAT, MESSAGE, TIMEOUT, say, session};
use ballista_core::{config::TaskSchedulingPolicy, error::Result};
use ballista_scheduler::{
    cluster::BallistaCluster, config::SchedulerConfig, scheduler_process::start_server,
};
use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

/// Divides queries into tasks, and gives them to the executors
#[derive(Debug, clap::Args)]
pub struct Scheduler {
    /// The address on which the scheduler listens
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    #[arg(long, default_value_t = 50050)]
    port: u16,
    /// The name by which executors reach the scheduler, if they do not reach it by the address
    #[arg(long, value_name = "NAME")]
    external_host: Option<String>,
}

impl Scheduler {
    pub async fn run(self) -> Result<()> {
        let config = SchedulerConfig {
            bind_host: self.host.to_string(),
            bind_port: self.port,
            external_host: self.external_host.unwrap_or_else(|| self.host.to_string()),
            scheduling_policy: TaskSchedulingPolicy::PushStaged,
            executor_timeout_seconds: TIMEOUT,
            expire_dead_executor_interval_seconds: HEARTBEAT,
            // A lost executor may come back, or another one may join.
            no_executors_grace_period_seconds: 5 * TIMEOUT,
            executor_termination_grace_period: TIMEOUT,
            grpc_server_max_decoding_message_size: MESSAGE,
            grpc_server_max_encoding_message_size: MESSAGE,
            grpc_client_max_message_size: MESSAGE,
            override_session_builder: Some(Arc::new(session)),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_from_config(&config).await?;
        say("scheduler", self.host, self.port)?;
        start_server(
            cluster,
            SocketAddr::new(self.host, self.port),
            Arc::new(config),
        )
        .await
    }
}
