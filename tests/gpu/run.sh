#!/usr/bin/env bash
# Builds and runs everything that needs a GPU, and writes what was measured to bench/results/gpu_*.json.
#
#   tests/gpu/run.sh                        all of it, about ten minutes on an H200
#   tests/gpu/run.sh --gtest_filter=...     a part of it
#
# LANESCOPE_GPU_TEST    a gpu_test that is already built
# LANESCOPE_GPU_TRIALS  random loads and stores in all (2000)
# LANESCOPE_GPU_SEED    of everything random
# LANESCOPE_RMSE_BASELINE  a rmse_baseline that is already built; else nvcc builds it, where there is one
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

# A library's sum beside ours: the only part that needs a host compiler for CUDA.
if [ -z "${LANESCOPE_RMSE_BASELINE:-}" ] && [[ -z "$*" || "$*" == *References* ]]; then
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    if "$nvcc" -O3 -std=c++17 -arch=native -o "$scratch/rmse_baseline" tests/gpu/rmse_baseline.cu; then
        export LANESCOPE_RMSE_BASELINE=$scratch/rmse_baseline
    else
        echo "tests/gpu/run.sh: no nvcc, or it does not build tests/gpu/rmse_baseline.cu; the library is left out" >&2
    fi
fi
if [ $# -gt 0 ]; then
    "$program" --gtest_brief=1 "$@"
    exit
fi
# The window is drawn by the same GPU. On an H200 (driver 580) its OpenGL context met MMU faults of its own (Xid 31) while
# counters were read, once a hundred kernels had faulted before; so it comes first.
status=0
"$program" --gtest_brief=1 --gtest_filter='LiveWindow*' || status=1
"$program" --gtest_brief=1 --gtest_filter='-LiveWindow*' || status=1
exit $status
