//! Descents of smooth functions by L-BFGS.

use argmin::{
    core::{CostFunction, Executor, Gradient},
    solver::{linesearch::MoreThuenteLineSearch, quasinewton::LBFGS},
};
use npt_core::watch::Progress;
use std::cell::RefCell;

/// The number of steps that L-BFGS remembers, each with its change of the gradient.
const MEMORY: usize = 10;

/// The most steps of one descent. What is left to descend then is small, and another descent may begin there.
const STEPS: u64 = 200;

/// The number of looks without a better point, after which a descent ends; the optimiser looks at each point twice.
/// A line search does not always see that only rounding is left.
const PATIENCE: usize = 60;

/// A point, the cost there and its gradient.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub(crate) position: Vec<f64>,
    pub(crate) cost: f64,
    pub(crate) gradient: Vec<f64>,
}

impl Point {
    /// The length of the gradient.
    pub(crate) fn slope(&self) -> f64 {
        self.gradient.iter().map(|d| d * d).sum::<f64>().sqrt()
    }
}

/// The limits at which a descent ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Descent {
    /// The slope at which it ends, of a cost that is scaled to a slope of at most 1 at the start.
    pub(crate) slope: f64,
    /// The change of the scaled cost in a step at which it ends.
    pub(crate) change: f64,
}

impl Descent {
    /// Descends from `start` and returns the best point that `look` finds, or the first error of `look`. The first step is no longer
    /// than 1, however steep the start.
    pub(crate) fn run<E>(
        self,
        start: Point,
        look: impl FnMut(&[f64]) -> Result<Point, E>,
    ) -> Result<Point, E> {
        let from = start.position.clone();
        let objective = Objective {
            scale: start.slope().max(1.0).recip(),
            seen: RefCell::new(Seen {
                look,
                last: start.clone(),
                best: start,
                looks: 0,
                in_vain: 0,
                progress: Progress::start("descent", None),
                failure: None,
            }),
        };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
            .with_tolerance_grad(self.slope)
            .and_then(|solver| solver.with_tolerance_cost(self.change));
        if let Ok(solver) = solver {
            // `Seen` holds the best point and the error, so that the result of the executor is not needed.
            let _ = Executor::new(&objective, solver)
                .configure(|state| state.param(from).max_iters(STEPS))
                .ctrlc(false)
                .run();
        }
        let seen = objective.seen.into_inner();
        seen.failure.map_or(Ok(seen.best), Err)
    }
}

/// Takes steps by the gradient alone, where rounding hides which of two costs is the smaller one. The cost is known to ε; so a
/// minimum is known to √ε by its cost, but to about ε by its gradient.
///
/// Each step is that of L-BFGS, with the curvature that the points of `path` show; the last point of `path` is the best. A step is
/// kept if it at least halves the slope, raises the cost by no more than `noise`, and is no longer than `longest`. Returns the last
/// point, or `None` if no step was kept.
pub(crate) fn settle<E>(
    mut path: Vec<Point>,
    (longest, noise): (f64, f64),
    mut look: impl FnMut(&[f64]) -> Result<Point, E>,
) -> Result<Option<Point>, E> {
    const SETTLING: usize = 4;
    let before = path.len();
    for _ in 0..SETTLING {
        let Some(at) = path.last() else { break };
        let step = quasi_newton_step(&path);
        let length = step.iter().map(|d| d * d).sum::<f64>().sqrt();
        // Negated, so that a length of NaN ends the loop, too.
        if !(length > 0.0 && length <= longest) {
            break;
        }
        let next: Vec<f64> = at.position.iter().zip(&step).map(|(x, d)| x + d).collect();
        let next = look(&next)?;
        if !(next.slope() <= at.slope() / 2.0 && next.cost <= at.cost + noise) {
            break;
        }
        path.push(next);
    }
    Ok(if path.len() > before {
        path.pop()
    } else {
        None
    })
}

/// The step −Hg at the last point, with H the inverse Hessian that BFGS makes of the steps between the last points. It is empty if
/// no step shows a positive curvature.
fn quasi_newton_step(path: &[Point]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x - y).collect::<Vec<f64>>();
    let recent = &path[path.len().saturating_sub(MEMORY + 1)..];
    let pairs = recent.windows(2).map(|pair| {
        let step = less(&pair[1].position, &pair[0].position);
        let change = less(&pair[1].gradient, &pair[0].gradient);
        let curvature = dot(&step, &change);
        (step, change, curvature)
    });
    let pairs: Vec<_> = pairs.filter(|(_, _, curvature)| *curvature > 0.0).collect();
    let Some((_, last, curvature)) = pairs.last() else {
        return Vec::new();
    };
    let mut direction: Vec<f64> = recent[recent.len() - 1]
        .gradient
        .iter()
        .map(|d| -d)
        .collect();
    let mut shares = Vec::with_capacity(pairs.len());
    for (step, change, curvature) in pairs.iter().rev() {
        let share = dot(step, &direction) / curvature;
        direction
            .iter_mut()
            .zip(change)
            .for_each(|(d, c)| *d -= share * c);
        shares.push(share);
    }
    let scale = curvature / dot(last, last);
    for d in &mut direction {
        *d *= scale;
    }
    for ((step, change, curvature), share) in pairs.iter().zip(shares.iter().rev()) {
        let rest = share - dot(change, &direction) / curvature;
        direction
            .iter_mut()
            .zip(step)
            .for_each(|(d, s)| *d += rest * s);
    }
    direction
}

/// The function as the optimiser sees it: multiplied by `scale`.
struct Objective<L, E> {
    scale: f64,
    seen: RefCell<Seen<L, E>>,
}

