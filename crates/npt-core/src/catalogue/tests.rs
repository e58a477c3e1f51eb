//! Every kernel of every catalogue is read, printed and set (`entries`); what is no kernel is refused, and where (`texts`).

mod entries;
mod texts;

use super::{Catalogue, ReadyKernels};
use crate::Rows;

fn rows() -> Catalogue<Rows<f64>, f64> {
    Rows::ready_kernels()
}
