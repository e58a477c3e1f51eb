//! Counts and means of classes, and the scatter within them.

mod adding;

use super::moments::{mean_of_functions, require_weight, scatter_of_functions};
use crate::{Error, error::require_finite};
use linfa::Label;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use std::collections::BTreeMap;

/// Moments of classes, of records that come in blocks: the number of rows of each class, their mean, and the scatter of all rows around the
/// mean of their class. A discriminant needs nothing else.
///
/// Moments are `f64`, whatever the type of the records. Blocks are added, and moments of other rows [merged](Self::merge), in any order and
/// grouping, with the same result up to rounding. A class may come first in any block. With sample weights, means and scatter are
/// weighted: a weight of 2 is a row twice.
///
/// [`with_class_scatters`](Self::with_class_scatters) keeps the scatter within each class as well, for a discriminant in which all classes
/// count equally ([`LdaParams::balanced`](crate::linear::LdaParams::balanced)).
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_methods::{linear::Lda, streaming::{ClassMoments, FitMoments}};
///
/// let first = Dataset::new(array![[0.0, 0.0], [4.0, 1.0]], array!["low", "high"]);
/// let second = Dataset::new(array![[4.0, 0.0], [0.0, 1.0]], array!["low", "high"]);
/// let mut moments = ClassMoments::new(2);
/// moments.add(&first)?;
/// moments.add(&second)?;
/// assert_eq!(moments.classes().collect::<Vec<_>>(), [&"high", &"low"]);
/// assert_eq!(moments.class_mean(&"high"), Some(array![2.0, 1.0].view()));
/// let off = &moments.within_scatter() - &array![[16.0, 0.0], [0.0, 0.0]];
/// assert!(off.iter().all(|d| d.abs() < 1e-13));
///
/// // S_W = diag(16, 0), S_B = diag(0, 1), μ = 2·tr(S_T)/4 = 8.5
/// let lda: Lda<f64, &str> = Lda::params().ridge(2.0).fit_moments(&moments)?;
/// assert!((lda.eigenvalues()[0] - 1.0_f64 / 8.5).abs() < 1e-14);
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClassMoments<L> {
    count: usize,
    classes: BTreeMap<L, ClassMean>,
    #[cfg_attr(feature = "serde", serde(with = "crate::streaming::packed"))]
    within: Array2<f64>,
    /// True if each class has a scatter of its own.
    by_class: bool,
    rounding: f64,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct ClassMean {
    count: usize,
    weight: f64,
    mean: Array1<f64>,
    #[cfg_attr(feature = "serde", serde(with = "crate::streaming::packed::option"))]
    scatter: Option<Array2<f64>>,
}

impl<L: Label> ClassMoments<L> {
    /// Begins moments of no rows, with `features` features.
    pub fn new(features: usize) -> Self {
        Self {
            count: 0,
            classes: BTreeMap::new(),
            within: Array2::zeros((features, features)),
            by_class: false,
            rounding: 0.0,
        }
    }

    /// Begins moments of no rows that keep the scatter within each class as well: features² numbers more per class.
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use ndarray::array;
    /// use npt_methods::{linear::Lda, streaming::{ClassMoments, FitMoments}};
    ///
    /// let block = Dataset::new(array![[0.0], [2.0], [5.0], [5.5], [6.0]], array![0, 0, 1, 1, 1]);
    /// let mut moments = ClassMoments::with_class_scatters(1);
    /// moments.add(&block)?;
    /// assert_eq!(moments.class_scatter(&0), Some(array![[2.0]].view()));
    ///
    /// // As much of either class: S_W = 5/4·2 + 5/6·½.
    /// let lda: Lda<f64, usize> = Lda::params().balanced(true).ridge(0.0).fit_moments(&moments)?;
    /// let distance = 5.5 - 1.0;
    /// let expected = 5.0 * distance * distance / 4.0 / (2.5 + 5.0 / 12.0);
    /// assert!((lda.eigenvalues()[0] - expected).abs() < 1e-12);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn with_class_scatters(features: usize) -> Self {
        Self {
            by_class: true,
            ..Self::new(features)
        }
    }

    /// Begins moments of no rows, with as many features.
    pub(super) fn anew(&self) -> Self {
        Self {
            by_class: self.by_class,
            ..Self::new(self.within.nrows())
        }
    }

    /// Returns the moments of linear functions Aᵀx + c of the records. Their scatter is known but for a share `rounding` of its largest
    /// eigenvalue.
    pub(super) fn of_functions(
        mut self,
        coefficients: ArrayView2<'_, f64>,
        offsets: ArrayView1<'_, f64>,
        rounding: f64,
    ) -> Result<Self, Error> {
        if !self.classes.is_empty() {
            self.rounding = self.rounding.max(rounding);
        }
        self.within = scatter_of_functions(self.within.view(), coefficients);
        // In place, as there may be a scatter for each class.
        for class in self.classes.values_mut() {
            class.mean = mean_of_functions(class.mean.view(), coefficients, offsets);
            if let Some(scatter) = &mut class.scatter {
                *scatter = scatter_of_functions(scatter.view(), coefficients);
            }
        }
        let of_classes = self.classes.values().flat_map(ClassMean::numbers);
        require_finite("ClassMoments", self.within.iter().chain(of_classes))?;
        Ok(self)
    }
}

