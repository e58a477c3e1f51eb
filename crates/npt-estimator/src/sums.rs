//! Fits to samples that come in parts, on one machine or on many.

mod files;
mod fit;
mod hash;
mod parts;
mod running;
mod view;

use crate::{AnyKernel, Categories, Data, Error, Estimator, Label, Model, Targets};
use fit::{Fitting, FromSums};
use hash::Hash;
use ndarray::{Array1, Array2};
use npt_core::{AsSamples as _, KernelSpace as _, ParameterValue, Samples as _};
pub use parts::PartialSums;
use parts::Parts;
use running::{Running, Taken};
use view::View;

/// The number of rows of a block that are at once in memory as samples and as kernel values, beside the block.
const BLOCK: usize = 4096;

/// A fit whose samples come in parts. Only sums over them are kept: means and scatters of coordinates in a space of known landmarks.
///
/// | method | sums of |
/// |---|---|
/// | `ridge`, `pls` | coordinates and targets |
/// | `kpca` | coordinates |
/// | `kfd` | coordinates of each class |
/// | `cca` | coordinates of both views |
///
/// The model equals, to rounding, the model that all samples at once give in the same space, in whatever order and grouping they come.
/// Sums of other threads, processes and machines are [merged](Self::merge). All begin from the same sums without samples, which are kept
/// in files as models are. Each sends back a [part](Self::part), which does not contain the space. A part of another space, or of another
/// division into folds, is refused.
///
/// Several penalties of `ridge` are compared in the same pass over the samples. The values of a sample alone decide its fold, which is
/// therefore the same on every machine. The penalty with the smallest error on held-out folds is taken. There are then 5 folds, unless
/// [`folds`](Self::folds) says otherwise.
///
/// # Example
/// ```
/// use ndarray::{Array2, s};
/// use npt_estimator::{Data, Estimator};
///
/// let x = Array2::from_shape_fn((600, 1), |(i, _)| (i as f64 * 0.618).fract() * 6.0);
/// let waves = x.column(0).mapv(f64::sin);
/// let landmarks = Data::from(x.slice(s![..20, ..]).to_owned());
/// let begun = Estimator::new("ridge(penalty = [0.000001, 0.001, 1])", "gaussian(gamma = 0.5)")?.sums(&landmarks)?;
///
/// // Two machines, each with half of the samples.
/// let mut sums = [begun.clone(), begun];
/// for (sums, half) in sums.iter_mut().zip([s![..300, ..], s![300.., ..]]) {
///     let rows = x.slice(half).to_owned();
///     let waves = rows.column(0).mapv(f64::sin);
///     sums.add(&Data::from(rows), waves)?;
/// }
/// let [mut all, other] = sums;
/// all.merge(&other.part()?)?;
/// assert_eq!(all.count(), 600);
///
/// let model = all.fit()?;
/// let predictions = model.predict(&Data::from(x))?;
/// let apart = predictions.numbers().unwrap().column(0).to_owned() - &waves;
/// assert!(apart.iter().all(|d| d.abs() < 1e-3));
/// # Ok::<(), npt_estimator::Error>(())
/// ```
///
/// # References
/// C. K. I. Williams, M. Seeger, "Using the Nyström Method to Speed Up Kernel Machines", NIPS 2000; moments that merge: T. F. Chan,
/// G. H. Golub, R. J. LeVeque, The American Statistician 37(3), 1983. doi:10.1080/00031305.1983.10483115
#[derive(Debug, Clone)]
pub struct Sums {
    estimator: Estimator,
    first: View,
    /// The second view, if the method has two.
    second: Option<View>,
    folds: usize,
    /// A hash of the spaces, the method and the number of folds.
    fingerprint: u64,
    /// A label that was added; all labels are of its type.
    label: Option<Label>,
    /// Sums of blocks that were added here.
    running: Option<Running>,
    /// Moments of parts that were merged.
    merged: Option<Parts>,
}

impl Estimator {
    /// Begins a fit to samples that come in parts, in the space of these landmarks. The space `exact` takes all of them, `nystrom` some of
    /// them. Transformers are fitted to the landmarks.
    ///
    /// # Errors
    /// [`Error::Combination`] for a method that sums do not suffice for, or that has two views; otherwise the errors of a
    /// [`fit`](Self::fit) to the landmarks, without targets.
    pub fn sums(&self, landmarks: &Data) -> Result<Sums, Error> {
        Sums::new(self, landmarks, None)
    }

