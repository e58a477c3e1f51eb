//! The space where none is given.

use super::{Asked, Purpose, built};
use crate::{Error, roles::Samples, tables::some_rows};
use npt_core::{KernelizedError, affordable_landmarks, memory_limit, wording::bytes};

/// The methods that take kernel values as they are: 2000 rows are a tenth of a second or two. All others take kernel coordinates, of which there
/// are as many as rows, and the cube of that is their time: seconds for 2000 rows.
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

/// The rows up to which all of them are landmarks of a method of coordinates: where it is fitted once, and where a search fits it a hundred times.
const ROWS_OF_COORDINATES: [usize; 2] = [4000, 1000];

/// The landmarks of more rows.
const LANDMARKS: usize = 500;

/// The rows by which it is known how many dimensions they span.
const ROWS_OF_SPAN: usize = 2000;

impl Asked {
    /// The space as it is written; for `auto` the exact one if three kernel matrices fit in the memory and the method is fast in it, else one of
    /// landmarks.
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

/// A space that is written, or one of so many landmarks if the samples span as many dimensions.
pub enum Space {
    Text(String),
    Landmarks(usize),
}

/// The space of so many landmarks, or of fewer where the samples span less: four fifths of that, as folds of them span less again.
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
        // What else may be wrong the fit itself says.
        _ => space(wanted),
    })
}
