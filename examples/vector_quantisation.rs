//! Vector quantisation of digits: a picture is replaced by the closest of a few pictures in a code book.
//!
//! k-means makes a code book, of the pixels or in the feature space of a Gaussian kernel. In feature space the centroid of a cluster is
//! no picture; its pre-image stands for it, or the training digit closest to it. 2000 training digits and 2000 unseen ones are coded by their
//! cluster and decoded by its prototype. The example prints the mean squared error a pixel, of grey values from −1 to 1, by
//! the number of prototypes:
//!
//! ```text,data
//! prototypes         means of pixels              pre-images          closest digits
//!                 training    unseen      training    unseen      training    unseen
//!         10         0.284     0.293         0.294     0.307         0.447     0.469
//!         20         0.247     0.263         0.250     0.266         0.377     0.405
//!         50         0.205     0.233         0.208     0.235         0.314     0.360
//!        100         0.175     0.217         0.176     0.215         0.271     0.322
//! target/vector_quantisation.svg
//! ```
//!
//! k-means of pixels makes this very error small, on the training digits. Pre-images come within 0.014 of it, and with 100
//! prototypes are better on unseen digits. The closest digits have errors half as large again, but are digits that somebody wrote: sharp,
//! where means and pre-images are blurred. The picture has 20 prototypes of each kind.
//!
//! The data are the zip code digits of "The Elements of Statistical Learning", not included here:
//! put `usps_train.gz` into a folder and its name into `NPT_DATA`.
//!
//! # References
//! B. Schölkopf, S. Mika, C. Burges, P. Knirsch, K.-R. Müller, G. Rätsch, A. Smola, "Input Space Versus Feature Space
//! in Kernel-Based Methods", IEEE Transactions on Neural Networks 10(5), 1999.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use npt::{
    methods::{
        linear::KMeans,
        pre_image::{FixedPoint, NearestSample},
    },
    prelude::*,
};
use npt_testkit::datasets::{self, Digits};
use num_traits::ToPrimitive;
use plotters::{coord::Shift, prelude::*};
use std::{error::Error, path::Path};

/// The number of training digits, and of unseen ones.
const DIGITS: usize = 2000;
const SIZES: [usize; 4] = [10, 20, 50, 100];
/// The number of prototypes of the code books that are drawn.
const SHOWN: usize = 20;
/// The number of pixels in a row.
const SIDE: i32 = 16;
const KINDS: [&str; 3] = ["means of pixels", "pre-images", "closest digits"];

/// Prototypes, and the cluster of each training and each unseen digit.
struct CodeBook {
    prototypes: Array2<f64>,
    training: Array1<usize>,
    unseen: Array1<usize>,
}

impl CodeBook {
    /// The mean squared error a pixel of digits that are coded and decoded.
    fn error(&self, digits: &Array2<f64>, codes: &Array1<usize>) -> f64 {
        let decoded = self.prototypes.select(Axis(0), &codes.to_vec());
        (decoded - digits).mapv(|d| d * d).sum() / digits.len() as f64
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = datasets::folder() else {
        println!("skipped: set NPT_DATA to a folder with usps_train.gz");
        return Ok(());
    };
    let pixels = Digits::read(&folder.join("usps_train.gz"))?.pixels;
    let training = pixels.slice(s![..DIGITS, ..]).to_owned();
    let unseen = pixels.slice(s![DIGITS..2 * DIGITS, ..]).to_owned();

    println!(
        "prototypes  {:>22}  {:>22}  {:>22}",
        KINDS[0], KINDS[1], KINDS[2]
    );
    println!(
        "            {0:>22}  {0:>22}  {0:>22}",
        "training    unseen"
    );
    let mut shown = Vec::new();
    for size in SIZES {
        let books = code_books(size, &training, &unseen)?;
        print!("{size:>10}");
        for book in &books {
            let errors = [
                book.error(&training, &book.training),
                book.error(&unseen, &book.unseen),
            ];
            print!("  {:>12.3} {:>9.3}", errors[0], errors[1]);
        }
        println!();
        if size == SHOWN {
            shown = books.into_iter().map(|book| book.prototypes).collect();
        }
    }

    let path = Path::new("target/vector_quantisation.svg");
    std::fs::create_dir_all("target")?;
    let root = SVGBackend::new(path, (1130, 180)).into_drawing_area();
    draw(&root, &shown)?;
    root.present()?;
    println!("{}", path.display());
    Ok(())
}

/// One code book of each kind.
fn code_books(
    size: usize,
    training: &Array2<f64>,
    unseen: &Array2<f64>,
) -> Result<[CodeBook; 3], Box<dyn Error>> {
    let data = DatasetBase::from(training.clone());
    let means = KMeans::params(size).seed(1).fit(&data)?;
    let of_pixels = CodeBook {
        prototypes: means.centroids().to_owned(),
        training: means.predict(training),
        unseen: means.predict(unseen),
    };
    // The space has the first 200 components: clusters of digits need no more, and are found sooner.
    let kernel = KernelKMeans::params(size, Gaussian::new(1.0 / 128.0))
        .space(|space| space.rank(Rank::Components(200)).axes(Axes::Principal))
        .method(|means| means.seed(1));
    let by_pre_images = kernel.clone().pre_image(FixedPoint::new()).fit(&data)?;
    let by_digits = kernel.pre_image(NearestSample).fit(&data)?;
    let book = |prototypes: ArrayView2<'_, f64>| CodeBook {
        prototypes: prototypes.to_owned(),
        training: by_pre_images.predict(training),
        unseen: by_pre_images.predict(unseen),
    };
    let (pre_images, digits) = (
        book(by_pre_images.prototypes()),
        book(by_digits.prototypes()),
    );
    Ok([of_pixels, pre_images, digits])
}

/// Draws a row of prototypes for each kind.
fn draw(
    root: &DrawingArea<SVGBackend<'_>, Shift>,
    kinds: &[Array2<f64>],
) -> Result<(), Box<dyn Error>> {
    root.fill(&WHITE)?;
    let pixel = 3;
    for (row, (prototypes, name)) in (0..).zip(kinds.iter().zip(KINDS)) {
        let top = 10 + row * 56;
        let style = ("sans-serif", 15).into_font();
        root.draw(&Text::new(name, (10, top + 16), style))?;
        for (column, digit) in (0..).zip(prototypes.outer_iter()) {
            for (at, &grey) in (0_i32..).zip(&digit) {
                let level = (127.5 * (1.0 - grey))
                    .clamp(0.0, 255.0)
                    .to_u8()
                    .unwrap_or(0);
                let from = (
                    125 + column * 50 + pixel * (at % SIDE),
                    top + pixel * (at / SIDE),
                );
                let to = (from.0 + pixel, from.1 + pixel);
                let colour = RGBColor(level, level, level).filled();
                root.draw(&Rectangle::new([from, to], colour))?;
            }
        }
    }
    Ok(())
}
