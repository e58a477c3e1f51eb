//! The space, if none is given.

use super::{Asked, Purpose, built};
use crate::{Error, roles::Samples, tables::some_rows};
use npt_core::{KernelizedError, affordable_landmarks, memory_limit, wording::bytes};

/// The methods that take kernel values as they are: 2000 rows take one or two tenths of a second. All others take kernel coordinates, as
/// many as there are rows, and their time grows with the cube of the rows: seconds for 2000 rows.
const OF_KERNEL_VALUES: [&str; 10] = [
    "svc",
    "nu_svc",
    "hard_margin_svc",
    "calibrated_svc",
    "one_class_svm",
    "svr",
    "ridge",
    "iterative_ridge",
    "gaussian_process",
    "kpca",
];

/// The most rows for which a method of coordinates takes the exact space: if it is fitted once, and if a search fits it a hundred times.
const ROWS_OF_COORDINATES: [usize; 2] = [4000, 1000];

/// The number of landmarks for more rows.
const LANDMARKS: usize = 500;

/// The number of rows by which it is found out how many dimensions the samples span.
const ROWS_OF_SPAN: usize = 2000;

impl Asked {
    /// The space as it is written. For `auto`, the exact space if three kernel matrices fit in the memory and the method is fast in it, else a
    /// space of landmarks.
    pub(super) fn space_for(
        &self,
        samples: &Samples,
        method: &str,
        fits: usize,
        purpose: Purpose,
        notes: &mut Vec<String>,
    ) -> Space {
        if self.space != "auto" {
            return Space::Text(self.space.clone());
        }
        if purpose == Purpose::Sums {
            return Space::Landmarks(LANDMARKS);
        }
        let rows = samples.data.len();
        let affordable = affordable_landmarks::<f64>(rows);
        let of_coordinates = ROWS_OF_COORDINATES[usize::from(fits > 1)];
        if rows > of_coordinates && !OF_KERNEL_VALUES.contains(&method) {
            let landmarks = affordable.unwrap_or(LANDMARKS).clamp(1, LANDMARKS);
            notes.push(format!(
                "the space is nystrom with up to {landmarks} landmarks: {method} takes time as the cube of the rows in the exact one"
            ));
            return Space::Landmarks(landmarks);
        }
        let needed = 3 * 8 * (rows as u64).pow(2);
        match memory_limit() {
            Some(allowed) if needed > allowed => {
                let landmarks = affordable.unwrap_or(1000).clamp(1, 1000);
                notes.push(format!(
                    "the space is nystrom with up to {landmarks} landmarks: the kernel matrix of {rows} rows and its factor would take {}, and there are {}",
                    bytes(needed), bytes(allowed)
                ));
                Space::Landmarks(landmarks)
            }
            _ => Space::Text("exact".to_owned()),
        }
    }
}

/// A space as it is written, or the number of landmarks of one, if the samples span as many dimensions.
pub enum Space {
    Text(String),
    Landmarks(usize),
}

/// The space of `wanted` landmarks. If the samples span fewer dimensions, it has four fifths of their number, as folds span still fewer.
pub fn landmarks_of(
    kernel: &str,
    wanted: usize,
    samples: &Samples,
    transformers: &[&str],
) -> Result<String, Error> {
    let space = |landmarks: usize| format!("nystrom(landmarks = {landmarks})");
    let rows = some_rows(samples.data.len(), ROWS_OF_SPAN, 0);
    let some = samples.data.rows(&rows).with_weights(Vec::new());
    let coordinates = built("coordinates", kernel, &space(wanted), transformers)?;
    Ok(match coordinates.fit(&some, ()) {
        Err(npt_estimator::Error::Fit(KernelizedError::Space(npt_core::Error::Landmarks {
            available,
            ..
        }))) => space((available * 4 / 5).max(1)),
        // The fit itself reports all other errors.
        _ => space(wanted),
    })
}
