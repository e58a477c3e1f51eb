//! Sums over tables by queries, here or on a cluster. Landmarks and sums alone stay in memory.

mod cluster;

use crate::{
    Error,
    arguments::time,
    roles::{Missing, Roles},
    tables::{self, Table, sql},
    talk::Talk,
};
use datafusion::{
    arrow::{
        array::{Array as _, AsArray as _, RecordBatch},
        datatypes::{FieldRef, Int64Type},
    },
    execution::FunctionRegistry as _,
    functions_aggregate::expr_fn::count,
    logical_expr::{Expr, ident, lit},
    prelude::{DataFrame, SessionContext},
    scalar::ScalarValue,
};
use npt_datafusion::Functions;
use npt_estimator::{PartialSums, Sums, TargetKind};
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
    fn run<T, W: Future<Output = Result<T, Error>>>(
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

/// Draws some of the rows at random. The values of a row and the seed decide, whichever machine reads the row.
pub fn sample(
    place: &Place,
    source: &tables::Source,
    roles: &Roles,
    rows: usize,
    seed: u64,
    talk: &Talk,
) -> Result<Table, Error> {
    let drawn = place.run(
        &Functions::of_files(),
        talk,
        async |context: SessionContext| {
            let frame = sql::rows(&context, source).await?;
            let names = names_of(&frame);
            let named = roles.target.iter().chain(&roles.weights);
            for name in named.chain(&roles.ignore).chain(&roles.categorical) {
                require_column(name, &names)?;
            }
            let kept = names.iter().filter(|name| !roles.ignore.contains(name));
            let columns: Vec<Expr> = kept.map(ident).collect();
            let frame = frame
                .select(columns.clone())
                .map_err(|error| sql::fault(&error))?;
            let frame = whole_rows(frame, roles)?;
            let arguments = [lit(rows as u64), lit(seed)].into_iter().chain(columns);
            let sample = function(context.udaf("npt_sample"))?.call(arguments.collect());
            let frame = frame.aggregate(vec![], vec![sample.alias("rows")]);
            let frame = frame.map_err(|error| sql::fault(&error))?;
            frame.collect().await.map_err(|error| sql::fault(&error))
        },
    )?;
    let rows_of = |batch: &RecordBatch| {
        let list = batch.column(0).as_list::<i32>();
        list.is_valid(0).then(|| list.value(0))
    };
    let Some(found) = drawn.first().and_then(rows_of) else {
        return Err(Error::Data("there are no rows".to_owned()));
    };
    let batch = RecordBatch::from(found.as_struct().clone());
    let mut table = tables::of_batch(&batch)?;
    let [.., copies, _] = batch.columns() else {
        return Err(Error::Query(
            "the sample that came back has no counts of its rows".to_owned(),
        ));
    };
    let copies = copies.as_primitive::<Int64Type>().values().to_vec();
    table.columns.truncate(batch.num_columns() - 2);
    let mut table = table.select(&repeated(&copies, rows));
    table.what = "the sample";
    Ok(table)
}

/// The places of different rows, each repeated in proportion to its copies, at most `rows` in all.
fn repeated(copies: &[i64], rows: usize) -> Vec<usize> {
    let total = copies.iter().sum::<i64>().max(1) as u128;
    let rows = total.min(rows as u128);
    let mut before = 0;
    let mut places = Vec::new();
    for (place, &copies) in copies.iter().enumerate() {
        let after = before + copies as u128;
        let times = after * rows / total - before * rows / total;
        places.extend(std::iter::repeat_n(place, times as usize));
        before = after;
    }
    places
}

fn require_column(name: &str, known: &[String]) -> Result<(), Error> {
    if known.iter().any(|known| known == name) {
        return Ok(());
    }
    let near = npt_core::wording::nearest(name, known.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| {
        format!("; the nearest name is {near}")
    });
    Err(Error::Data(format!("there is no column {name}{near}")))
}

/// The sums over all rows; `begun` are sums without samples.
pub fn sums(
    place: &Place,
    source: &tables::Source,
    roles: &Roles,
    begun: &Sums,
    talk: &Talk,
) -> Result<Sums, Error> {
    // A plan that is sent to a cluster contains the landmarks. A plan for this process only names them, as each step of a planner looks at
    // all bytes of the plan.
    let (functions, landmarks) = if place.is_cluster() {
        let landmarks = begun.to_bytes().map(npt_datafusion::literal);
        (
            Functions::of_files(),
            landmarks.map_err(|error| Error::Query(error.to_string()))?,
        )
    } else {
        let functions = Functions::of_files().sums("landmarks", begun.clone());
        (functions, ScalarValue::from("landmarks"))
    };
    let state = place.run(&functions, talk, async |context: SessionContext| {
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
    });
    let state = state.map_err(|error| match error {
        Error::Query(text) if text.contains("which the model has not seen") => Error::Data(format!(
            "{text}: the sample lacks it, and its landmarks know no others; --ignore leaves the column out, --sql may put rare texts together"
        )),
        other => other,
    })?;
    let Some(ScalarValue::LargeBinary(Some(bytes))) = state else {
        return Err(Error::Data("there are no rows".to_owned()));
    };
    let part = PartialSums::from_bytes(&bytes)
        .map_err(|error| Error::Query(format!("the sums that came back: {error}")))?;
    let mut all = begun.anew();
    all.merge(&part)?;
    Ok(all)
}

/// The call of the aggregate function on the columns.
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
        require_column(name, &known)?;
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

/// Leaves out rows in which a value is missing, if the user asks for it.
fn whole_rows(frame: DataFrame, roles: &Roles) -> Result<DataFrame, Error> {
    if roles.missing != Missing::Drop {
        return Ok(frame);
    }
    let fields = frame.schema().fields().iter();
    let fields = fields.filter(|field| !roles.ignore.contains(field.name()));
    let has_value = |field: &FieldRef| {
        let is_there = ident(field.name()).is_not_null();
        if field.data_type().is_floating() {
            // To DataFusion NaN is equal to itself, as all numbers are.
            is_there.and(ident(field.name()).not_eq(lit(f64::NAN)))
        } else {
            is_there
        }
    };
    let whole = fields.map(has_value).reduce(Expr::and);
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