    /// Begins a fit of the method of two views, with landmarks of each.
    ///
    /// # Errors
    /// The errors of [`sums`](Self::sums), with [`Error::Combination`] for a method of one view.
    ///
    /// # Example
    /// ```
    /// use ndarray::Array2;
    /// use npt_estimator::{Data, Estimator};
    ///
    /// // A number, and its square.
    /// let numbers = Array2::from_shape_fn((100, 1), |(i, _)| (i as f64 * 0.618).fract() * 2.0 - 1.0);
    /// let squares = numbers.mapv(|v| v * v);
    /// let (numbers, squares) = (Data::from(numbers), Data::from(squares));
    /// let estimator = Estimator::new("cca(components = 1, second_kernel = \"linear\")", "gaussian(gamma = 1)")?;
    /// let mut sums = estimator.sums_of_views(&numbers, &squares)?;
    /// sums.add(&numbers, squares.clone())?;
    /// let model = sums.fit()?;
    /// let (first, second) = (model.transform(&numbers)?, model.transform_second(&squares)?);
    /// let correlation = (&first * &second).mean().unwrap() / (first.std(0.0) * second.std(0.0));
    /// assert!(correlation > 0.99);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn sums_of_views(&self, first: &Data, second: &Data) -> Result<Sums, Error> {
        Sums::new(self, first, Some(second))
    }
}

impl Sums {
    fn new(estimator: &Estimator, first: &Data, second: Option<&Data>) -> Result<Self, Error> {
        let from_sums = FromSums::of(estimator)?;
        let kernel = from_sums.second_kernel(estimator, second.is_some())?;
        let first = View::new(estimator, estimator.kernel(), first)?;
        let of_second = |(kernel, landmarks): (AnyKernel, &Data)| {
            landmarks.require_no_categories()?;
            View::new(estimator, &kernel, landmarks)
        };
        let second = kernel.zip(second).map(of_second).transpose()?;
        let folds = fit::default_folds(estimator);
        Self {
            estimator: estimator.clone(),
            first,
            second,
            folds,
            fingerprint: 0,
            label: None,
            running: None,
            merged: None,
        }
        .with_fingerprint()
    }

    /// Divides the samples into another number of folds.
    ///
    /// # Errors
    /// [`Error::Begun`] if samples were added; [`Error::Folds`] for 0 folds.
    pub fn folds(mut self, folds: usize) -> Result<Self, Error> {
        if self.running.is_some() || self.merged.is_some() {
            return Err(Error::Begun);
        }
        if folds == 0 {
            return Err(Error::Folds { folds });
        }
        self.folds = folds;
        self.with_fingerprint()
    }

    fn with_fingerprint(mut self) -> Result<Self, Error> {
        let mut hash = Hash::new();
        for view in std::iter::once(&self.first).chain(&self.second) {
            hash.add(&npt_model_file::to_bytes(view)?);
        }
        hash.add(self.estimator.method_name().as_bytes());
        hash.add(&[u8::from(fit::is_by_class(&self.estimator))]);
        hash.add(&(self.folds as u64).to_le_bytes());
        self.fingerprint = hash.finish();
        Ok(self)
    }

    /// The number that sums of the same spaces, the same method and the same division into folds have in common.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Returns sums without samples, in the same spaces and for the same folds. Another part begins from them.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator};
    ///
    /// let data = Data::from(array![[0.0], [1.0], [3.0]]);
    /// let mut sums = Estimator::new("ridge(penalty = 0.1)", "gaussian(gamma = 1)")?.sums(&data)?;
    /// sums.add(&data, vec![0.0, 1.0, 0.5])?;
    /// let anew = sums.anew();
    /// assert_eq!((sums.count(), anew.count()), (3, 0));
    /// assert_eq!(sums.fingerprint(), anew.fingerprint());
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn anew(&self) -> Self {
        Self {
            label: None,
            running: None,
            merged: None,
            ..self.clone()
        }
    }

    /// The estimator that is fitted.
    pub fn estimator(&self) -> &Estimator {
        &self.estimator
    }

    /// The names of the columns that the data must have, in their order; empty if the columns of the landmarks had no names.
    pub fn columns(&self) -> &[String] {
        self.first.columns()
    }

    /// The categories of the columns that have categories.
    pub fn categories(&self) -> &Categories {
        self.first.categories()
    }

    /// The number of samples so far.
    pub fn count(&self) -> usize {
        let running = self.running.as_ref().map_or(0, Running::count);
        running + self.merged.as_ref().map_or(0, Parts::count)
    }

    /// The rank of the space of the landmarks: the number of coordinates of a sample.
    pub fn rank(&self) -> usize {
        self.first.space().rank()
    }

    /// Adds samples with their targets, which are those that the method takes at a [`fit`](Estimator::fit). A block that is refused
    /// changes nothing.
    ///
    /// # Errors
    /// The errors of a fit; [`Error::Columns`] and [`Error::ColumnKind`] if the data do not fit the landmarks.
    pub fn add(&mut self, data: &Data, targets: impl Into<Targets>) -> Result<(), Error> {
        self.add_targets(data, targets.into())
    }