impl<L: Ord> ClassMoments<L> {
    /// The number of rows of all classes, whatever their weights.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The sum of the sample weights; the number of rows where there are no weights.
    pub fn weight(&self) -> f64 {
        self.classes.values().map(|class| class.weight).sum()
    }

    /// Refuses moments of no rows, and moments whose rows all have weight 0.
    pub(crate) fn require_rows(&self) -> Result<(), Error> {
        require_weight(self.count, self.weight())
    }

    /// The classes so far, ascending.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = &L> {
        self.classes.keys()
    }

    /// Returns the classes, ascending, and the moments with the positions of the classes in the place of the classes.
    pub fn by_position(self) -> (Vec<L>, ClassMoments<usize>) {
        let (classes, means): (Vec<L>, Vec<ClassMean>) = self.classes.into_iter().unzip();
        let moments = ClassMoments {
            count: self.count,
            classes: means.into_iter().enumerate().collect(),
            within: self.within,
            by_class: self.by_class,
            rounding: self.rounding,
        };
        (classes, moments)
    }

    /// The number of rows of a class with a weight above 0; 0 for a class that there is not.
    pub fn class_count(&self, class: &L) -> usize {
        self.classes.get(class).map_or(0, |class| class.count)
    }

    /// The sum of the sample weights of a class, or its number of rows; 0 for a class that there is not.
    pub fn class_weight(&self, class: &L) -> f64 {
        self.classes.get(class).map_or(0.0, |class| class.weight)
    }

    /// The mean of a class, if there is one.
    pub fn class_mean(&self, class: &L) -> Option<ArrayView1<'_, f64>> {
        self.classes.get(class).map(|class| class.mean.view())
    }

    /// The share of the largest eigenvalue of the scatter that is rounding, as [`Moments::rounding`](super::Moments::rounding).
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The scatter Σ (xᵢ − m_c(i))(xᵢ − m_c(i))ᵀ with the means m_c of the classes, shape (features, features).
    pub fn within_scatter(&self) -> ArrayView2<'_, f64> {
        self.within.view()
    }

    /// Returns whether the moments have the scatter within each class.
    pub fn has_class_scatters(&self) -> bool {
        self.by_class
    }

    /// The scatter within a class, shape (features, features); `None` for a class that there is not, and for moments without these scatters.
    pub fn class_scatter(&self, class: &L) -> Option<ArrayView2<'_, f64>> {
        let class = self.classes.get(class)?;
        class.scatter.as_ref().map(Array2::view)
    }
}

impl ClassMean {
    fn numbers(&self) -> impl Iterator<Item = &f64> {
        let scatter = self.scatter.iter().flatten();
        self.mean.iter().chain([&self.weight]).chain(scatter)
    }
}

npt_core::checked! {
    ClassMoments<L> {
        count: usize,
        classes: BTreeMap<L, ClassMean>,
        #[serde(with = "crate::streaming::packed")]
        within: Array2<f64>,
        by_class: bool,
        rounding: f64,
    }
    where L: Ord
}

npt_core::checked! {
    ClassMean {
        count: usize,
        weight: f64,
        mean: Array1<f64>,
        #[serde(with = "crate::streaming::packed::option")]
        scatter: Option<Array2<f64>>,
    }
}

#[cfg(feature = "serde")]
impl<L: Ord> ClassMoments<L> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, counted, finite};
        let features = self.within.nrows();
        counted("rows", self.count)?;
        finite("the scatter", &self.within)?;
        super::moments::check_rounding(self.rounding)?;
        if self.by_class {
            self.check_sum()?;
        }
        self.classes.values().try_for_each(|class| {
            agree("means", class.mean.len(), "features", features)?;
            let scatters = usize::from(class.scatter.is_some());
            agree(
                "scatters of a class",
                scatters,
                "asked for",
                self.by_class.into(),
            )
        })
    }

    /// Checks that the scatter is the sum of the scatters within the classes, up to the rounding of many blocks and the rounding of moments of
    /// functions.
    fn check_sum(&self) -> Result<(), String> {
        let unknown = 2.0 * self.rounding * self.within.diag().sum();
        for (feature, &expected) in self.within.diag().iter().enumerate() {
            let of_class =
                |class: &ClassMean| class.scatter.as_ref()?.get((feature, feature)).copied();
            let sum: f64 = self.classes.values().filter_map(of_class).sum();
            if !((sum - expected).abs() <= 1e-6 * expected.abs() + unknown) {
                return Err(format!(
                    "the scatters within classes sum to {sum}, and the whole is {expected}"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
impl ClassMean {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, counted, finite, positive};
        counted("rows of a class", self.count)?;
        positive("the weight of a class", self.weight)?;
        finite("the means of a class", &self.mean)?;
        let Some(scatter) = &self.scatter else {
            return Ok(());
        };
        agree("rows of scatter", scatter.nrows(), "means", self.mean.len())?;
        finite("the scatter of a class", scatter)
    }
}
