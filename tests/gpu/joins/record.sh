#!/usr/bin/env bash
# Measures tests/data/sync on a GPU: joins.tsv (NAME<TAB>OUTCOME for each kernel of join_kernels.h, whose header explains the
# outcome), random_joins.txt (a hash of the results of each program of random_joins.h, or -) and mismatches.tsv (what
# programs without results do). Needs nvcc and ptxas of CUDA 13.0 and an sm_90 GPU; about five minutes.
#
#   tests/gpu/joins/record.sh FOLDER
#
# PASSES  how often joins.tsv is measured (3); FOLDER/unstable has the differences
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
output=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
joins=$repository/tests/kernels/emulator/joins
nvcc -O1 -std=c++20 -I"$repository" -o record "$repository/tests/gpu/joins/record.cpp" "$joins/join_kernels.cpp" \
    "$joins/random_joins.cpp" -lcuda
mkdir kernels
./record emit kernels
find kernels -name '*.ptx' -print0 | xargs -0 -P "$(nproc)" -I{} sh -c 'ptxas -arch=sm_90 {} -o $(dirname {})/$(basename {} .ptx).cubin'

export CUDA_DEVICE_MAX_CONNECTIONS=32 CUDA_MODULE_LOADING=EAGER
in_batches() { # SIZE FILE: kernels of a batch run side by side
    xargs -P 4 -n "$1" sh -c 'timeout -s KILL 15 ./record run kernels "$@" || true' batch >> "$2"
}
tab=$(printf '\t')
for pass in $(seq "${PASSES:-3}"); do
    awk -F'\t' '$2 == "beside" { print $1 }' kernels/names | in_batches 24 "pass$pass"
    awk -F'\t' '$2 == "alone" { print $1 }' kernels/names | in_batches 1 "pass$pass"
    # Once more alone: those beside a kernel that faulted.
    cut -f1 "pass$pass" | sort > have
    cut -f1 kernels/names | sort | comm -13 have - | in_batches 1 "pass$pass"
    sort -o "pass$pass" "pass$pass"
    cmp -s pass1 "pass$pass" || diff pass1 "pass$pass" >> "$output/unstable" || true
done
cut -f1,3 kernels/names | sort | join -t "$tab" - pass1 | sort -n | cut -f2- > "$output/joins.tsv"

seq 0 500 12999 | xargs -P 4 -I{} sh -c 'timeout -s KILL 30 ./record random kernels {} $(({} + 500)) > random.{} || true'
cat random.* | sort -n | cut -f1,2 > found
seq 0 12999 | awk -F'\t' 'NR == FNR { hash[$1] = $2; next } { print ($1 in hash) ? hash[$1] : "-" }' found - |
    paste -sd' ' | fold -s -w 126 | sed 's/ *$//' > "$output/random_joins.txt"
seq 0 170 3400 | xargs -P 4 -I{} sh -c 'timeout -s KILL 15 ./record mismatches kernels {} || true' | sort -n | uniq > "$output/mismatches.tsv"
