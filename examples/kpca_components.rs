//! Draws what the first kernel principal components find: two circles again, and the plane around them.
//!
//! A component is a function of the input. Linear components rise along a line. The components of a Gaussian kernel find how the samples
//! vary: here first their distance from the middle, then, as waves, their place on a circle.
//!
//! `cargo run --release --example kpca_components` prints for each of the first four components its share of the variance, how well
//! one threshold on it tells the circles apart, and the share of its variance on a circle that is a wave of one or two periods,
//!
//! ```text
//! component  variance  right  one period  two periods
//!         1    19.8 %  100 %        15 %          1 %
//!         2    15.4 %   64 %        88 %          3 %
//!         3    14.8 %   61 %        92 %          2 %
//!         4     9.1 %   70 %         1 %         66 %
//! target/kpca_components.svg
//! ```
//!
//! and draws the components' values over the plane, from blue (negative) to orange, with the samples.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, ArrayView1};
use npt::prelude::*;
use npt_testkit::data::circles;
use plotters::{coord::Shift, prelude::*};
use std::{error::Error, f64::consts::TAU, path::Path};

const COMPONENTS: usize = 4;
/// The distance from the middle to the edge of the picture.
const REACH: f64 = 3.6;
/// The number of squares a side; each has one colour.
const SQUARES: i32 = 48;

fn main() -> Result<(), Box<dyn Error>> {
    let (points, circle) = circles(400, 1);
    let kpca = Kpca::params(COMPONENTS, Gaussian::new(0.3));
    let model = kpca.fit(&DatasetBase::from(points.clone()))?;
    let scores = model.transform(points.clone());

    println!("component  variance  right  one period  two periods");
    for (k, share) in model.inner().explained_variance_ratio().iter().enumerate() {
        let score = scores.column(k);
        println!(
            "{:>9}  {:>6.1} %  {:>3.0} %  {:>8.0} %  {:>9.0} %",
            k + 1,
            100.0 * share,
            100.0 * best_threshold(score, &circle),
            100.0 * wave(&points, score, 1.0),
            100.0 * wave(&points, score, 2.0),
        );
    }

    let path = Path::new("target/kpca_components.svg");
    std::fs::create_dir_all("target")?;
    let root = SVGBackend::new(path, (1200, 330)).into_drawing_area();
    root.fill(&WHITE)?;
    let center = |i: i32| REACH * (f64::from(2 * i + 1) / f64::from(SQUARES) - 1.0);
    let plane: Vec<(i32, i32)> = (0..SQUARES)
        .flat_map(|i| (0..SQUARES).map(move |j| (i, j)))
        .collect();
    let middles = Array2::from_shape_fn((plane.len(), 2), |(row, k)| {
        let (i, j) = plane[row];
        center(if k == 0 { i } else { j })
    });
    let values = model.transform(middles.clone());
    for (k, panel) in root.split_evenly((1, COMPONENTS)).iter().enumerate() {
        draw(panel, k, &middles, values.column(k), &points)?;
    }
    root.present()?;
    println!("{}", path.display());
    Ok(())
}

/// The share that the best single threshold on the scores puts on the right side.
fn best_threshold(scores: ArrayView1<'_, f64>, circle: &Array1<usize>) -> f64 {
    let right = |threshold: f64| {
        let pairs = scores.iter().zip(circle);
        let above = pairs.filter(|&(&score, &circle)| (score > threshold) == (circle == 1));
        let above = above.count();
        above.max(scores.len() - above)
    };
    let best = scores.iter().map(|&threshold| right(threshold)).max();
    best.unwrap_or(0) as f64 / scores.len() as f64
}

/// The share of a score's variance that is a wave around the middle with `periods` periods: R² of its cosine and sine.
fn wave(points: &Array2<f64>, score: ArrayView1<'_, f64>, periods: f64) -> f64 {
    let angles = points.map_axis(ndarray::Axis(1), |point| point[1].atan2(point[0]));
    let along = |shift: f64| {
        let part = angles.mapv(|angle| (periods * angle + shift * TAU).cos());
        part.dot(&score).powi(2) / (part.dot(&part) * score.dot(&score))
    };
    // The angles are spread almost evenly, so that cosine and sine are almost orthogonal.
    along(0.0) + along(0.25)
}

/// Draws a component's values over the plane, from blue (negative) to orange, and the samples.
fn draw(
    panel: &DrawingArea<SVGBackend<'_>, Shift>,
    component: usize,
    middles: &Array2<f64>,
    values: ArrayView1<'_, f64>,
    points: &Array2<f64>,
) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(panel)
        .caption(format!("component {}", component + 1), ("sans-serif", 18))
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(40)
        .build_cartesian_2d(-REACH..REACH, -REACH..REACH)?;
    let tick = |v: &f64| format!("{:.0}", v + 0.0);
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("first feature")
        .y_desc("second feature")
        .x_labels(5)
        .y_labels(5)
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .draw()?;
    let largest = values.fold(0.0_f64, |largest, v| largest.max(v.abs()));
    let half = REACH / f64::from(SQUARES);
    chart.draw_series(middles.outer_iter().zip(values).map(|(middle, value)| {
        let strength = value.abs() / largest;
        let colour = if *value < 0.0 {
            RGBColor(27, 94, 160)
        } else {
            RGBColor(214, 96, 30)
        };
        let corners = [
            (middle[0] - half, middle[1] - half),
            (middle[0] + half, middle[1] + half),
        ];
        Rectangle::new(corners, colour.mix(strength).filled())
    }))?;
    let samples = points
        .outer_iter()
        .map(|p| Circle::new((p[0], p[1]), 1, BLACK.filled()));
    chart.draw_series(samples)?;
    Ok(())
}
