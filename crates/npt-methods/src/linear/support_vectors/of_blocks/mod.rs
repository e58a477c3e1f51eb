//! Support vector classifiers of samples that come in blocks, and come again for each pass.

mod machine;
mod multiclass;
mod places;
mod svc;

use super::{
    plane::Plane,
    solver,
    svc::{Svc, SvcValidParams},
};
use crate::{
    Error,
    error::require_finite,
    streaming::{Classes, Passes, classes_of, members},
    weights::Weights,
};
use linfa::{
    DatasetBase, Float as _, Label,
    dataset::{AsSingleTargets, Records},
};
use machine::{Here, Look, Machine};
use ndarray::{Array1, Array2, Axis};
use npt_core::{
    AsSamples, Fitted, KernelSpace, Samples, Scalar, require_memory,
    watch::{Carrier, Progress},
};
use rand::{SeedableRng, seq::index};
use rand_xoshiro::Xoshiro256Plus;
use rayon::prelude::*;
use std::{cell::Cell, sync::Arc};

/// The number of coordinates of samples that all machines hold: 128 MB of them.
const NUMBERS: usize = 1 << 24;

/// The number of samples per coordinate that a machine holds, if several machines share the coordinates. Half as many are left
/// when samples are let go; even then the solver takes interior point steps, for which all penalties are easy.
const SAMPLES_AN_AXIS: usize = 16;

/// The number of passes that are allowed.
const PASSES: usize = 1000;

/// 1/φ: the fractional parts of its multiples fall evenly between 0 and 1.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// The machines of the samples of blocks.
struct OfBlocks<'a, P: KernelSpace, L, N> {
    space: &'a Fitted<P>,
    passes: Passes<'a, P::Samples, P::Scalar, N>,
    classes: Vec<L>,
    /// The number of samples with positive weight in each class; `class_weights` has their total weights.
    counts: Vec<usize>,
    class_weights: Vec<f64>,
    /// The point from which functions take coordinates.
    origin: Array1<f64>,
    /// The number of coordinates that may be held.
    numbers: usize,
}

