#!/usr/bin/env bash
# Compiles every kernel of the catalogue with the NVRTC of this machine and stores the PTX beside it (needs a build).
#
# Usage: scripts/store-ptx.sh     (LANESCOPE_BUILD_DIR: the build folder, default build/default)
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$repository"
LANESCOPE_STORE_PTX=1 "${LANESCOPE_BUILD_DIR:-build/default}/tests/catalogue_test" \
    --gtest_filter='*Stored.IsWhatTheFreshCompileMakes*' --gtest_brief=1
