#!/bin/sh
# Fuzzes a line of input with a stable toolchain.
# Usage: uci/fuzz/run.sh [seconds]     (default 60)
# New inputs go to uci/fuzz/target/corpus, crashes to uci/fuzz/artifacts; the committed corpus is
# only read. A crash worth keeping belongs into corpus/line, where a plain test replays it.
set -eu
cd "$(dirname "$0")"
# The coverage instrumentation of libFuzzer, without nightly options.
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
export RUSTFLAGS
# Naming the target keeps the flags away from build scripts, which would not link with them.
host=$(rustc -vV | sed -n 's/^host: //p')
cargo build --release --target "$host" --bin line
mkdir -p target/corpus artifacts
"${CARGO_TARGET_DIR:-target}/$host/release/line" -dict=line.dict -max_len=512 -timeout=10 \
    -max_total_time="${1:-60}" -artifact_prefix=artifacts/ -print_final_stats=1 \
    target/corpus corpus/line
