#!/usr/bin/env bash
# No source file may be longer than 600 lines: past that it holds more than one idea.
# Tests do not count: files in tests/, benches/ and fuzz/, tests.rs, and the `mod tests` that
# closes a file. Tables of data do: none is that long. One that is has to be named here.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=600

# Prints the source files of a folder, each with its number of lines.
sources() {
    find "$1" -name '*.rs' -not -path '*/target/*' -not -path '*/tests/*' \
        -not -path '*/benches/*' -not -path '*/fuzz/*' -not -name tests.rs \
        -exec awk 'function close_file() { if (file) print (end ? end : lines), file }
                   FNR == 1 { close_file(); file = FILENAME; held = end = 0 }
                   { lines = FNR }
                   /^#\[cfg\(test\)\]/ { held = FNR; next }
                   held && held == FNR - 1 && !end && /^mod [a-z_]+ \{/ { end = held - 1 }
                   END { close_file() }' {} +
}

too_long() {
    awk -v limit=$limit '$1 > limit { print "size: " $2 " has " $1 " lines, the limit is " limit }'
}

# The check itself: of two files of logic one is too long, whatever its name, and tests do not count.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
lines() { for ((i = 0; i < $1; i++)); do echo "// $i"; done; }
lines $((limit + 1)) >"$planted/table.rs"
lines $((limit + 1)) >"$planted/tests.rs"
{ lines $limit && printf '#[cfg(test)]\nmod tests {\n' && lines 9; } >"$planted/data.rs"
found=$(sources "$planted" | too_long)
if [[ $found != "size: $planted/table.rs has $((limit + 1)) lines, the limit is $limit" ]]; then
    echo "size: the check does not work: ${found:-nothing} was found" >&2
    exit 1
fi

list=$(sources .)
found=$(too_long <<<"$list")
if [[ -n $found ]]; then
    echo "$found" >&2
    exit 1
fi
all=$(find . -name '*.rs' -not -path '*/target/*' | wc -l)
counted=$(wc -l <<<"$list")
echo "size: $counted files, none over $limit lines; $((all - counted)) files of tests, benches and fuzz targets are not counted"