struct Seen<L, E> {
    look: L,
    /// The point looked at last: the optimiser asks for its cost and its gradient one after the other.
    last: Point,
    best: Point,
    looks: usize,
    /// The number of looks since the best point was found.
    in_vain: usize,
    progress: Progress,
    failure: Option<E>,
}

impl<L: FnMut(&[f64]) -> Result<Point, E>, E> Objective<L, E> {
    fn value<V>(
        &self,
        position: &[f64],
        value: impl Fn(&Point) -> V,
    ) -> Result<V, argmin::core::Error> {
        let seen = &mut *self.seen.borrow_mut();
        seen.in_vain += 1;
        seen.looks += 1;
        let finished = (seen.progress).should_finish(seen.looks, "the cost", seen.best.cost);
        if finished || seen.in_vain > PATIENCE || position.iter().any(|v| !v.is_finite()) {
            return Err(argmin::core::Error::msg("no way down"));
        }
        if seen.last.position != position {
            seen.last = (seen.look)(position).map_err(|error| {
                seen.failure = Some(error);
                argmin::core::Error::msg("no value")
            })?;
            if seen.last.cost < seen.best.cost {
                seen.best = seen.last.clone();
                seen.in_vain = 0;
            }
        }
        Ok(value(&seen.last))
    }
}

impl<L: FnMut(&[f64]) -> Result<Point, E>, E> CostFunction for &Objective<L, E> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, position: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        self.value(position, |point| point.cost * self.scale)
    }
}

impl<L: FnMut(&[f64]) -> Result<Point, E>, E> Gradient for &Objective<L, E> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, position: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        self.value(position, |point| {
            point.gradient.iter().map(|d| d * self.scale).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    const TIGHT: Descent = Descent {
        slope: 1e-10,
        change: 0.0,
    };

    fn rosenbrock(at: &[f64]) -> Point {
        let (a, b) = (1.0 - at[0], at[1] - at[0] * at[0]);
        Point {
            position: at.to_vec(),
            cost: a * a + 100.0 * b * b,
            gradient: vec![-2.0 * a - 400.0 * at[0] * b, 200.0 * b],
        }
    }

    #[test]
    fn finds_the_minimum_of_a_curved_valley() {
        let look = |at: &[f64]| Ok::<_, Infallible>(rosenbrock(at));
        let Ok(end) = TIGHT.run(rosenbrock(&[-1.2, 1.0]), look);
        assert!((end.position[0] - 1.0).abs() < 1e-8 && (end.position[1] - 1.0).abs() < 1e-8);
        assert!(end.slope() < 1e-6);
    }

    /// The minimum of 1 + x² + xy + 2y² + x³ is found to 10⁻¹⁰. By its cost, of which the 1 hides digits, it is known to 10⁻⁸ only.
    #[test]
    fn settles_by_the_gradient() {
        let bowl = |at: &[f64]| {
            let (x, y) = (at[0], at[1]);
            Ok::<_, Infallible>(Point {
                position: at.to_vec(),
                cost: 1.0 + x * x + x * y + 2.0 * y * y + x * x * x,
                gradient: vec![2.0 * x + y + 3.0 * x * x, x + 4.0 * y],
            })
        };
        let path = [[1e-4, -3e-5], [-4e-6, 5e-6], [3e-8, 1e-8]];
        let path: Vec<Point> = path.iter().flat_map(|at| bowl(at)).collect();
        let limits = (1e-3, 1e-14);
        let Ok(end) = settle(path.clone(), limits, bowl);
        let end = end.expect("there is a way");
        assert!(end.position.iter().all(|v| v.abs() < 1e-10), "{end:?}");
        // No step is kept where it is too long, and where the curvature is unknown, as from one point or none.
        assert_eq!(settle(path.clone(), (1e-12, 1e-14), bowl), Ok(None));
        assert_eq!(settle(path[..1].to_vec(), limits, bowl), Ok(None));
        assert_eq!(settle(Vec::new(), limits, bowl), Ok(None));
        // No step is kept to a point of a larger cost, although its gradient is 0, or to a point whose gradient is no smaller.
        let none = |at: &[f64]| {
            Ok::<_, Infallible>(Point {
                position: at.to_vec(),
                cost: 2.0,
                gradient: vec![0.0; 2],
            })
        };
        assert_eq!(settle(path.clone(), limits, none), Ok(None));
        let stays = path[2].clone();
        let stays = |_: &[f64]| Ok::<_, Infallible>(stays.clone());
        assert_eq!(settle(path, limits, stays), Ok(None));
    }

    /// A descent ends where noise hides every way down; the line search alone would look on and on.
    #[test]
    fn ends_in_noise() {
        let mut looks = 0_u32;
        let start = Point {
            position: vec![1.0],
            cost: 0.0,
            gradient: vec![1.0],
        };
        let end = TIGHT.run(start.clone(), |at| {
            looks += 1;
            Ok::<_, Infallible>(Point {
                position: at.to_vec(),
                cost: 1.0 + f64::from(looks % 3),
                gradient: vec![if looks.is_multiple_of(2) { 1.0 } else { -1.0 }],
            })
        });
        assert_eq!(end, Ok(start));
        assert!(looks as usize <= PATIENCE);
    }

    #[test]
    fn returns_the_first_error() {
        let mut looks = 0;
        let end = TIGHT.run(rosenbrock(&[-1.2, 1.0]), |at| {
            looks += 1;
            if looks < 3 {
                Ok(rosenbrock(at))
            } else {
                Err("third")
            }
        });
        assert_eq!((end, looks), (Err("third"), 3));
    }
}
