//! A low-rank problem never holds a matrix of the size of the kernel matrix.

use npt::prelude::*;
use npt_testkit::data;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The only test of this file: others in the same process would count.
#[test]
fn low_rank_fits_in_little_memory() {
    let n = 4000;
    let x = data::normal(n, 2, 1);
    for axes in [Axes::Principal, Axes::Cholesky] {
        // Thread pools and the buffers of matrix products are allocated once, for any size.
        let few = data::normal(600, 2, 2);
        Exact::new(Gaussian::new(0.5))
            .axes(axes)
            .fit_space(&few)
            .unwrap();
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let space = Exact::new(Gaussian::new(0.5))
            .axes(axes)
            .fit_space(&x)
            .unwrap();
        let peak = ALLOCATOR.peak_usage() - before;
        let rank = space.rank();
        assert!((50..400).contains(&rank), "rank {rank}");
        // A quarter of the kernel matrix, of 128 million bytes.
        assert!(peak < n * n * 8 / 4, "{peak} bytes at rank {rank}");
    }
}
