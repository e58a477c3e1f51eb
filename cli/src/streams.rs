//! Sums over tables by queries, of which landmarks and sums alone stay in memory: here, or on a cluster.

mod cluster;

use crate::{
    Error,
    arguments::time,
    roles::{Missing, Roles},
    tables::{self, Table, sql},
};
use datafusion::{
    execution::FunctionRegistry as _,
    functions_aggregate::expr_fn::count,
    logical_expr::{Expr, ident, lit},
    prelude::{DataFrame, SessionContext},
    scalar::ScalarValue,
};
use npt_datafusion::Functions;
use npt_estimator::{PartialSums, Sums, TargetKind};
use std::{future::Future, num::NonZeroUsize, time::Duration};

/// The number of queries that a cluster is sent before it is given up.
const ATTEMPTS: usize = 3;

/// The place where tables are read that are too large for the memory.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Large tables")]
pub struct Place {
    /// A cluster of Apache Ballista that reads the tables, such as df://10.0.0.1:50050; npt-cluster makes one
    #[arg(long, value_name = "URL")]
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

impl Place {
    /// Returns whether a cluster reads the tables.
    pub fn is_cluster(&self) -> bool {
        self.cluster.is_some()
    }

    /// Does work with DataFusion; on a cluster anew where the cluster failed.
    fn run<T, W: Future<Output = Result<T, Error>>>(
        &self,
        functions: &Functions,
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

/// Some of the rows, at random: the values of a row and the seed decide, whoever reads it.
pub fn sample(
    place: &Place,
    source: &tables::Source,
    roles: &Roles,
    rows: usize,
    seed: u64,
) -> Result<Table, Error> {
    let mut table = place.run(&Functions::of_files(), async |context: SessionContext| {
        let frame = sql::rows(&context, source).await?;
        let names = names_of(&frame).into_iter();
        let names: Vec<String> = names.filter(|name| !roles.ignore.contains(name)).collect();
        let columns = names.iter().map(ident).collect::<Vec<_>>();
        let frame = frame.select(columns).map_err(|error| sql::fault(&error))?;
        let frame = whole_rows(frame, roles)?;
        let mut arguments = vec![lit(seed)];
        arguments.extend(names.iter().map(ident));
        let order = function(context.udf("npt_random_order"))?.call(arguments);
        let frame = frame
            .sort(vec![order.sort(true, false)])
            .and_then(|frame| frame.limit(0, Some(rows)));
        sql::collect(frame.map_err(|error| sql::fault(&error))?).await
    })?;
    if table.rows() == 0 {
        return Err(Error::Data("there are no rows".to_owned()));
    }
    table.what = "the sample";
    Ok(table)
}

/// The sums over all rows, from sums of none.
pub fn sums(
    place: &Place,
    source: &tables::Source,
    roles: &Roles,
    begun: &Sums,
) -> Result<Sums, Error> {
    // In a plan that travels the landmarks travel too; here it names them, as each step of a planner looks at all its bytes.
    let (functions, landmarks) = if place.is_cluster() {
        let landmarks = npt_datafusion::literal(begun);
        (
            Functions::of_files(),
            landmarks.map_err(|error| Error::Query(error.to_string()))?,
        )
    } else {
        let functions = Functions::of_files().sums("landmarks", begun.clone());
        (functions, ScalarValue::from("landmarks"))
    };
    let state = place.run(&functions, async |context: SessionContext| {
        let frame = whole_rows(sql::rows(&context, source).await?, roles)?;
        let call = moments(&context, &frame, roles, begun, &landmarks)?;
        let frame = frame.aggregate(vec![], vec![call.alias("state"), count(lit(1_i64))]);
        let frame = frame.map_err(|error| sql::fault(&error))?;
        let batches = frame.collect().await;
        let batches = batches.map_err(|error| sql::fault(&error))?;
        let state = batches
            .first()
            .map(|batch| ScalarValue::try_from_array(batch.column(0), 0));
        state.transpose().map_err(|error| sql::fault(&error))
    })?;
    let Some(ScalarValue::LargeBinary(Some(bytes))) = state else {
        return Err(Error::Data("there are no rows".to_owned()));
    };
    let part: PartialSums = npt_model_file::from_bytes(&bytes)
        .map_err(|error| Error::Query(format!("the sums that came back: {error}")))?;
    let mut all = begun.anew();
    all.merge(&part)?;
    Ok(all)
}

/// The aggregate of these columns.
fn moments(
    context: &SessionContext,
    frame: &DataFrame,
    roles: &Roles,
    begun: &Sums,
    landmarks: &ScalarValue,
) -> Result<Expr, Error> {
    let known = names_of(frame);
    for name in begun
        .columns()
        .iter()
        .chain(&roles.target)
        .chain(&roles.weights)
    {
        if !known.contains(name) {
            let near = npt_core::wording::nearest(name, known.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| {
                format!("; the nearest name is {near}")
            });
            return Err(Error::Data(format!("there is no column {name}{near}")));
        }
    }
    let mut arguments = vec![lit(landmarks.clone())];
    arguments.extend(roles.weights.iter().map(ident));
    arguments.push(match roles.target.as_slice() {
        _ if begun.estimator().targets()? == TargetKind::None => lit(ScalarValue::Null),
        [] => {
            return Err(Error::Usage(
                "-t names the column to be predicted".to_owned(),
            ));
        }
        [one] => ident(one),
        several => {
            let fields = several
                .iter()
                .flat_map(|name| [lit(name.as_str()), ident(name)]);
            function(context.udf("named_struct"))?.call(fields.collect())
        }
    });
    arguments.extend(begun.columns().iter().map(ident));
    let name = if roles.weights.is_some() {
        "kernel_moments_weighted"
    } else {
        "kernel_moments"
    };
    Ok(function(context.udaf(name))?.call(arguments))
}

/// The rows in which no value is missing, where the others are to be left out.
fn whole_rows(frame: DataFrame, roles: &Roles) -> Result<DataFrame, Error> {
    if roles.missing != Missing::Drop {
        return Ok(frame);
    }
    let names = names_of(&frame).into_iter();
    let whole = names
        .filter(|name| !roles.ignore.contains(name))
        .map(|name| ident(name).is_not_null())
        .reduce(Expr::and);
    match whole {
        Some(whole) => frame.filter(whole).map_err(|error| sql::fault(&error)),
        None => Ok(frame),
    }
}

fn names_of(frame: &DataFrame) -> Vec<String> {
    let fields = frame.schema().fields().iter();
    fields.map(|field| field.name().clone()).collect()
}

fn function<T>(found: datafusion::error::Result<T>) -> Result<T, Error> {
    found.map_err(|error| sql::fault(&error))
}
