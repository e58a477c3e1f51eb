//! The L1 norm against outliers: where it helps, and where it does not.
//!
//! Principal components maximise the sum of *squared* projections, so one sample far away may
//! outvote all others. Kwak (2008) maximises the sum of *magnitudes* instead, which an outlier enters
//! once and not squared; in kernel coordinates (2013) the same works in feature space. This program
//! asks twice how far from the truth either norm is led.
//!
//! The first experiment is in the plane: 100 samples along a line, and outliers far from it. How many degrees is the
//! first axis off the line? `NPT_DATA=folder cargo run --release --example outliers` prints
//!
//! ```text
//! degrees off the line            L2           L1
//!   0 on all sides           0.7 ± 0.1      0.7 ± 0.1
//!   2 on all sides           6.4 ± 0.8      2.6 ± 0.2
//!   4 on all sides           9.3 ± 1.0      3.6 ± 0.3
//!  10 on all sides          14.7 ± 1.5      5.0 ± 0.4
//!   0 across the line        0.7 ± 0.1      0.7 ± 0.1
//!   2 across the line        0.9 ± 0.1      4.0 ± 0.1
//!   4 across the line        1.4 ± 0.1      8.5 ± 0.1
//!  10 across the line       16.2 ± 1.3     20.0 ± 0.1
//! ```
//!
//! (mean ± standard error over 100 draws). Outliers on all sides are what the L1 norm is for: together
//! they prefer a direction only by chance, and chance counts for more where the farthest outlier is
//! squared. Outliers that agree are another matter. If all are across the line, on both its sides, even a few turn the
//! L1 axis further than the L2 axis. Their squared projection on the line is 0, and to first order
//! stays 0 when the axis turns; the magnitude of their projection grows at once, with the outlier's full distance.
//!
//! The second experiment is on digits: 300 images of handwritten digits, some replaced by dots, every pixel black or
//! white at random. Components are fitted to all of them and tested on clean digits from
//! elsewhere. The figures are the share of the clean digits' squared distance from the mean that m components leave
//! unexplained, in feature space, in percent:
//!
//! ```text,data
//!               m = 20                    m = 40                    m = 80
//! outliers      L2           L1           L2           L1           L2           L1
//! linear
//!      0 %   28.5 ± 0.0   29.4 ± 0.1   17.0 ± 0.1   17.7 ± 0.1    8.4 ± 0.1    8.7 ± 0.1
//!     10 %   31.1 ± 0.1   31.5 ± 0.1   22.7 ± 0.1   20.7 ± 0.1   11.5 ± 0.0   11.0 ± 0.0
//!     20 %   32.8 ± 0.1   33.5 ± 0.2   25.4 ± 0.2   23.3 ± 0.1   15.2 ± 0.1   13.2 ± 0.1
//! cubic
//!      0 %   61.3 ± 0.2   62.9 ± 0.1   55.4 ± 0.2   57.1 ± 0.2   50.6 ± 0.2   51.6 ± 0.2
//!     10 %   61.9 ± 0.2   63.8 ± 0.2   60.4 ± 0.4   58.0 ± 0.2   54.2 ± 0.2   53.2 ± 0.2
//!     20 %   62.2 ± 0.2   64.2 ± 0.2   61.7 ± 0.3   58.9 ± 0.3   61.4 ± 0.3   54.6 ± 0.3
//! Gaussian
//!      0 %   56.4 ± 0.1   57.8 ± 0.2   49.6 ± 0.1   51.0 ± 0.1   44.3 ± 0.1   45.4 ± 0.1
//!     10 %   57.1 ± 0.2   58.8 ± 0.2   51.3 ± 0.2   52.6 ± 0.2   48.0 ± 0.2   47.4 ± 0.2
//!     20 %   57.2 ± 0.2   60.1 ± 0.3   52.7 ± 0.2   54.4 ± 0.2   50.6 ± 0.2   49.4 ± 0.2
//! ```
//!
//! (mean ± standard error over 6 draws of digits and dots). Without outliers the L2 norm is better, as
//! it has to be where the test squares too. With outliers it depends on m. The first components are
//! digits by either norm: no one image of dots outweighs what 300 digits have in common. Further on,
//! where the digits have little left along any one direction, L2 spends component after component
//! on single images of dots; to a sum of magnitudes one image is one in 300. That shows most with the
//! cubic kernel, as cubes make long samples longer: from 40 to 80 components, at 20 % outliers, L2
//! explains nothing more. To a Gaussian kernel no sample is long, as φ(x) has length 1 wherever x
//! is: L2 is not led astray by much, and L1 is better only from many components on, and by little.
//!
//! The figure, `target/outliers.svg`, has one draw of the plane, and curves over m of one draw of the
//! digits at 20 % outliers.
//!
//! The digits are those of "The Elements of Statistical Learning", not included here: put
//! `usps_train.gz` and `usps_test.gz` into a folder and its name into `NPT_DATA`. Without them, only
//! the plane is shown.
//!
//! # References
//! N. Kwak, "Principal Component Analysis Based on L1-Norm Maximization", IEEE TPAMI 30(9), 2008.
//! doi:10.1109/TPAMI.2008.114
//!
//! N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013.
//! doi:10.1109/TNNLS.2013.2272292

