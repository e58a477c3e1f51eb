//! Sums over tables by queries, here or on a cluster. Landmarks and sums alone stay in memory.

mod cluster;
mod place;

pub use place::Place;

use crate::{
    Error,
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
