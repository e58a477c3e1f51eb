# Recipes for those who have `just`; each is one cargo command.

# All tests, with doctests
test:
    cargo test --workspace

# What both linear algebras have to pass, on the second
test-linfa-linalg:
    cargo test -p npt-core --lib --no-default-features
    cargo test -p npt-tests --test seam --no-default-features

# Format and lint
lint:
    cargo fmt --all
    cargo clippy --workspace --all-targets -- -D warnings

# The documentation, as docs.rs would show it
doc:
    RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --open

# Time the hot paths; `python3 benches/peers/compare.py` and `benches/scale/scale.py` time whole methods beside scikit-learn
bench:
    cargo bench -p npt-benches --bench hot_paths

# Everything that has to hold before a change lands
ci:
    .ci/run
