#!/usr/bin/env bash
# Checks the format of all tracked C++ files, then runs clang-tidy over those that the build compiles.
#
# Usage: scripts/lint.sh [--format-only] [--fix-format] [FILE...]     (needs clang-format and clang-tidy)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${LANESCOPE_BUILD_DIR:-build/default}

tidy=yes
format=(--dry-run --Werror)
files=()
for argument in "$@"; do
    case $argument in
        --format-only) tidy=no ;;
        --fix-format) format=(-i) ;;
        -*) echo "$argument is not known; usage: scripts/lint.sh [--format-only] [--fix-format] [FILE...]" >&2; exit 2 ;;
        *) files+=("$argument") ;;
    esac
done
tools=(clang-format)
[ "$tidy" = no ] || tools+=(clang-tidy)
for tool in "${tools[@]}"; do
    command -v "$tool" > /dev/null || { echo "$tool is missing; install it with: apt-get install $tool" >&2; exit 2; }
done
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files -- '*.cpp' '*.h')
[ ${#files[@]} -gt 0 ] || exit 0

failed=0
printf '%s\0' "${files[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format --style=file "${format[@]}" || failed=1

if [ "$tidy" = yes ]; then
    [ -f "$build/compile_commands.json" ] || scripts/build.sh
    compiled=()
    for file in "${files[@]}"; do
        if grep -qF "\"file\": \"$PWD/$file\"" "$build/compile_commands.json"; then compiled+=("$file"); fi
    done
    if [ ${#compiled[@]} -gt 0 ]; then
        printf '%s\0' "${compiled[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$build" --quiet 2> /dev/null || failed=1
    fi
fi
exit "$failed"