    fn add_targets(&mut self, data: &Data, targets: Targets) -> Result<(), Error> {
        if let Some(targets) = targets.len()
            && targets != data.len()
        {
            let samples = data.len();
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        if data.is_empty() {
            return Ok(());
        }
        let targets = self.as_numbers(data, targets)?;
        let mut running = match &self.running {
            Some(running) => running.clone(),
            None => Running::new(
                &self.first,
                &targets,
                self.folds,
                fit::is_by_class(&self.estimator),
            )?,
        };
        let mut failed = None;
        let visited = self
            .first
            .border(data)?
            .visit_blocks(BLOCK, &mut |_, first, samples| {
                let rows = first..first + samples.len();
                let weights = data.weights();
                let weights = if weights.is_empty() {
                    Array1::default(0)
                } else {
                    weights.slice(ndarray::s![rows.clone()]).to_owned()
                };
                let added = running.add(samples, &targets.rows(rows), &weights);
                added.map_err(|error| {
                    failed = Some(error);
                    npt_core::Error::NoSamples
                })
            });
        if let Some(error) = failed {
            return Err(error.into());
        }
        visited?;
        if let Taken::Labels(labels) = &targets {
            self.label = labels.first().cloned();
        }
        self.running = Some(running);
        Ok(())
    }

    /// Converts targets to those that moments take.
    fn as_numbers(&self, data: &Data, targets: Targets) -> Result<Taken, Error> {
        let method = self.estimator.method_of_list()?;
        method.check_targets(&targets)?;
        Ok(match targets {
            Targets::None => Taken::Numbers(Array2::zeros((data.len(), 0))),
            Targets::Labels(labels) => {
                self.require_type_of(&labels)?;
                Taken::Labels(labels.into())
            }
            Targets::Numbers(numbers) => Taken::Numbers(numbers),
            Targets::View(second) => {
                second.require_no_categories()?;
                let view = self.second.as_ref().ok_or(Error::OnlyRead)?;
                Taken::Numbers(view.space().coordinates(&view.border(&second)?)?)
            }
        })
    }

    /// Refuses labels of two types, and of another type than those that were added.
    fn require_type_of(&self, labels: &[Label]) -> Result<(), Error> {
        let kind = std::mem::discriminant::<Label>;
        let Some(one) = self.label.as_ref().or(labels.first()) else {
            return Ok(());
        };
        match labels.iter().find(|label| kind(label) != kind(one)) {
            Some(other) => Err(Error::MixedLabels {
                one: one.clone(),
                other: other.clone(),
            }),
            None => Ok(()),
        }
    }

    /// The sums so far, without the space.
    ///
    /// # Errors
    /// [`Error::Fit`] if the sums of kernel values are finite and those of coordinates are not.
    pub fn part(&self) -> Result<PartialSums, Error> {
        let of = |moments| PartialSums {
            fingerprint: self.fingerprint,
            moments,
        };
        let running = self.running.clone().map(Running::into_parts).transpose()?;
        let mut part = of(running);
        part.merge(&of(self.merged.clone()))?;
        Ok(part)
    }

    /// Adds the sums over other samples.
    ///
    /// # Errors
    /// [`Error::OtherSums`] for sums of another space, method or division into folds; [`Error::MixedLabels`] for labels of another type;
    /// [`Error::Fit`] for sums of other targets. Nothing is added then.
    pub fn merge(&mut self, part: &PartialSums) -> Result<(), Error> {
        let label = part.moments.as_ref().and_then(Parts::label);
        self.require_type_of(label.as_slice())?;
        let mut all = self.part()?;
        all.merge(part)?;
        if let Some(moments) = &all.moments {
            moments.check(self)?;
        }
        self.label = self.label.take().or(label);
        (self.running, self.merged) = (None, all.moments);
        Ok(())
    }

    /// Fits the model of all samples so far. More samples may follow.
    ///
    /// # Errors
    /// The errors of the method; [`Error::Fit`] without samples.
    pub fn fit(&self) -> Result<Model, Error> {
        self.fit_as(&self.estimator)
    }

    /// Fits with other values of the method's parameters than those that the sums began with: another penalty, more components.
    ///
    /// # Errors
    /// The errors of [`fit`](Self::fit); [`Error::Description`] for a parameter that the method does not have; [`Error::Combination`] for a
    /// parameter that the sums depend on.
    pub fn fit_with<N: AsRef<str>, V: Into<ParameterValue>>(
        &self,
        values: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Model, Error> {
        let mut estimator = self.estimator.clone();
        for (name, value) in values {
            let name = name.as_ref();
            if name.contains('.') || fit::OF_SUMS.contains(&name) {
                return Err(Error::Combination {
                    of: "a fit of these sums",
                    takes: "parameters that the sums do not depend on",
                    found: name.to_owned(),
                });
            }
            estimator = estimator.with(name, value)?;
        }
        self.fit_as(&estimator)
    }

    fn fit_as(&self, estimator: &Estimator) -> Result<Model, Error> {
        let count = self.count();
        let moments = self.part()?.moments.ok_or(npt_core::Error::NoSamples)?;
        let fitting = Fitting {
            estimator,
            sums: self,
            moments: &moments,
        };
        let (fitted, classes) = FromSums::of(estimator)?.fit(&fitting)?;
        Ok(self.first.model_of(estimator, fitted, classes, count))
    }
}
