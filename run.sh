#!/usr/bin/env bash
# Builds lanescope where needed and runs it.
#
#   ./run.sh                   opens the explorer
#   ./run.sh COMMAND ARGS...   runs a command without a window, e.g. ./run.sh check FILE.cu
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${LANESCOPE_BUILD_DIR:-$repository/build/default}/lanescope

nvrtc_found() {
    local folders=(/usr/local/cuda*/lib64 /usr/local/cuda*/targets/*/lib /usr/lib/*-linux-gnu)
    local variable
    for variable in "${CUDA_HOME:-}" "${CUDA_PATH:-}"; do
        [ -z "$variable" ] || folders+=("$variable/lib64" "$variable/lib")
    done
    IFS=: read -r -a searched <<< "${LD_LIBRARY_PATH:-}"
    folders+=("${searched[@]}")
    local folder
    for folder in "${folders[@]}"; do
        compgen -G "$folder/libnvrtc.so*" > /dev/null && return 0
    done
    /sbin/ldconfig -p 2> /dev/null | grep -q 'libnvrtc\.so'
}

offer_nvrtc() {
    cat >&2 <<'EOF'
NVRTC, the library that compiles CUDA, was not found. The catalogue, layouts and PTX files work without it;
compiling a changed kernel does not. Install the CUDA Toolkit, or Debian's own 11.8 (16 MB, section non-free) with:
EOF
    if apt-cache show libnvrtc11.2 > /dev/null 2>&1; then
        echo "  sudo apt-get install libnvrtc11.2" >&2
    elif [ -f /etc/apt/sources.list.d/debian.sources ]; then
        echo "  sudo sed -i '/^Components:/s/\$/ non-free/' /etc/apt/sources.list.d/debian.sources" >&2
        echo "  sudo apt-get update && sudo apt-get install libnvrtc11.2" >&2
    else
        echo "  sudo sed -i -E '/^deb .* main/s/\$/ non-free/' /etc/apt/sources.list" >&2
        echo "  sudo apt-get update && sudo apt-get install libnvrtc11.2" >&2
    fi
    echo >&2
}

"$repository/scripts/setup.sh"
"$repository/scripts/build.sh" lanescope

# A command's error stream stays the command's own unless a person is looking at it.
if { [ $# -eq 0 ] || [ -t 2 ]; } && ! nvrtc_found; then
    offer_nvrtc
fi

if [ $# -eq 0 ] && [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]; then
    cat <<'EOF'
lanescope is built. There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the explorer cannot open
its window. These commands need none:

  ./run.sh check FILE.cu                            every claim in the comments: holds, differs or unchecked
  ./run.sh render FILE.cu --view NAME -o out.svg    a view as a picture (SVG or PNG)
  ./run.sh run FILE.cu                              outputs, and counters per line
  ./run.sh annotate FILE.cu                         the assignment comments that the author did not write
  ./run.sh doctor                                   what this machine offers, what is missing and how to get it

All of them: ./run.sh --help
EOF
    exit 0
fi

exec "$program" "$@"