use linfa::DatasetBase;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use npt::{
    methods::linear::{Pca, PcaL1},
    prelude::*,
};
use npt_testkit::datasets::{self, Digits};
use plotters::{coord::Shift, prelude::*};
use rand::{Rng, SeedableRng, seq::index::sample};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;
use std::{error::Error, path::Path, sync::Arc};

type Records = DatasetBase<Array2<f64>, Array1<()>>;
type AnyKernel = Arc<dyn Kernel<Rows<f64>, Scalar = f64>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const L2: RGBColor = RGBColor(200, 80, 20);
const L1: RGBColor = RGBColor(27, 94, 160);

fn main() -> Result<(), Box<dyn Error>> {
    plane()?;
    let curves = digits()?;

    let path = Path::new("target/outliers.svg");
    std::fs::create_dir_all("target")?;
    let panels = 1 + curves.len();
    let root = SVGBackend::new(path, (380 * panels as u32, 400)).into_drawing_area();
    root.fill(&WHITE)?;
    let areas = root.split_evenly((1, panels));
    draw_plane(&areas[0])?;
    for (area, (kernel, curves)) in areas[1..].iter().zip(&curves) {
        draw_curves(area, kernel, curves)?;
    }
    root.present()?;
    println!("{}", path.display());
    Ok(())
}

/// 100 samples along the line y = x/2, then outliers: normal with standard deviation 20, or at a
/// distance of 20 across the line.
fn line(outliers: usize, across: bool, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let mut normal = || rng.sample::<f64, _>(StandardNormal);
    let mut x = Array2::from_shape_simple_fn((100 + outliers, 2), &mut normal);
    for (i, mut row) in x.outer_iter_mut().enumerate() {
        if i < 100 {
            let along = -10.0 + 20.0 * i as f64 / 99.0;
            row += &ndarray::aview1(&[along, along / 2.0]);
        } else if across {
            let side = 20.0 * normal().signum() / 5.0_f64.sqrt();
            row += &ndarray::aview1(&[-side, 2.0 * side]);
        } else {
            row *= 20.0;
        }
    }
    x
}

/// The angle between the first axis and the line, in degrees.
fn degrees_off(axes: ArrayView2<'_, f64>) -> f64 {
    let (x, y) = (axes[[0, 0]], axes[[0, 1]]);
    // The components across and along the line, up to a common factor.
    (2.0 * y - x).abs().atan2((2.0 * x + y).abs()).to_degrees()
}

fn plane() -> Result<(), Box<dyn Error>> {
    println!("degrees off the line            L2           L1");
    for (across, where_) in [(false, "on all sides"), (true, "across the line")] {
        for outliers in [0, 2, 4, 10] {
            let mut angles = (Vec::new(), Vec::new());
            for seed in 0..100 {
                let data = DatasetBase::from(line(outliers, across, seed));
                angles
                    .0
                    .push(degrees_off(Pca::params(1).fit(&data)?.axes()));
                angles
                    .1
                    .push(degrees_off(PcaL1::params(1).fit(&data)?.axes()));
            }
            let (l2, l1) = (Mean::of(&angles.0), Mean::of(&angles.1));
            println!("{outliers:>3} {where_:<17} {l2:>14} {l1:>14}");
        }
    }
    Ok(())
}

/// A mean and its standard error.
struct Mean(f64, f64);

impl Mean {
    fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        Mean(mean, (squares / (n - 1.0) / n).sqrt())
    }
}

impl std::fmt::Display for Mean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{:.1} ± {:.1}", self.0, self.1))
    }
}

const TRAINING: usize = 300;
const COMPONENTS: usize = 80;
const DRAWS: u64 = 6;

/// The share that m = 1, 2, … components leave unexplained, in percent, by either norm.
struct Unexplained {
    l2: Vec<f64>,
    l1: Vec<f64>,
}

/// Prints the table of the digits, and returns the curves for the largest share of outliers.
fn digits() -> Result<Vec<(&'static str, Unexplained)>, Box<dyn Error>> {
    let Some(folder) = datasets::folder() else {
        println!("digits skipped: set NPT_DATA to a folder with usps_train.gz and usps_test.gz");
        return Ok(Vec::new());
    };
    let train = Digits::read(&folder.join("usps_train.gz"))?.pixels;
    let test = Digits::read(&folder.join("usps_test.gz"))?.pixels;
    let test = test.slice_move(s![..500, ..]);
    let kernels: [(&str, AnyKernel); 3] = [
        ("linear", Arc::new(Linear::new())),
        ("cubic", Arc::new(Polynomial::new(3, 1.0 / 256.0, 0.0))),
        ("Gaussian", Arc::new(Gaussian::new(0.005))),
    ];
    let mut curves = Vec::new();
    println!("\n              m = 20                    m = 40                    m = 80");
    println!("outliers      L2           L1           L2           L1           L2           L1");
    for (name, kernel) in kernels {
        println!("{name}");
        for percent in [0, 10, 20] {
            let draws = (0..DRAWS)
                .map(|seed| unexplained(&kernel, &with_dots(&train, percent, seed), &test))
                .collect::<Result<Vec<_>, _>>()?;
            print!("{percent:>6} %");
            for m in [20, 40, 80] {
                let l2: Vec<f64> = draws.iter().map(|draw| draw.l2[m - 1]).collect();
                let l1: Vec<f64> = draws.iter().map(|draw| draw.l1[m - 1]).collect();
                print!(" {:>12} {:>12}", Mean::of(&l2), Mean::of(&l1));
            }
            println!();
            if percent == 20 {
                curves.extend(draws.into_iter().next().map(|draw| (name, draw)));
            }
        }
    }
    Ok(curves)
}

