#!/usr/bin/env bash
# How large the sources are, against limits that only fall: lines and files of Rust in all, lines of
# engine/src, and of each file. Tests have files of any length: those in tests/, benches/ and fuzz/,
# tests.rs, and the `mod tests` that closes a file; so has the table of weights that tamarin-train
# writes. Prints the seconds of the last tests, too.
set -euo pipefail
cd "$(dirname "$0")/.."

total_limit=144999
files_limit=812
engine_limit=6653
file_limit=500

# What Git would commit; all that is there where the sources are no checkout.
mapfile -t all < <(git ls-files --cached --others --exclude-standard -- '*.rs' 2>/dev/null |
    while read -r file; do [ -e "$file" ] && echo "$file"; done)
[ "${#all[@]}" != 0 ] || mapfile -t all < <(find . -name '*.rs' -not -path '*/target/*' -printf '%P\n')
lines() { cat -- "$@" | wc -l; }
mapfile -t engine < <(printf '%s\n' "${all[@]}" | grep '^engine/src/')
mapfile -t sources < <(printf '%s\n' "${all[@]}" |
    grep -vE '(^|/)(tests|benches)/|^fuzz/|(^|/)tests\.rs$|^eval/src/weights/values\.rs$')

failed=0
# check WHAT NUMBER LIMIT
check() {
    printf 'size: %s: %d, the limit is %d\n' "$1" "$2" "$3"
    [ "$2" -le "$3" ] || failed=1
}
check "lines of Rust" "$(lines "${all[@]}")" "$total_limit"
check "files of Rust" "${#all[@]}" "$files_limit"
check "lines of engine/src" "$(lines "${engine[@]}")" "$engine_limit"
while read -r count file; do
    [ "$count" -le "$file_limit" ] || check "$file" "$count" "$file_limit"
done < <(awk 'function close_file() { if (file) print (end ? end : lines), file }
              FNR == 1 { close_file(); file = FILENAME; held = end = 0 }
              { lines = FNR }
              /^#\[cfg\(test\)\]/ { held = FNR; next }
              held && held == FNR - 1 && !end && /^mod [a-z_]+ \{/ { end = held - 1 }
              END { close_file() }' "${sources[@]}")

cat "${CARGO_TARGET_DIR:-target}/test-seconds" 2>/dev/null || true
[ "$failed" = 0 ] || echo "size: above a limit of .ci/size.sh" >&2
exit "$failed"
