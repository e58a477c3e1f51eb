//! The place where queries over large tables run: this process, or a cluster.

use super::cluster;
use crate::{Error, arguments::time, tables::sql, talk::Talk};
use datafusion::prelude::SessionContext;
use npt_datafusion::Functions;
use std::{convert::Infallible, future::Future, num::NonZeroUsize, time::Duration};

/// The number of times that a query is sent to a cluster before the program gives up.
const ATTEMPTS: usize = 3;

/// The place where tables that are too large for the memory are read.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Large tables")]
pub struct Place {
    /// A cluster of Apache Ballista that reads the tables, such as df://10.0.0.1:50050; npt-cluster makes one
    #[arg(long, value_name = "URL", value_parser = address)]
    cluster: Option<String>,
    /// The tasks that the tables are divided into; a few for each processor of the cluster
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "64",
        requires = "cluster"
    )]
    tasks: NonZeroUsize,
    /// The time after which a query on the cluster is sent anew, three times at most
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "1h", requires = "cluster")]
    deadline: Duration,
}

fn address(text: &str) -> Result<String, String> {
    let address = text
        .strip_prefix("df://")
        .and_then(|rest| rest.rsplit_once(':'));
    let is_address = |(host, port): (&str, &str)| !host.is_empty() && port.parse::<u16>().is_ok();
    if address.is_some_and(is_address) {
        return Ok(text.to_owned());
    }
    Err("it is df://, a host and a port, such as df://10.0.0.1:50050".to_owned())
}

impl Place {
    /// Returns whether a cluster reads the tables.
    pub fn is_cluster(&self) -> bool {
        self.cluster.is_some()
    }

    /// Does work with DataFusion. If a cluster fails, the work is sent to it again.
    pub(super) fn run<T, W: Future<Output = Result<T, Error>>>(
        &self,
        functions: &Functions,
        talk: &Talk,
        work: impl Fn(SessionContext) -> W,
    ) -> Result<T, Error> {
        let Some(url) = &self.cluster else {
            return sql::wait(async { work(sql::here(functions)?).await });
        };
        sql::wait(async {
            let mut last = Error::Cluster(format!("{url}: no attempt was made"));
            for _ in 0..ATTEMPTS {
                let attempt =
                    async { work(cluster::connect(url, self.tasks.get(), functions).await?).await };
                let attempt = async {
                    tokio::select! {
                        done = attempt => done,
                        never = waiting(url, talk) => match never {},
                    }
                };
                match tokio::time::timeout(self.deadline, attempt).await {
                    Ok(Err(error)) if cluster::is_worth_another_attempt(&error) => last = error,
                    Ok(done) => return done.map_err(|error| cluster::told(url, error)),
                    Err(_) => {
                        last = Error::Cluster(format!(
                            "there was no result within {} s; --deadline sets another time",
                            self.deadline.as_secs()
                        ));
                    }
                }
            }
            Err(cluster::told(url, last))
        })
    }
}

/// Says once in a while that there is no answer yet: a cluster without executors waits until it has some.
async fn waiting(url: &str, talk: &Talk) -> Infallible {
    const WHILE: Duration = Duration::from_secs(60);
    for minutes in 1_u64.. {
        tokio::time::sleep(WHILE).await;
        talk.say(format!(
            "{url}: no result for {}; it waits where there are no executors",
            npt_core::wording::count(minutes as usize, "minute")
        ));
    }
    std::future::pending().await
}
