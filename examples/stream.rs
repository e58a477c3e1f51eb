//! Ridge regression on more rows than one would keep: they come in blocks, and only sums over them are kept.
//!
//! The rows are made on the fly, 28 features each, with targets that no line fits. A first pass draws a
//! sample of the rows ([`Reservoir`]). Landmarks chosen among these ([`Pivoting::random`]) span the kernel space.
//! The second pass sums means and scatters of the coordinates of each block ([`CoordinateMoments`]), and forgets the block. Ridge
//! regression is fitted to these [`Moments`] alone, in a moment for each penalty. Every fifth block is held
//! out, with moments of its own: the squared error of a linear function of coordinates follows from their
//! means and scatters, too.
//!
//! `cargo run --release --example stream` prints (for 100,000 rows; another number may follow)
//!
//! ```text
//! 100000 rows; 500 landmarks leave 0.172 of the trace
//! penalty   R² of held-out rows
//! 10        0.799
//! 1         0.886
//! 0.1       0.891
//! 0.01      0.891
//! a line    0.201
//! ```
//!
//! With so many rows a penalty gains little. Ten times as many rows take ten times as long, and no more memory.

use linfa::Dataset;
use ndarray::{Array1, ArrayView1, Axis, Ix1};
use npt::methods::{
    linear::Ridge,
    streaming::{CoordinateMoments, FitMoments, Moments, Reservoir},
};
use npt::prelude::*;
use npt_testkit::data;
use std::error::Error;

const ROWS: usize = 10_000;
const LANDMARKS: usize = 500;

/// The k-th block of a stream that can be read again.
fn block(k: usize) -> Dataset<f64, f64, Ix1> {
    let x = data::normal(ROWS, 28, k as u64);
    let target = |row: ArrayView1<'_, f64>| row[0] * row[1] + row[2].abs() + row[3].sin();
    let targets: Array1<f64> = x.map_axis(Axis(1), target);
    Dataset::new(x, targets)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = std::env::args()
        .nth(1)
        .map_or(Ok(100_000), |rows| rows.parse::<usize>())?;
    let blocks = (rows / ROWS).max(5);
    let mut sample = Reservoir::new(5000);
    for k in 0..blocks {
        sample.add(&block(k).records)?;
    }

    let builder = Nystrom::new(Gaussian::new(0.02), Pivoting::random(LANDMARKS));
    let builder = builder.axes(Axes::Cholesky).centered(false);
    let fitted = builder.fit_space(&sample.into_samples()?)?;
    let left = fitted.relative_trace_residual();
    let space = fitted.into_parts().0;

    let mut training = CoordinateMoments::new(&space)?;
    let mut held_out = CoordinateMoments::new(&space)?;
    let (mut line, mut line_held_out) = (Moments::new(28), Moments::new(28));
    for k in 0..blocks {
        let block = block(k);
        let (of_space, of_rows) = if k % 5 == 4 {
            (&mut held_out, &mut line_held_out)
        } else {
            (&mut training, &mut line)
        };
        of_rows.add(&block)?;
        of_space.add(&block)?;
    }

    let (training, held_out) = (training.into_moments()?, held_out.into_moments()?);

    println!(
        "{} rows; {LANDMARKS} landmarks leave {left:.3} of the trace",
        blocks * ROWS
    );
    let r2 = |moments: &Moments, ridge: &Ridge<f64>| -> Result<f64, npt::methods::Error> {
        Ok(1.0 - moments.squared_errors(ridge)?[0] / moments.target_scatter()[[0, 0]])
    };
    println!("penalty   R² of held-out rows");
    for penalty in [10.0, 1.0, 0.1, 0.01] {
        let ridge = Ridge::params().penalty(penalty).fit_moments(&training)?;
        println!("{penalty:<10}{:.3}", r2(&held_out, &ridge)?);
    }
    let ridge = Ridge::params().fit_moments(&line)?;
    println!("a line    {:.3}", r2(&line_held_out, &ridge)?);
    Ok(())
}
