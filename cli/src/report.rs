//! A page on a model: one HTML file that loads nothing from elsewhere.

mod answers;
mod style;

use crate::{
    Error,
    plots::{self, By, Kind},
    roles::{data_for, targets_for},
    tables::{Table, some_rows},
    work,
};
use answers::{Answers, Measured};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use npt_core::wording::{bytes, count};
use npt_estimator::{Ability, Data, Model, Predictions, Selection};
use std::time::{Duration, Instant};

/// The number of rows that are shown of those about which the model is most wrong.
const WORST: usize = 20;

/// The most points of a picture.
const POINTS: usize = 5000;

/// The number of candidates that are shown at once; a click shows all others.
const SHOWN: usize = 10;

/// The times to load the model and to read the table, and the size of the model's file in bytes.
pub struct Took {
    pub load: Duration,
    pub read: Duration,
    pub bytes: u64,
}

/// A part of the page: its anchor, its title, and its body.
struct Part {
    anchor: &'static str,
    title: &'static str,
    body: Markup,
}

/// Writes the page.
pub fn page(
    name: &str,
    model: &Model,
    table: &Table,
    target: &[String],
    took: &Took,
) -> Result<String, Error> {
    let data = data_for(model, table)?;
    let start = Instant::now();
    let has_target = !target.is_empty() || !model.target_names().is_empty();
    let targets = has_target
        .then(|| targets_for(model, table, target))
        .transpose()?;
    let answers = targets
        .as_ref()
        .map(|targets| Answers::of(model, &data, targets))
        .transpose()?;
    let predicted = start.elapsed();
    let mut parts = vec![what_it_is(model)];
    parts.extend(
        model
            .selection()
            .map(|selection| how_chosen(model, selection)),
    );
    if let (Some(answers), Some(targets)) = (&answers, &targets) {
        parts.push(scores(&answers.measured(targets)?, data.len()));
    }
    work::check()?;
    parts.push(pictures(model, table, target, answers.as_ref())?);
    parts.extend(rows(model, table, &data, answers.as_ref(), target)?);
    parts.push(time_and_memory(
        took,
        answers.is_some().then_some(predicted),
        data.len(),
    ));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // The page may load nothing, and run no script.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (name) " on " (table.words()) }
                style { (PreEscaped(style::SHEET)) }
            }
            body {
                header {
                    h1 { (name) }
                    p { "on " (table.words()) ", " (count(data.len(), "row").to_string()) }
                }
                nav { @for part in &parts { a href={ "#" (part.anchor) } { (part.title) } } }
                main { @for part in &parts { section id=(part.anchor) { h2 { (part.title) } (part.body) } } }
                footer { "npt " (env!("CARGO_PKG_VERSION")) }
            }
        }
    };
    Ok(page.into_string())
}

fn what_it_is(model: &Model) -> Part {
    let text = model.to_string();
    let lines = text.lines().map(|line| {
        let (name, value) = line.split_at(line.len().min(14));
        (name.trim().to_owned(), value.trim().to_owned())
    });
    let body = html! {
        table.facts { @for (name, value) in lines { tr { th scope="row" { (name) } td { (value) } } } }
    };
    Part {
        anchor: "what",
        title: "What it is",
        body,
    }
}

fn how_chosen(model: &Model, selection: &Selection) -> Part {
    let best = if selection.score.is_loss() {
        "smallest"
    } else {
        "largest"
    };
    let row = |(text, mean, deviation): &(String, f64, f64)| {
        html! { tr { td.number { (format!("{mean:.4} ± {deviation:.4}")) } td { (text) } } }
    };
    let (shown, others) = selection
        .candidates
        .split_at(SHOWN.min(selection.candidates.len()));
    let path = plots::chart(Kind::Path, model, None, &By::default()).and_then(|chart| chart.svg());
    let body = html! {
        p {
            (count(selection.candidates.len(), "candidate").to_string()) " that could be fitted were compared by " (selection.folds) " folds of "
            (count(selection.samples, "row").to_string()) ", and the one with the " (best) " " (selection.score.to_string()) " was taken. "
            "The score of the best of many is a little too good; those of the table below are not, if its rows had no part in the fit."
        }
        @if let Ok(svg) = path { (figure(&svg, "The scores over the parameter with the most values, a line for each value of the others; of more than seven lines the best ones.")) }
        div.wide { table {
            thead { tr { th { (selection.score.to_string()) " ± its deviation over the folds" } th { "candidate" } } }
            tbody { @for candidate in shown { (row(candidate)) } }
        } }
        @if !others.is_empty() {
            details {
                summary { "the other " (others.len()) }
                div.wide { table { tbody { @for candidate in others { (row(candidate)) } } } }
            }
        }
    };
    Part {
        anchor: "chosen",
        title: "How it was chosen",
        body,
    }
}

fn scores(measured: &[Measured], rows: usize) -> Part {
    let body = html! {
        p { "On " (count(rows, "row").to_string()) ". With 95 % the score on ever more rows like these lies in the interval: of accuracy Wilson's, of others by rows drawn with replacement." }
        table {
            thead { tr { th { "score" } th { "value" } th { "from" } th { "to" } } }
            tbody {
                @for Measured { score, value, interval: [from, to] } in measured {
                    tr { td { (score.to_string()) } @for number in [value, from, to] { td.number { (format!("{number:.4}")) } } }
                }
            }
        }
    };
    Part {
        anchor: "scores",
        title: "Scores",
        body,
    }
}

