//! The parameters that a search moves, and their bounds.

use crate::Error;
use npt_core::{Kernel, Parameter, ParameterError, ParameterValue, Samples, Scalar};
use rand::Rng;
use std::marker::PhantomData;

/// The factor by which a parameter may be less and more than at the start, if no bounds are given.
const RANGE: f64 = 1e5;

/// The least distance of a start from the bounds of a parameter, as a share of the distance of the bounds from each other: at
/// a bound itself nothing says where the parameter should go.
const INSIDE: f64 = 1e-3;

/// The name of σ² among the names of the kernel's parameters.
const NOISE: &str = "noise";

/// The settings of parameters, by their names.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Settings {
    /// Names with their bounds; of several bounds for one parameter the last count.
    pub(super) bounds: Vec<(String, f64, f64)>,
    pub(super) kept: Vec<String>,
}

/// The derivative by a variable, as far as it is known.
pub(super) enum Known<F> {
    /// The variable is σ².
    Noise,
    /// The variable is a number of the kernel, with this derivative.
    Derivative(F),
    /// The variable is a number of the kernel, whose derivative the kernel does not know.
    Nothing,
}

/// A number that is moved.
struct Variable {
    name: String,
    /// The place in the kernel; `None` for σ².
    place: Option<Place>,
    start: f64,
    bounds: [f64; 2],
    /// The middle of the logarithms of its bounds, and half of their distance.
    middle: f64,
    half: f64,
}

/// The place of a number in a kernel: the number at `position` of the parameter at `parameter`; among
/// the numbers of all parameters it is the one at `number`.
#[derive(Clone, Copy)]
struct Place {
    parameter: usize,
    position: usize,
    number: usize,
}

/// The numbers of a kernel, and σ², that are moved.
pub(super) struct Variables<'a, S, K> {
    kernel: &'a K,
    noise: f64,
    parameters: Vec<Parameter>,
    moved: Vec<Variable>,
    samples: PhantomData<fn(&S)>,
}

impl<'a, S: Samples, K: Kernel<S> + Clone> Variables<'a, S, K> {
    pub(super) fn new(kernel: &'a K, noise: f64, settings: &Settings) -> Result<Self, Error> {
        let mut this = Self {
            kernel,
            noise,
            parameters: kernel.parameters(),
            moved: Vec::new(),
            samples: PhantomData,
        };
        let mut names = Vec::new();
        for (parameter, Parameter { name, value }) in this.parameters.iter().enumerate() {
            for (position, &start) in value.reals().iter().enumerate() {
                let place = Place {
                    parameter,
                    position,
                    number: names.len(),
                };
                let name = match value {
                    ParameterValue::List(_) => format!("{name}[{position}]"),
                    _ if name == NOISE => format!("kernel.{NOISE}"),
                    _ => name.clone(),
                };
                names.push(name.clone());
                if start > 0.0 && !settings.keeps(&name) && this.can_move(place, start)? {
                    let variable = settings.variable::<K::Scalar>(name, Some(place), start)?;
                    this.moved.push(variable);
                }
            }
        }
        names.push(NOISE.to_owned());
        if !settings.keeps(NOISE) {
            let noise = settings.variable::<K::Scalar>(NOISE.to_owned(), None, noise)?;
            this.moved.push(noise);
        }
        this.check_names(settings, names)?;
        Ok(this)
    }

    /// Refuses settings of parameters that do not exist, and bounds of parameters that are not moved.
    fn check_names(&self, settings: &Settings, names: Vec<String>) -> Result<(), Error> {
        let moves = |name: &str| self.moved.iter().any(|v| is_of(name, &v.name));
        let is_there = |name: &str| names.iter().any(|other| is_of(name, other));
        let bounded = settings.bounds.iter().map(|(name, ..)| name);
        let mut wrong = bounded
            .filter(|name| !moves(name))
            .map(|name| (name, self.names()));
        if let Some((parameter, known)) = wrong.next() {
            return Err(Error::UnknownParameter {
                parameter: parameter.clone(),
                known,
            });
        }
        match settings.kept.iter().find(|name| !is_there(name)) {
            None => Ok(()),
            Some(parameter) => Err(Error::UnknownParameter {
                parameter: parameter.clone(),
                known: names,
            }),
        }
    }

