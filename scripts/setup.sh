#!/usr/bin/env bash
# Installs the packages of scripts/debian-packages.txt that are missing. Says nothing when none is.
# With --tests: those of scripts/debian-packages-tests.txt, which only some tests need; where they cannot be installed, that
# is reported, and those tests are skipped.
set -euo pipefail

list=$(dirname "${BASH_SOURCE[0]}")/debian-packages.txt
failed=1
if [ "${1:-}" = --tests ]; then
    list=$(dirname "${BASH_SOURCE[0]}")/debian-packages-tests.txt
    failed=0
fi
mapfile -t packages < <(sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$list")

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    echo "This is no Debian system: please see to it that what $list names is installed." >&2
    exit 0
fi

missing_packages() {
    local installed
    installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${packages[@]}" 2> /dev/null |
        sed -n 's/ installed$//p') || true
    comm -23 <(printf '%s\n' "${packages[@]}" | sort -u) <(echo "$installed" | sort -u)
}

mapfile -t missing < <(missing_packages)
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
        printf 'Packages are missing, and there is no sudo to install them with. As root, run:\n  apt-get install --no-install-recommends %s\n' \
            "${missing[*]}" >&2
        exit "$failed"
    fi
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_missing() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" \
        > "$log" 2>&1 < /dev/null
}

echo "Installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
# Package lists may be absent (a fresh container) or name versions that the archive has since replaced; both show as a
# failure, and new lists repair both.
if ! install_missing; then
    if ! "${as_root[@]}" apt-get update -q > "$log" 2>&1 || ! install_missing; then
        cat "$log" >&2
        echo "The packages could not be installed; what apt-get said is above." >&2
        exit "$failed"
    fi
fi
