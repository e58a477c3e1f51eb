//! Tests of the fuzz targets, on seeds and on data sets that proptest finds.

mod properties;
mod seeds;
