#!/usr/bin/env bash
# Puts Dear ImGui's source into the cache folder and prints where it lies.
#
# The source is Debian's own package of a newer release than the machine's, pinned by checksum. It comes from the
# archive the machine already uses: apt itself lists the machine's entries (one-line and deb822 style alike), the suite
# name is replaced, and apt runs with a private state and cache folder, so that nothing of the system changes. Whichever
# entry is tried, it must be signed by Debian's archive keys.
#
# Usage: scripts/fetch-imgui.sh [CACHE_DIR]     (default: $LANESCOPE_CACHE_DIR, else .cache in the repository)
set -euo pipefail

suite=trixie
package=imgui
version=1.90.1+ds
revision=1
tarball=${package}_${version}.orig.tar.xz
sha256=ecce377df0f90b292f15dcbd83d438bddc162b2388c881132bde18c787572a1c

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${1:-${LANESCOPE_CACHE_DIR:-$repository/.cache}}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
folder=$cache/$package-$version
log=$cache/fetch-imgui.log

verified() { [ -f "$1" ] && echo "$sha256  $1" | sha256sum --check --status; }

finished() { [ "$(cat "$folder/.verified" 2>/dev/null)" = "$sha256" ]; }

unpack() {
    local fresh
    fresh=$(mktemp -d "$cache/unpack.XXXXXX")
    tar --extract --xz --strip-components=1 --directory "$fresh" --file "$cache/$tarball"
    for part in imgui.cpp imgui_internal.h backends/imgui_impl_glfw.cpp backends/imgui_impl_opengl3.cpp \
                misc/freetype/imgui_freetype.cpp; do
        [ -f "$fresh/$part" ] || { echo "$tarball lacks $part." >&2; exit 1; }
    done
    echo "$sha256" > "$fresh/.verified"
    chmod 755 "$fresh"
    rm -rf "$folder"
    mv "$fresh" "$folder"
}

# apt on private folders: private_apt SOURCES_LIST COMMAND...
private_apt() {
    local sources=$1
    shift
    apt-get -q -o Dir::State="$private/state" -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$private/cache" \
        -o Dir::Etc::SourceList="$sources" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences=/dev/null \
        -o Dir::Etc::PreferencesParts=/dev/null -o APT::Sandbox::User=root -o APT::Update::Error-Mode=any \
        -o APT::Update::Post-Invoke::= -o APT::Get::List-Cleanup=0 -o Acquire::Languages=none \
        -o Acquire::Retries=2 "$@"
}

# The archives of this machine that carry its own release, one address per line.
archives() {
    local codename
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    mkdir -p "$private/none/lists/partial"
    apt-get -o Dir::State::lists="$private/none/lists" update --print-uris 2>> "$log" |
        sed -n -E "s#^'(.*)/dists/(${codename:-stable}|stable|oldstable|testing|sid|unstable)/InRelease'.*#\1#p" | sort -u
}

# Debian's archive keys. A keyring older than the suite is followed by its own update, which the older keys vouch for.
keyring() {
    local installed=/usr/share/keyrings/debian-archive-keyring.gpg
    if [ -f "/usr/share/keyrings/debian-archive-$suite-automatic.gpg" ]; then
        echo "$installed"
        return
    fi
    local list=$private/keyring.list codename
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    echo "deb [signed-by=$installed] $1 $codename main" > "$list"
    private_apt "$list" update >> "$log" 2>&1 &&
        (cd "$private" && private_apt "$list" download debian-archive-keyring >> "$log" 2>&1 &&
            dpkg-deb --extract debian-archive-keyring_*.deb "$private/keys") || true
    local newer=$private/keys/usr/share/keyrings/debian-archive-keyring.gpg
    if [ -f "$newer" ]; then echo "$newer"; else echo "$installed"; fi
}

# Tries one archive: the package as its suite lists it, else the file where archives keep it.
fetch_from() {
    local archive=$1 list=$private/sources.list
    echo "deb-src [signed-by=$(keyring "$archive")] $archive $suite main" > "$list"
    if private_apt "$list" update >> "$log" 2>&1; then
        (cd "$private/download" &&
            private_apt "$list" source --download-only --only-source "$package=$version-$revision" >> "$log" 2>&1) || true
    fi
    if ! verified "$private/download/$tarball"; then
        rm -f "$private/download/$tarball"
        /usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file \
            "$archive/pool/main/${package:0:1}/$package/$tarball" "$private/download/$tarball" "SHA256:$sha256" >> "$log" 2>&1 || true
    fi
    verified "$private/download/$tarball" && mv "$private/download/$tarball" "$cache/$tarball"
}

give_up() {
    cat >&2 <<EOF
Dear ImGui $version could not be fetched: $1
What to do, any one of:
  - check that this machine reaches its Debian archive (apt-get update), and try again;
  - put the file $tarball
    (sha256 $sha256) into $cache;
  - install libimgui-dev 1.90 or newer and configure with -DLANESCOPE_SYSTEM_IMGUI=ON;
  - configure with -DLANESCOPE_GUI=OFF to build everything but the window.
What apt said is in $log.
EOF
    exit 1
}

if finished; then
    echo "$folder"
    exit 0
fi

# Several builds may start at once: one fetches, the others wait for it.
exec 9> "$cache/.fetch-imgui.lock"
flock 9
if ! finished; then
    if ! verified "$cache/$tarball"; then
        : > "$log"
        command -v apt-get > /dev/null || give_up "this machine has no apt-get."
        # apt splits its lists of sources at blanks, so this folder is not in the cache, which may be called anything.
        private=$(mktemp -d)
        trap 'rm -rf "$private"' EXIT
        mkdir -p "$private"/{state/lists/partial,cache/archives/partial,download}
        found=no
        tried=0
        while read -r archive; do
            tried=$((tried + 1))
            if fetch_from "$archive"; then
                found=yes
                break
            fi
        done < <(archives)
        [ "$tried" -gt 0 ] || give_up "the apt entries of this machine name no Debian archive."
        [ "$found" = yes ] ||
            give_up "no archive of this machine ($tried tried) gave $tarball with the pinned checksum; $suite may have moved on to another version."
    fi
    unpack
fi
echo "$folder"
