//! Kernel PCA pulls two circles apart.
//!
//! Two noisy circles, one inside the other. No straight direction separates them, so linear PCA
//! can only turn the picture. In the space of a Gaussian kernel the radius is a direction like any
//! other, and the first principal component finds it: one threshold on it tells the circles apart.
//!
//! `cargo run --release --example kpca_circles` prints
//!
//! ```text
//! best threshold on the first component: linear PCA 71 % right, kernel PCA 100 % right
//! variance explained by two components:  linear PCA 100 %, kernel PCA 35 %
//! target/kpca_circles.svg
//! ```
//!
//! and draws the samples, their linear scores and their kernel scores side by side.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, ArrayView1};
use npt::prelude::*;
use npt_testkit::data::circles;
use plotters::prelude::*;
use std::{error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let (points, circle) = circles(400, 1);
    let data = DatasetBase::from(points.clone());

    let linear = Kpca::params(2, Linear::new()).fit(&data)?;
    let kernel = Kpca::params(2, Gaussian::new(0.3)).fit(&data)?;
    let linear_scores = linear.transform(points.clone());
    let kernel_scores = kernel.transform(points.clone());

    println!(
        "best threshold on the first component: linear PCA {:.0} % right, kernel PCA {:.0} % right",
        100.0 * best_threshold(linear_scores.column(0), &circle),
        100.0 * best_threshold(kernel_scores.column(0), &circle),
    );
    println!(
        "variance explained by two components:  linear PCA {:.0} %, kernel PCA {:.0} %",
        100.0 * linear.inner().explained_variance_ratio().sum(),
        100.0 * kernel.inner().explained_variance_ratio().sum(),
    );

    let path = Path::new("target/kpca_circles.svg");
    std::fs::create_dir_all("target")?;
    let root = SVGBackend::new(path, (1200, 420)).into_drawing_area();
    root.fill(&WHITE)?;
    let panels = root.split_evenly((1, 3));
    let (features, components) = (
        ["first feature", "second feature"],
        ["first component", "second component"],
    );
    draw(&panels[0], "two circles", features, &points, &circle)?;
    draw(
        &panels[1],
        "linear PCA",
        components,
        &linear_scores,
        &circle,
    )?;
    let kernel = "kernel PCA, Gaussian γ = 0.3";
    draw(&panels[2], kernel, components, &kernel_scores, &circle)?;
    root.present()?;
    println!("{}", path.display());
    Ok(())
}

/// The share that the best single threshold on the scores puts on the right side.
fn best_threshold(scores: ArrayView1<'_, f64>, circle: &Array1<usize>) -> f64 {
    let right = |threshold: f64| {
        let pairs = scores.iter().zip(circle);
        let above = pairs
            .filter(|&(&score, &circle)| (score > threshold) == (circle == 1))
            .count();
        above.max(scores.len() - above)
    };
    let best = scores
        .iter()
        .map(|&threshold| right(threshold))
        .max()
        .unwrap_or(0);
    best as f64 / scores.len() as f64
}

fn draw(
    panel: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    title: &str,
    axes: [&str; 2],
    points: &Array2<f64>,
    circle: &Array1<usize>,
) -> Result<(), Box<dyn Error>> {
    // There is room for the legend above.
    let reach = 1.1 * points.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let mut chart = ChartBuilder::on(panel)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(52)
        .build_cartesian_2d(-reach..reach, -reach..1.35 * reach)?;
    // A tick next to 0 is 0, without a sign.
    let tick = |v: &f64| format!("{:.1}", (10.0 * v).round() / 10.0 + 0.0);
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc(axes[0])
        .y_desc(axes[1])
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .draw()?;
    let colours = [RGBColor(27, 94, 160), RGBColor(214, 96, 30)];
    for (which, name) in ["inner circle", "outer circle"].into_iter().enumerate() {
        let of_circle = points
            .outer_iter()
            .zip(circle)
            .filter(|(_, c)| **c == which);
        let colour = colours[which];
        chart
            .draw_series(
                of_circle.map(|(point, _)| {
                    Circle::new((point[0], point[1]), 3, colour.mix(0.7).filled())
                }),
            )?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 9, y), 4, colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}
