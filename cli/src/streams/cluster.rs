//! Clusters of Apache Ballista.

use crate::Error;
use datafusion::prelude::SessionContext;
use npt_datafusion::Functions;

/// The largest message in bytes, enough for sums on thousands of landmarks.
#[cfg(feature = "cluster")]
const MESSAGE: usize = 1 << 30;

/// A session whose queries the cluster answers.
#[cfg(feature = "cluster")]
pub async fn connect(
    url: &str,
    tasks: usize,
    functions: &Functions,
) -> Result<SessionContext, Error> {
    use ballista::prelude::{SessionConfigExt as _, SessionContextExt as _};
    use datafusion::{execution::SessionStateBuilder, prelude::SessionConfig};

    let config = SessionConfig::new_with_ballista()
        .with_target_partitions(tasks)
        .with_ballista_grpc_client_max_message_size(MESSAGE)
        // The adaptive planner hangs if an executor that holds finished output is lost.
        .with_ballista_adaptive_query_planner(false);
    let state = SessionStateBuilder::new()
        .with_config(config)
        .with_default_features()
        .build();
    let context = SessionContext::remote_with_state(url, state).await;
    let mut context = context.map_err(|error| Error::Cluster(error.to_string()))?;
    // Ballista replaces the functions of a state by its own, so these are registered afterwards.
    functions
        .register(&mut context)
        .map_err(|error| Error::Cluster(error.to_string()))?;
    Ok(context)
}

#[cfg(not(feature = "cluster"))]
pub async fn connect(_: &str, _: usize, _: &Functions) -> Result<SessionContext, Error> {
    Err(Error::Usage(
        "this program is built without clusters; `cargo install --path cli --features cluster` builds it with them".to_owned(),
    ))
}

/// Returns whether the cluster is at fault, and not the data or the query.
pub fn is_worth_another_attempt(error: &Error) -> bool {
    let text = error.to_string();
    [
        "ExecutorLost",
        "FetchFailed",
        "transport error",
        "GrpcConnectionError",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// Adds the address of the cluster to an error.
pub fn told(url: &str, error: Error) -> Error {
    match error {
        Error::Query(reason) | Error::Cluster(reason) => {
            if let Some(own) = own_words(&reason) {
                return Error::Query(own);
            }
            // Ballista does not say why; the log of the executor does.
            let hint = if reason.contains("could not be prepared or was rejected by executor") {
                ": does each executor have the functions? Those of npt-cluster do, of this version"
            } else {
                ""
            };
            Error::Cluster(format!("{url}: {reason}{hint}"))
        }
        other => other,
    }
}

/// The words of an error of npt's functions on an executor; they stand in debug form inside the text of another error.
fn own_words(reason: &str) -> Option<String> {
    let (_, rest) = reason.split_once("NptError(\"")?;
    let mut words = String::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some(words),
            '\\' => words.extend(letters.next()),
            letter => words.push(letter),
        }
    }
    None
}
