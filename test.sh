#!/usr/bin/env bash
# Builds everything, checks the format and runs all tests. Arguments go to ctest, e.g. ./test.sh -R layout
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

"$repository/scripts/setup.sh"
"$repository/scripts/setup.sh" --tests
"$repository/scripts/build.sh"
"$repository/scripts/lint.sh" --format-only

# Entries that pass are counted by the summary; the others are printed in full.
cd "${LANESCOPE_BUILD_DIR:-$repository/build/default}"
status=0
# Some tests wait: for a limit of time, a scheduler, a display. One more than there are processors uses that time.
ctest --parallel "$(($(nproc) + 1))" --output-on-failure "$@" |
    grep -v --line-buffered -E '^(Test project | *Start +[0-9]+: | *[0-9]+/[0-9]+ Test .* Passed +[0-9.]+ sec)' || status=$?

awk -f "$repository/scripts/test-summary.awk" Testing/Temporary/LastTest.log
exit "$status"
