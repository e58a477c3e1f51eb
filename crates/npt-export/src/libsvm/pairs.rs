//! The coefficients of all pairs of classes as LIBSVM keeps them: a vector belongs to a class, and has a coefficient for each
//! other class.

use ndarray::{Array2, ArrayView1};

/// The pairs a < b of `count` classes, in LIBSVM's order, which is also ours.
pub(crate) fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

/// Returns the number of pairs; `None` if no number holds it.
pub(crate) fn pair_count(classes: usize) -> Option<usize> {
    Some(classes.checked_mul(classes.checked_sub(1)?)? / 2)
}

/// The place of the pair a < b in that order.
pub(super) fn place(a: usize, b: usize, classes: usize) -> usize {
    a * (2 * classes - a - 1) / 2 + (b - a - 1)
}

/// A vector of a class: its sample, and its coefficients for the other classes, in their order.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) sample: usize,
    pub(super) coefficients: Vec<f64>,
}

/// Sorts the samples into the vectors of each class, by their coefficients for all pairs. A sample with coefficients in pairs that have no
/// class in common is a vector of several classes; a model made from coordinates may have such samples.
pub(super) fn of_classes(coefficients: &Array2<f64>, classes: usize) -> Vec<Vec<Line>> {
    let mut of_classes: Vec<Vec<Line>> = (0..classes).map(|_| Vec::new()).collect();
    for (sample, row) in coefficients.outer_iter().enumerate() {
        let mut left = row.to_owned();
        while let Some(class) = class_of(left.view(), classes) {
            let others = (0..classes).filter(|&other| other != class);
            let own = others.map(|other| {
                let place = place(class.min(other), class.max(other), classes);
                std::mem::take(&mut left[place])
            });
            let coefficients = own.collect();
            of_classes[class].push(Line {
                sample,
                coefficients,
            });
        }
    }
    of_classes
}

/// Returns the class in whose pairs a sample has most coefficients; among several, the one with most of them on its side; `None` if all are 0.
fn class_of(row: ArrayView1<'_, f64>, classes: usize) -> Option<usize> {
    let mut counts = vec![(0_usize, 0_usize); classes];
    for ((a, b), &value) in pairs(classes).zip(row).filter(|(_, value)| **value != 0.0) {
        counts[a].0 += 1;
        counts[b].0 += 1;
        counts[if value > 0.0 { a } else { b }].1 += 1;
    }
    let most = counts.iter().max().filter(|most| most.0 > 0)?;
    counts.iter().position(|count| count == most)
}

/// Writes a vector's coefficients for all pairs, from its class and its coefficients for the other classes.
pub(super) fn of_pairs(
    class: usize,
    own: &[f64],
    classes: usize,
    mut pairs: ndarray::ArrayViewMut1<'_, f64>,
) {
    let others = (0..classes).filter(|&other| other != class);
    for (other, &value) in others.zip(own) {
        pairs[place(class.min(other), class.max(other), classes)] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn pairs_are_at_their_places() {
        for classes in 0..6 {
            for (expected, (a, b)) in pairs(classes).enumerate() {
                assert_eq!(place(a, b, classes), expected);
            }
            assert_eq!(pair_count(classes).unwrap_or(0), pairs(classes).count());
        }
        assert_eq!(pair_count(usize::MAX), None);
    }

    #[test]
    fn coefficients_come_back_from_the_lines_of_classes() {
        // Coefficients for the pairs (0, 1), (0, 2), (1, 2). The vectors are of class 0, of class 2 by its sign, of no class, and of several.
        let all = array![
            [0.5, 1.0, 0.0],
            [0.0, 0.0, -2.0],
            [0.0, 0.0, 0.0],
            [1.0, 2.0, 3.0]
        ];
        let lines = of_classes(&all, 3);
        let counts: Vec<usize> = lines.iter().map(Vec::len).collect();
        assert_eq!(counts, [2, 1, 1]);
        assert_eq!(lines[0][0].coefficients, [0.5, 1.0]);
        assert_eq!(lines[2][0].coefficients, [0.0, -2.0]);
        let mut again = Array2::zeros(all.dim());
        for (class, lines) in lines.iter().enumerate() {
            for line in lines {
                let mut of_line = Array2::zeros((1, 3));
                of_pairs(class, &line.coefficients, 3, of_line.row_mut(0));
                let mut row = again.row_mut(line.sample);
                row += &of_line.row(0);
            }
        }
        assert_eq!(again, all);
    }
}