impl<'a, P, L, N, I, R, T, E> OfBlocks<'a, P, L, N>
where
    P: KernelSpace,
    L: Label,
    N: FnMut() -> Result<I, E>,
    I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
    R: Records + AsSamples<Samples = P::Samples>,
    T: AsSingleTargets<Elem = L>,
    E: From<Error>,
{
    /// Begins with a pass that looks at the labels.
    fn new(of: &'static str, space: &'a Fitted<P>, pass: N, numbers: usize) -> Result<Self, E> {
        let mut passes = Passes::of(of, space.space(), pass)?.with_weights();
        let Classes {
            labels,
            counts,
            weights,
        } = classes_of(&mut passes)?;
        if space.rank() == 0 {
            let samples = passes.samples().unwrap_or_default();
            return Err(Error::from(npt_core::Error::NoFeatures { samples }).into());
        }
        let some = space.training_coordinates().mapv(Scalar::as_f64);
        Ok(Self {
            origin: some.sum_axis(Axis(0)) / some.nrows() as f64,
            space,
            passes,
            classes: labels,
            counts,
            class_weights: weights,
            numbers,
        })
    }

    fn samples(&self) -> usize {
        self.passes.samples().unwrap_or_default()
    }

    /// Finds classifiers with signs of the classes, 0 for classes that they are not about; with β of all samples, or without any.
    fn classifiers(
        &mut self,
        of: &[(SvcValidParams, Vec<f64>)],
        with_dual: bool,
    ) -> Result<Vec<Svc<P::Scalar>>, E> {
        let (samples, rank) = (self.samples(), self.space.rank());
        let enough = SAMPLES_AN_AXIS * (rank + 1);
        let at_a_time = (self.numbers / (enough * rank)).clamp(1, of.len());
        // A machine may need one sample more than there are coordinates.
        let most = (self.numbers / (at_a_time * rank))
            .max(2 * (rank + 1))
            .min(samples);
        // There are half as many again while some samples are exchanged.
        let rows = at_a_time * (most + most / 2);
        require_memory::<f64>("the samples near the margin", rows, rank).map_err(Error::from)?;
        require_memory::<u8>("the places of samples", at_a_time, samples).map_err(Error::from)?;
        let mut all = Vec::with_capacity(of.len());
        for of in of.chunks(at_a_time) {
            let machine = |(params, signs): &(SvcValidParams, Vec<f64>)| {
                let of_classes = (self.counts.as_slice(), self.class_weights.as_slice());
                Machine::new(
                    params.clone(),
                    signs.clone(),
                    samples,
                    of_classes,
                    rank,
                    most,
                )
            };
            let mut machines: Vec<Machine> = of.iter().map(machine).collect();
            self.separate(&mut machines, most)?;
            for machine in machines {
                all.push(self.classifier(&machine, with_dual)?);
            }
        }
        Ok(all)
    }

    fn classifier(&self, machine: &Machine, with_dual: bool) -> Result<Svc<P::Scalar>, Error> {
        let weights = machine.weights().to_owned();
        let shift = weights.dot(&self.origin);
        let bias = machine.bias() - shift;
        // Values that the model has at its own samples must be finite, as for samples in memory.
        let largest = P::Scalar::cast(machine.largest_value() + shift.abs() + bias.abs());
        require_finite("Svc", [&largest].into_iter())?;
        let dual = if with_dual {
            machine.dual()
        } else {
            Array1::zeros(0)
        };
        let plane = Plane::of_values("Svc", &dual, &weights, bias)?;
        Ok(Svc { plane })
    }

    fn separate(&mut self, machines: &mut [Machine], most: usize) -> Result<(), E> {
        let samples = self.samples();
        self.hold_some(machines, most)?;
        if most == samples {
            each::<P::Scalar, _>(machines.par_iter_mut(), Machine::solve_all)?;
            return Ok(());
        }
        let share = samples as f64 / most as f64;
        each::<P::Scalar, _>(machines.par_iter_mut(), |machine| machine.solve_some(share))?;
        let mut open: Vec<&mut Machine> = machines.iter_mut().collect();
        let mut look = Look::First;
        let violation = |open: &[&mut Machine]| {
            let violations = open.iter().map(|machine| machine.violation());
            violations.fold(0.0, f64::max)
        };
        let mut progress = Progress::start("samples near the margin", None);
        for number in 0..PASSES {
            self.look(look, &mut open, number)?;
            open.retain(|machine| !machine.is_done());
            let passes = number + 1;
            let finished =
                progress.should_finish(passes, "the violation of optimality", violation(&open));
            if finished || open.is_empty() {
                return Ok(());
            }
            each::<P::Scalar, _>(open.par_iter_mut(), |machine| machine.solve_held())?;
            look = Look::Next;
        }
        Err(Error::NotConverged {
            method: "Svc",
            measure: "the violation of optimality",
            value: violation(&open),
        }
        .into())
    }

    /// Lets all machines hold `most` random samples, less those of weight 0, and tells them the weights of all samples.
    fn hold_some(&mut self, machines: &mut [Machine], most: usize) -> Result<(), E> {
        let mut rng = Xoshiro256Plus::seed_from_u64(0);
        let mut chosen = index::sample(&mut rng, self.samples(), most).into_vec();
        chosen.sort_unstable();
        let (mut chosen, mut first) = (chosen.as_slice(), 0);
        let (space, classes, origin) = (self.space.space(), &self.classes, &self.origin);
        let mut weights: Vec<f32> = Vec::new();
        self.passes.for_each_block(|block| {
            let of_block = Weights::of_block(block)?;
            let members = members(block, classes, &of_block)?;
            let end = first + members.len();
            if of_block.given().is_some() && weights.is_empty() {
                weights.resize(first, 1.0);
            }
            if of_block.given().is_some() || !weights.is_empty() {
                weights.extend(block.weights.iter());
                weights.resize(end, 1.0);
            }
            let (here, later) = chosen.split_at(chosen.partition_point(|&sample| sample < end));
            let of_all = of_block.of_all();
            let rows = here.iter().map(|sample| sample - first);
            let rows: Vec<usize> = rows.filter(|&row| of_all[row] > 0.0).collect();
            if !rows.is_empty() {
                let x = block.records.as_samples()?;
                let y = coordinates(space, &x, &rows, origin)?;
                for (&row, y) in rows.iter().zip(y.outer_iter()) {
                    for machine in machines.iter_mut().filter(|m| m.is_about(members[row])) {
                        machine.hold(first + row, members[row], y);
                    }
                }
            }
            (chosen, first) = (later, end);
            Ok(())
        })?;
        if !weights.is_empty() {
            let weights: Arc<[f32]> = weights.into();
            for machine in machines {
                machine.weigh(&weights);
            }
        }
        Ok(())
    }

    /// Makes a pass over all samples.
    fn look(&mut self, look: Look, machines: &mut [&mut Machine], number: usize) -> Result<(), E> {
        for machine in &mut *machines {
            machine.begin_pass();
        }
        let (space, classes, origin) = (self.space.space(), &self.classes, &self.origin);
        let (weights, biases) = functions(machines, origin);
        let first = Cell::new(0);
        let mut new: Vec<New> = Vec::new();
        let of_machines = &*machines;
        let sums = self.passes.sum_and(
            (weights.view(), biases.view()),
            |block| {
                let members = members(block, classes, &Weights::of_block(block)?)?;
                let start = first.replace(first.get() + members.len());
                Ok((start, members))
            },
            |(first, members), rows, values| {
                let here = Here {
                    look,
                    first: first + rows.start,
                    chance: ((first + rows.start + number) as f64 * GOLDEN).fract(),
                    classes: &members[rows],
                };
                let mut u = Array2::zeros(values.dim());
                for (k, machine) in of_machines.iter().enumerate() {
                    machine.look(&here, values.column(k), u.column_mut(k));
                }
                u
            },
            |x, (first, members)| {
                let waited_for = |row: &usize| of_machines.iter().any(|m| m.waits_for(first + row));
                let rows: Vec<usize> = (0..members.len()).filter(waited_for).collect();
                if !rows.is_empty() {
                    let y = coordinates(space, x, &rows, origin)?;
                    let samples = rows
                        .into_iter()
                        .map(|row| (first + row, members[row]))
                        .collect();
                    new.push(New { samples, y });
                }
                Ok(())
            },
        )?;
        for New { samples, y } in new {
            for (&(sample, class), y) in samples.iter().zip(y.outer_iter()) {
                for machine in machines.iter_mut().filter(|m| m.waits_for(sample)) {
                    machine.hold(sample, class, y);
                }
            }
        }
        for (k, machine) in machines.iter_mut().enumerate() {
            let of_ones = sums.of_ones[k];
            let of_coordinates = &sums.of_coordinates.column(k) - &(origin * of_ones);
            machine.end_pass(look, (of_coordinates, of_ones));
        }
        Ok(())
    }
}

