#!/usr/bin/env bash
# No source file may be longer than 600 lines: past that it holds more than one idea.
# Tests and data tables do not count: files in tests/, benches/ and fuzz/, tests.rs,
# the `mod tests` that closes a file, and files whose name ends in data.rs or table.rs.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=600
over=0
files=0
while IFS= read -r file; do
    files=$((files + 1))
    lines=$(awk '/^#\[cfg\(test\)\]/ { held = NR; next }
                 held && held == NR - 1 && /^mod [a-z_]+ \{/ { print held - 1; found = 1; exit }
                 END { if (!found) print NR }' "$file")
    if ((lines > limit)); then
        echo "size: $file has $lines lines, the limit is $limit" >&2
        over=$((over + 1))
    fi
done < <(find . -name '*.rs' \
    -not -path '*/target/*' -not -path '*/tests/*' -not -path '*/benches/*' \
    -not -path '*/fuzz/*' -not -name tests.rs -not -name '*data.rs' -not -name '*table.rs')

if ((over > 0)); then
    exit 1
fi
echo "size: $files files, none over $limit lines"
