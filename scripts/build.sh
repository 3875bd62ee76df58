#!/usr/bin/env bash
# Configures and builds quietly: one line of progress on a terminal, the compiler's words only when something fails.
#
# Usage: scripts/build.sh [TARGET...]     (LANESCOPE_BUILD_DIR: the build folder, default build/default)
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${LANESCOPE_BUILD_DIR:-$repository/build/default}
mkdir -p "$build"
log=$build/build.log

progress=no
[ -t 2 ] && progress=yes
show() { [ "$progress" = no ] || printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$1" >&2; }

fail() {
    show ""
    # Without the steps that went well.
    grep -v -E '^(\[[0-9]+/[0-9]+\] |ninja: Entering directory|-- )' "$log" >&2 || true
    echo "$1; all of it is in $log" >&2
    exit 1
}

# Configuring again is cheap, and repairs a folder whose first attempt failed.
if [ ! -f "$build/build.ninja" ]; then
    [ "$progress" = yes ] || echo "Building lanescope; the first time takes some minutes." >&2
    show "Configuring"
    cmake -S "$repository" -B "$build" -G Ninja > "$log" 2>&1 || fail "Configuring failed"
fi

if ! ninja -C "$build" "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
    case $line in
        \[*/*\]*) show "Building ${line/ Building CXX object / }" ;;
    esac
done; then
    fail "The build failed"
fi
show ""
