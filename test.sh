#!/usr/bin/env bash
# Builds everything and runs all tests. Arguments go to ctest, e.g. ./test.sh -R layout
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

"$repository/scripts/setup.sh"
"$repository/scripts/build.sh"

# Tests that pass are counted by the summary; the others are printed in full.
cd "${LANESCOPE_BUILD_DIR:-$repository/build/default}"
ctest --parallel "$(nproc)" --output-on-failure "$@" |
    grep -v --line-buffered -E '^(Test project | *Start +[0-9]+: | *[0-9]+/[0-9]+ Test .* Passed +[0-9.]+ sec)'