    /// Returns whether the kernel takes other values near this one: a smoothness may be one of few.
    fn can_move(&self, place: Place, start: f64) -> Result<bool, Error> {
        let mut kernel = self.kernel.clone();
        let mut parameters = self.parameters.clone();
        let moved = start * (1.0 + f64::from(f32::EPSILON).sqrt());
        match set_number(&mut kernel, &mut parameters, place, moved) {
            Ok(()) => Ok(true),
            Err(ParameterError::Value { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.moved.iter().map(|v| v.name.clone()).collect()
    }

    /// Returns the derivatives by the variables, from the derivatives by all numbers of the kernel. A kernel that gives more or
    /// fewer derivatives than it has numbers is taken to know none.
    pub(super) fn known<F: Copy>(&self, of_kernel: Vec<Option<F>>) -> Vec<Known<F>> {
        let numbers: usize = self.parameters.iter().map(|p| p.value.reals().len()).sum();
        let of_kernel = if of_kernel.len() == numbers {
            of_kernel
        } else {
            vec![None; numbers]
        };
        let known = |variable: &Variable| match variable.place {
            None => Known::Noise,
            Some(place) => of_kernel[place.number].map_or(Known::Nothing, Known::Derivative),
        };
        self.moved.iter().map(known).collect()
    }

    /// The bounds of the variables.
    pub(super) fn bounds(&self) -> Vec<[f64; 2]> {
        self.moved.iter().map(|v| v.bounds).collect()
    }

    /// Returns the kernel and σ² as [`set`](Self::set) does, or `None` where the kernel does not take a value.
    pub(super) fn set_if_allowed(&self, values: &[f64]) -> Result<Option<(K, f64)>, Error> {
        match self.set(values) {
            Ok(set) => Ok(Some(set)),
            Err(Error::SetParameter(ParameterError::Value { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the kernel and σ² with these values of the variables.
    pub(super) fn set(&self, values: &[f64]) -> Result<(K, f64), Error> {
        let (mut kernel, mut noise) = (self.kernel.clone(), self.noise);
        let mut parameters = self.parameters.clone();
        for (variable, &value) in self.moved.iter().zip(values) {
            match variable.place {
                None => noise = value,
                Some(place) => set_number(&mut kernel, &mut parameters, place, value)?,
            }
        }
        Ok((kernel, noise))
    }

    /// Returns the values of the variables at the unbounded positions u: ln θ = c + h sin(u/h).
    pub(super) fn values(&self, unbounded: &[f64]) -> Vec<f64> {
        let pairs = self.moved.iter().zip(unbounded);
        let value = |(v, &u): (&Variable, &f64)| {
            let value = (v.middle + v.half * (u / v.half).sin()).exp();
            // The exponential may round to the other side of a bound.
            value.clamp(v.bounds[0], v.bounds[1])
        };
        pairs.map(value).collect()
    }

    /// Turns derivatives by ln θ into derivatives by u, in place.
    pub(super) fn unbound_derivatives(&self, unbounded: &[f64], derivatives: &mut [f64]) {
        for ((v, &u), derivative) in self.moved.iter().zip(unbounded).zip(derivatives) {
            *derivative *= (u / v.half).cos();
        }
    }

    /// Returns the given start, as u.
    pub(super) fn start(&self) -> Vec<f64> {
        let unbound = |v: &Variable| {
            let share = (v.start.ln() - v.middle) / v.half;
            let inside = 1.0 - 2.0 * INSIDE;
            v.half * share.clamp(-inside, inside).asin()
        };
        self.moved.iter().map(unbound).collect()
    }

    /// Draws another start.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> Vec<f64> {
        let variables = self.moved.iter();
        variables
            .map(|v| v.half * rng.gen_range(2.0 * INSIDE - 1.0..1.0 - 2.0 * INSIDE).asin())
            .collect()
    }
}

fn set_number<S: Samples, K: Kernel<S>>(
    kernel: &mut K,
    parameters: &mut [Parameter],
    place: Place,
    value: f64,
) -> Result<(), ParameterError> {
    let parameter = &mut parameters[place.parameter];
    match &mut parameter.value {
        ParameterValue::List(values) => values[place.position] = value,
        other => *other = value.into(),
    }
    kernel.set_parameter(&parameter.name, parameter.value.clone())
}

/// Returns whether `name` means `variable`: it is the name of the variable, or of the list that the variable is a number of.
fn is_of(name: &str, variable: &str) -> bool {
    let rest = variable.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

impl Settings {
    fn keeps(&self, variable: &str) -> bool {
        self.kept.iter().any(|name| is_of(name, variable))
    }

    fn variable<F: Scalar>(
        &self,
        name: String,
        place: Option<Place>,
        start: f64,
    ) -> Result<Variable, Error> {
        let given = self.bounds.iter().rev().find(|(of, ..)| is_of(of, &name));
        let largest = F::max_value().as_f64();
        let around = (start / RANGE, (start * RANGE).min(largest));
        let (low, high) = given.map_or(around, |&(_, low, high)| (low, high));
        let allowed = low > 0.0 && low < high && high.is_finite() && (low..=high).contains(&start);
        if !allowed {
            return Err(Error::Bounds {
                parameter: name,
                low,
                high,
                start,
            });
        }
        Ok(Variable {
            name,
            place,
            start,
            bounds: [low, high],
            middle: f64::midpoint(low.ln(), high.ln()),
            half: (high.ln() - low.ln()) / 2.0,
        })
    }
}
