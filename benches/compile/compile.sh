#!/usr/bin/env bash
# How long a program takes to compile that fits, saves, loads and asks eight methods: by their types, and by name. Prints the seconds after an
# edit, with all dependencies compiled, and the size of the stripped program; then what the program prints, which has to be the same lines.
#
#     benches/compile/compile.sh            in target/compile of the repository
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${CARGO_TARGET_DIR:-$root/target}/compile
export CARGO_TARGET_DIR=$work/target
for program in typed by_name; do
  mkdir -p "$work/$program/src"
  cp "$here/$program.rs" "$work/$program/src/main.rs"
  cp "$root/Cargo.lock" "$work/$program/"
  cat >"$work/$program/Cargo.toml" <<TOML
[package]
name = "$program"
version = "0.1.0"
edition = "2024"
[dependencies]
npt = { path = "$root", features = ["estimator"] }
[workspace]
TOML
  (cd "$work/$program" && cargo build --quiet --release)
done
cd "$work"
for program in typed by_name; do
  touch "$program/src/main.rs"
  start=$(date +%s.%N)
  (cd "$program" && cargo build --quiet --release)
  end=$(date +%s.%N)
  strip -o "$program.stripped" "target/release/$program"
  printf '%-8s %6.1f s after an edit, %5.1f MB\n' "$program" "$(echo "$end - $start" | bc)" "$(echo "$(stat -c %s "$program.stripped") / 1000000" | bc -l)"
done
for program in typed by_name; do (cd "$work" && "target/release/$program" >"$program.out"); done
cmp typed.out by_name.out && cat by_name.out