/// Samples that some machines are to hold, with the positions of their classes and their coordinates from the origin.
struct New {
    samples: Vec<(usize, usize)>,
    y: Array2<f64>,
}

/// Returns the coordinates of some rows, relative to the origin.
fn coordinates<P: KernelSpace>(
    space: &P,
    x: &P::Samples,
    rows: &[usize],
    origin: &Array1<f64>,
) -> Result<Array2<f64>, Error> {
    let y = space.coordinates(&x.select(rows));
    let y = y.map_err(|error| error.with_row(|row| rows[row]))?;
    Ok(y.mapv(Scalar::as_f64) - origin)
}

/// Returns the functions of machines for coordinates that are not relative to the origin: weights, one column each, and biases.
fn functions(machines: &[&mut Machine], origin: &Array1<f64>) -> (Array2<f64>, Array1<f64>) {
    let mut weights = Array2::zeros((origin.len(), machines.len()));
    let columns = weights.columns_mut().into_iter().zip(machines);
    columns.for_each(|(mut column, machine)| column.assign(&machine.weights()));
    let biases = machines
        .iter()
        .map(|machine| machine.bias() - machine.weights().dot(origin));
    let biases = biases.collect();
    (weights, biases)
}

#[cfg(test)]
mod tests;

/// Calls `work` for each of the machines, on all threads, until one fails; `F` is the type of the coordinates.
fn each<F: Scalar, M: Send>(
    machines: impl IndexedParallelIterator<Item = M>,
    work: impl Fn(M) -> Result<(), Error> + Sync + Send,
) -> Result<(), Error> {
    let carrier = Carrier::new();
    let worked = machines.try_for_each(|machine| carrier.over(|| work(machine)));
    worked.map_err(solver::in_units::<F>(1.0))
}