/// Some training digits, a share of which is replaced by dots.
fn with_dots(train: &Array2<f64>, percent: usize, seed: u64) -> Records {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let rows = sample(&mut rng, train.nrows(), TRAINING).into_vec();
    let mut x = train.select(Axis(0), &rows);
    for mut image in x.outer_iter_mut().take(TRAINING * percent / 100) {
        image.mapv_inplace(|_| if rng.r#gen() { 1.0 } else { -1.0 });
    }
    DatasetBase::from(x)
}

fn unexplained(
    kernel: &AnyKernel,
    train: &Records,
    test: &Array2<f64>,
) -> Result<Unexplained, Box<dyn Error>> {
    let l2 = Kpca::params(COMPONENTS, Arc::clone(kernel))
        .by_coordinates()
        .fit(train)?;
    let l1 = KpcaL1::params(COMPONENTS, Arc::clone(kernel))
        .method(|m| m.starts(1))
        .fit(train)?;
    // Squared distances from the mean: the part within the space, and in total.
    let within = l2.space().coordinates(test)?.mapv(|v| v * v).sum();
    let total = within + l2.space().residuals(test)?.sum();
    let curve = |scores: Array2<f64>| {
        let squares = scores.mapv(|v| v * v).sum_axis(Axis(0));
        let left = squares.iter().scan(total, |left, square| {
            *left -= square;
            Some(100.0 * *left / total)
        });
        left.collect()
    };
    Ok(Unexplained {
        l2: curve(l2.transform(test.clone())),
        l1: curve(l1.transform(test.clone())),
    })
}

/// The text of a tick: a whole number; 0 has no sign.
fn tick(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}

fn draw_plane(area: &Area<'_>) -> Result<(), Box<dyn Error>> {
    // This draw is near the mean of all draws: L2 is 14 degrees off, L1 5.
    let x = line(10, false, 21);
    let reach = x.fold(0.0_f64, |m, v| m.max(v.abs()));
    let mut chart = ChartBuilder::on(area)
        .caption("10 outliers on all sides", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(58)
        .build_cartesian_2d(-reach..reach, -reach..reach)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("first feature")
        .y_desc("second feature")
        .x_label_formatter(&|v| tick(*v))
        .y_label_formatter(&|v| tick(*v))
        .draw()?;
    let points = x.outer_iter().enumerate();
    chart.draw_series(points.map(|(i, point)| {
        let colour = if i < 100 {
            RGBColor(150, 150, 150)
        } else {
            BLACK
        };
        Circle::new((point[0], point[1]), 3, colour.filled())
    }))?;
    let data = DatasetBase::from(x);
    let line = ndarray::array![[0.8_f64.sqrt(), 0.2_f64.sqrt()]];
    let (l2, l1) = (Pca::params(1).fit(&data)?, PcaL1::params(1).fit(&data)?);
    let axes = [
        (line.view(), RGBColor(150, 150, 150), "the line"),
        (l2.axes(), L2, "L2"),
        (l1.axes(), L1, "L1"),
    ];
    for (axes, colour, name) in axes {
        let end = |length: f64| (length * axes[[0, 0]], length * axes[[0, 1]]);
        let ends = vec![end(-reach), end(reach)];
        chart
            .draw_series([PathElement::new(ends, colour.stroke_width(2))])?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    legend(&mut chart, SeriesLabelPosition::UpperLeft)
}

fn draw_curves(area: &Area<'_>, kernel: &str, curves: &Unexplained) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("{kernel} kernel, 20 % outliers"),
            ("sans-serif", 18),
        )
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(58)
        .build_cartesian_2d(0..COMPONENTS, 0.0..100.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("components")
        .y_desc("unexplained, %")
        .y_label_formatter(&|v| tick(*v))
        .draw()?;
    for (values, colour, name) in [(&curves.l2, L2, "L2"), (&curves.l1, L1, "L1")] {
        let points: Vec<_> = (1..).zip(values.iter().copied()).collect();
        chart
            .draw_series([PathElement::new(points, colour.stroke_width(2))])?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    legend(&mut chart, SeriesLabelPosition::UpperRight)
}

fn legend<'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, C>,
    position: SeriesLabelPosition,
) -> Result<(), Box<dyn Error>> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE)
        .draw()?;
    Ok(())
}
