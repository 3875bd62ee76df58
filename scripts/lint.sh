#!/usr/bin/env bash
# Checks the format of all tracked C++ files, that no logic searches sentences, the words (scripts/words.py) and that
# docs/pictures/floors.svg is that of CMakeLists.txt, then runs clang-tidy over those that the build compiles: over all of them as the build compiles them
# together (build/lint), over single files one by one (build/lint-files).
#
# Usage: scripts/lint.sh [--format-only] [--fix-format] [FILE...]     (needs clang-format and clang-tidy)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
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
whole=no
[ ${#files[@]} -gt 0 ] || whole=yes
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files -- '*.cpp' '*.h')
[ ${#files[@]} -gt 0 ] || exit 0

failed=0
# Logic compares codes: no sentence of our own is searched or compared. Those of the compiler, in kernels/compile, have no codes.
sentences='\.(message|remedy|reason|difference|unchecked_reason|notices?|does|real_words|actual_words|statement_words)(\(\)|\.words\(\)|\.(front|back)\(\)(\.words\(\))?)?(\.(find|contains|starts_with|ends_with|compare|substr)\(| *[!=]= *")'
# Views and results make sentences and read none; elsewhere `words` may be those of a comment.
made='\b(words|sentence|remarks?|stops?|reason_)\.(find|contains|starts_with|ends_with|compare)\("|\b(words|sentence|remark|stop) *[!=]= *"'
if { printf '%s\n' "${files[@]}" | grep -E '^(app|kernels|profiling|viz|results)/' | grep -v '^kernels/compile/' |
    xargs -r grep -nE "$sentences" | grep -v "ends_with('"
    printf '%s\n' "${files[@]}" | grep -E '^(viz|results)/|^kernels/explain/route' | xargs -r grep -nE "$made"; } | grep .; then
    echo "These lines search or compare sentences; compare a code (kernels/base/coded.h)." >&2
    failed=1
fi
printf '%s\0' "${files[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format --style=file "${format[@]}" || failed=1
if [ "$whole" = yes ]; then
    scripts/draw-floors.py --check || failed=1
    scripts/words.py || failed=1
fi

if [ "$tidy" = yes ]; then
    build=build/lint together=ON
    options=(--checks=-bugprone-suspicious-include) # a file that is compiled together includes the others
    [ "$whole" = yes ] || { build=build/lint-files together=OFF options=(); }
    # Headers that GCC precompiled are not for clang.
    cmake -S . -B "$build" -G Ninja -DCMAKE_UNITY_BUILD=$together -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DLANESCOPE_CCACHE= > /dev/null
    compiled=()
    while IFS= read -r file; do
        [ "$whole" = yes ] || [[ " ${files[*]} " == *" ${file#"$PWD"/} "* ]] || continue
        compiled+=("$file")
    done < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | sort -u)
    if [ ${#compiled[@]} -eq 0 ]; then
        echo "None of these files is compiled, so clang-tidy checked none." >&2
        failed=1
    else
        printf '%s\0' "${compiled[@]}" | xargs -0 -n 1 -P "${LANESCOPE_JOBS:-$(nproc)}" clang-tidy -p "$build" --quiet "${options[@]}" 2> /dev/null || failed=1
    fi
fi
exit "$failed"
