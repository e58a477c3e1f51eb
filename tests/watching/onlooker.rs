//! A subscriber that cancels work at a named stage, and keeps the reports of stages, on their way and at their end.

use npt::watch::CancellationToken;
use std::{
    fmt::Debug,
    sync::{Arc, Mutex, MutexGuard, Once, PoisonError},
};
use tracing::{
    Event, Id, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Record},
};

/// A function that is called with the name of a stage when it begins.
type AtStage = Arc<dyn Fn(&str) + Send + Sync>;

static AT_STAGE: Mutex<Option<AtStage>> = Mutex::new(None);
static EVENTS: Mutex<Vec<Told>> = Mutex::new(Vec::new());
/// The spans in the order of their numbers, which begin with 1.
static SPANS: Mutex<Vec<Told>> = Mutex::new(Vec::new());
/// There is one onlooker for all tests, so that one test looks at a time.
static TURN: Mutex<()> = Mutex::new(());
static BEGIN: Once = Once::new();

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The fields of an event or a span.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told {
    pub(crate) stage: String,
    pub(crate) done: Option<u64>,
    pub(crate) total: Option<u64>,
    pub(crate) value: Option<f64>,
}

impl Visit for Told {
    fn record_str(&mut self, field: &Field, value: &str) {
        if matches!(field.name(), "stage" | "name") {
            value.clone_into(&mut self.stage);
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "done" => self.done = Some(value),
            "total" => self.total = Some(value),
            _ => {}
        }
    }

    fn record_f64(&mut self, _: &Field, value: f64) {
        self.value = Some(value);
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

struct Onlooker;

impl Subscriber for Onlooker {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "npt"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut told = Told::default();
        span.record(&mut told);
        let at_stage = locked(&AT_STAGE).clone();
        if let Some(at_stage) = at_stage {
            at_stage(&told.stage);
        }
        let mut spans = locked(&SPANS);
        spans.push(told);
        Id::from_u64(spans.len() as u64)
    }

    fn event(&self, event: &Event<'_>) {
        let mut told = Told::default();
        event.record(&mut told);
        locked(&EVENTS).push(told);
    }

    fn record(&self, span: &Id, fields: &Record<'_>) {
        let index = usize::try_from(span.into_u64() - 1).unwrap();
        fields.record(&mut locked(&SPANS)[index]);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// A test's turn: while it lives, no other test is looked at.
pub(crate) struct Turn {
    _held: MutexGuard<'static, ()>,
    at_stage: &'static Mutex<Option<AtStage>>,
    events: &'static Mutex<Vec<Told>>,
    /// The number of spans before the turn.
    spans: usize,
}

impl Turn {
    pub(crate) fn take() -> Self {
        BEGIN.call_once(|| tracing::subscriber::set_global_default(Onlooker).unwrap());
        let turn = locked(&TURN);
        locked(&EVENTS).clear();
        Self {
            _held: turn,
            at_stage: &AT_STAGE,
            events: &EVENTS,
            spans: locked(&SPANS).len(),
        }
    }

    /// A token that is cancelled when `stage` begins.
    pub(crate) fn cancelled_at(&self, stage: &'static str) -> CancellationToken {
        let token = CancellationToken::new();
        let other = token.clone();
        *locked(self.at_stage) = Some(Arc::new(move |begun| {
            if begun == stage {
                other.cancel();
            }
        }));
        token
    }

    /// The spans that began since the turn was taken.
    pub(crate) fn spans(&self) -> Vec<Told> {
        locked(&SPANS)[self.spans..].to_vec()
    }

    /// The steps that were done at the end of stages with this name and total.
    pub(crate) fn in_the_end(&self, stage: &str, total: u64) -> Vec<u64> {
        let spans = self.spans().into_iter();
        let of_stage = spans.filter(|told| told.stage == stage && told.total == Some(total));
        of_stage.map(|told| told.done.unwrap()).collect()
    }

    /// The events since the turn was taken.
    pub(crate) fn events(&self) -> Vec<Told> {
        locked(self.events).clone()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *locked(&AT_STAGE) = None;
    }
}