fn figure(svg: &str, caption: &str) -> Markup {
    html! { figure { div role="img" aria-label=(caption) { (PreEscaped(svg)) } figcaption { (caption) } } }
}

/// The pictures that suit a model, with captions that say what to look for.
fn pictures(
    model: &Model,
    table: &Table,
    target: &[String],
    answers: Option<&Answers>,
) -> Result<Part, Error> {
    let mut kinds: Vec<(Kind, &str)> = Vec::new();
    match answers {
        Some(Answers::Labels { classes, probabilities, decisions, .. }) => {
            kinds.push((Kind::Confusion, "The rows of each class, by the class that they are taken for: those on the diagonal are right."));
            if classes.len() == 2 && decisions.is_some() {
                kinds.push((Kind::Roc, "The further the curve is above the diagonal, the better the classes are told apart, wherever the line between them is drawn."));
            }
            if probabilities.is_some() {
                kinds.push((Kind::Calibration, "On the diagonal a class holds as often as the model says."));
            }
        }
        Some(Answers::Numbers { .. }) => kinds.push((
            Kind::Residuals,
            "Without a pattern there is nothing left to be learnt; a fan says that large numbers are predicted worse.",
        )),
        None => {}
    }
    if model.columns().len() == 2 {
        kinds.push((
            Kind::Regions,
            "What is predicted over the plane of the two features, and the rows.",
        ));
    }
    if model.has(Ability::Transform) {
        kinds.push((Kind::Scree, "How much of the variance each component has."));
        kinds.push((Kind::Scores, "The first two components of the rows."));
    }
    // More points would be one blot, and take megabytes.
    let some = (table.rows() > POINTS).then(|| table.select(&some_rows(table.rows(), POINTS, 0)));
    let by = By {
        target: target.to_vec(),
        ..By::default()
    };
    let mut drawn = Vec::new();
    for (kind, caption) in kinds {
        work::check()?;
        // A picture that cannot be drawn is left out.
        let is_of_points = matches!(kind, Kind::Residuals | Kind::Regions | Kind::Scores);
        let (rows, note) = match &some {
            Some(some) if is_of_points => {
                (some, format!(" These are {POINTS} of the rows, at random."))
            }
            _ => (table, String::new()),
        };
        if let Ok(svg) = plots::chart(kind, model, Some(rows), &by).and_then(|chart| chart.svg()) {
            drawn.push((svg, format!("{caption}{note}")));
        }
    }
    let body = html! {
        @for (svg, caption) in &drawn { (figure(svg, caption)) }
        @if drawn.is_empty() { p { "There is no picture for such a model." } }
    };
    Ok(Part {
        anchor: "pictures",
        title: "Pictures",
        body,
    })
}

/// The rows about which the model is most wrong, or which it takes for the most novel.
fn rows(
    model: &Model,
    table: &Table,
    data: &Data,
    answers: Option<&Answers>,
    target: &[String],
) -> Result<Option<Part>, Error> {
    let (title, words, values) = match answers {
        Some(answers) => ("The worst rows", answers.loss_words(), answers.losses()),
        None => match model.predict(data) {
            Ok(Predictions::Novel(_)) => {
                let decisions = model.decision_function(data)?;
                let novelty = decisions.iter().map(|decision| -decision).collect();
                (
                    "The most novel rows",
                    "novelty, above 0 for what is novel",
                    novelty,
                )
            }
            _ => return Ok(None),
        },
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order.truncate(WORST);
    let targets = if target.is_empty() {
        model.target_names()
    } else {
        target
    };
    let columns: Vec<_> = table.columns.iter().collect();
    let body = html! {
        div.wide {
            table {
                thead { tr {
                    th { "row" } th { (words) }
                    @if answers.is_some() { th { "predicted" } }
                    @for column in &columns { th class=[targets.contains(&column.name).then_some("target")] { (column.name) } }
                } }
                tbody {
                    @for row in order {
                        tr {
                            td { (table.place(row)) } td.number { (format!("{:.4}", values[row])) }
                            @if let Some(answers) = answers { td { (answers.predicted(row)) } }
                            @for column in &columns { td class=[targets.contains(&column.name).then_some("target")] { (column.values.text(row)) } }
                        }
                    }
                }
            }
        }
    };
    Ok(Some(Part {
        anchor: "rows",
        title,
        body,
    }))
}

fn time_and_memory(took: &Took, predicted: Option<Duration>, rows: usize) -> Part {
    let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
    let mut facts = vec![
        ("the model's file", bytes(took.bytes).to_string()),
        ("to load it", seconds(took.load)),
        ("to read the table", seconds(took.read)),
    ];
    if let Some(time) = predicted {
        let speed = rows as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE);
        facts.push((
            "to predict",
            format!("{}, {speed:.0} rows a second", seconds(time)),
        ));
    }
    if let Some(peak) = peak_memory() {
        facts.push(("memory at the peak", bytes(peak).to_string()));
    }
    let body = html! { table.facts { @for (name, value) in facts { tr { th scope="row" { (name) } td { (value) } } } } };
    Part {
        anchor: "time",
        title: "Time and memory",
        body,
    }
}

/// The largest memory that this process had, in bytes; `None` if the system does not tell.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}
