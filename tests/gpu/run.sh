#!/usr/bin/env bash
# Builds and runs everything that needs a GPU, and writes what was measured to bench/results/gpu_*.json.
#
#   tests/gpu/run.sh                        all of it, two to three minutes on an H200
#   tests/gpu/run.sh --gtest_filter=...     a part of it
#
# LANESCOPE_GPU_TEST    a gpu_test that is already built
# LANESCOPE_GPU_TRIALS  random loads and stores in all (2000)
# LANESCOPE_GPU_SEED    of everything random
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${LANESCOPE_GPU_TEST:-}
if [ -z "$program" ]; then
    "$repository/scripts/setup.sh"
    "$repository/scripts/build.sh" gpu_test
    program=${LANESCOPE_BUILD_DIR:-$repository/build/default}/tests/gpu_test
fi
program=$(realpath "$program")

export LANESCOPE_GPU_RESULTS=${LANESCOPE_GPU_RESULTS:-$repository/bench/results}
export LANESCOPE_ASSETS=${LANESCOPE_ASSETS:-$repository/assets}
cd "$repository"
exec "$program" --gtest_brief=1 "$@"
