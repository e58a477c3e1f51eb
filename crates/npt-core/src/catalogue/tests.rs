//! Every kernel of every catalogue is read, printed and set (`entries`). A text that is no kernel is refused, with the place
//! of the fault (`texts`).

mod entries;
mod texts;

use super::{Catalogue, ReadyKernels};
use crate::Rows;

fn rows() -> Catalogue<Rows<f64>, f64> {
    Rows::ready_kernels()
}
