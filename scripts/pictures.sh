#!/usr/bin/env bash
# Draws the pictures of README.md and docs/ with the program itself; those named gpu_* are drawn by it, too, offscreen on
# a machine with a GPU (docs/gpu.md). No display needed: scripts/pictures.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program="${1:-build/default/lanescope}"
out=docs/pictures
mkdir -p "$out"
script="$(mktemp)"
trap 'rm -f "$script"' EXIT

window() { # window NAME KERNEL THEME SCRIPT-LINES
  printf '%s\nscreenshot %s/%s.png\nquit\n' "$4" "$out" "$1" >"$script"
  "$program" "assets/kernels/$2.cu" --offscreen --no-session --theme "$3" --script "$script"
}
window window half2_transposes dark $'wait'
window window_light shared_transpose_naive light $'wait'

window window_profile shared_transpose_naive dark $'wait\nset arrangement Profile\nline 28\nset what_if padding 32 1\nset heat shared_wavefronts\nwait\nframes 3'
window window_calculator array_of_structures light $'wait\nset arrangement Profile\ncommand panel.calculator\ncommand panel.divergence\nwait\nframes 3'

"$program" render assets/kernels/shared_transpose_naive.cu --view occupancy -o "$out/occupancy.png" --scale 1.5
"$program" render assets/kernels/array_of_structures.cu --view traffic -o "$out/traffic.png" --scale 1.5
"$program" render assets/kernels/half2_transposes.cu --view registers --warps 1 --family y --at 54 -o "$out/registers.png"
"$program" render assets/kernels/shared_transpose_naive.cu --view shared --at 28 -o "$out/shared.png" --scale 1.5
"$program" render assets/kernels/half2_transposes.cu --view assignment --at 54 -o "$out/assignment.svg"
