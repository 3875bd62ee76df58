#!/usr/bin/env bash
# Installs the Debian package in a bare root of Debian 12 and uses it there: a check without NVRTC, the window on a display
# of its own, the manual page, the completion, the desktop entry and the MIME type.
#
# Usage, as root: scripts/try-package.sh [PACKAGE.deb [ROOT_FOLDER [PICTURE.png]]]
#   PACKAGE.deb   default: the one in build/release
#   ROOT_FOLDER   default: /tmp/lanescope-root; made with debootstrap where it is missing, kept for the next time
#   PICTURE.png   the window as it was seen, default: build/release/window.png
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
package=${1:-$(ls -t build/release/lanescope_*.deb 2> /dev/null | head -n 1)}
root=${2:-/tmp/lanescope-root}
picture=${3:-build/release/window.png}
failures=0

[ "$(id -u)" -eq 0 ] || { echo "Only root can make a root folder." >&2; exit 2; }
[ -f "$package" ] || { echo "There is no package; make one: cmake --preset release && cmake --build --preset release && (cd build/release && cpack)" >&2; exit 2; }
command -v debootstrap > /dev/null || { echo "debootstrap is missing; install it with: apt-get install debootstrap" >&2; exit 2; }

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# As a user without rights, in an empty home.
visitor() { chroot --userspec=1000:1000 "$root" env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME=/home/visitor "$@"; }
attempt() { # attempt WHAT COMMAND...
    local what=$1 status=0
    shift
    "$@" > "$log" 2>&1 || status=$?
    if [ "$status" -eq 0 ]; then
        echo "good    $what"
    else
        echo "FAILED  $what (status $status)"
        sed 's/^/        /' "$log"
        failures=$((failures + 1))
    fi
}

log=$(mktemp)
mounted=()
leave() {
    local folder
    for folder in "${mounted[@]}"; do umount "$folder" || true; done
    rm -f "$log"
}
trap leave EXIT

# The archives that this machine uses are good for the new root as well.
if [ ! -x "$root/usr/bin/apt-get" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
    [ -n "$mirror" ] || { echo "This machine's apt knows no archive of Debian 12; run apt-get update." >&2; exit 2; }
    debootstrap --variant=minbase bookworm "$root" "$mirror" > "$log" 2>&1 || { cat "$log" >&2; exit 2; }
fi
# Settings of proxies and of archives with old dates, which apt needs here too.
cp /etc/apt/apt.conf.d/*[Pp]roxy* /etc/apt/apt.conf.d/*[Vv]alid* "$root/etc/apt/apt.conf.d/" 2> /dev/null || true
mkdir -p "$root/home/visitor"
chown 1000:1000 "$root/home/visitor"
mount -t proc proc "$root/proc" && mounted+=("$root/proc")

cp "$package" "$root/tmp/"
file=/tmp/$(basename "$package")
inside apt-get purge -y -q lanescope > /dev/null 2>&1 || true
attempt "package lists" inside apt-get update -q
attempt "apt-get install $(basename "$package")" inside apt-get install -y -q "$file"
kernel=/usr/share/lanescope/kernels/half2_transposes.cu
attempt "lanescope check $kernel" visitor lanescope check "$kernel"
attempt "the same without NVRTC" visitor lanescope check --no-nvrtc "$kernel"
visitor lanescope check "$kernel" 2>&1 | sed 's/^/        /' || true
attempt "assets beside the program" sh -c "chroot '$root' lanescope doctor | grep -q '^present  catalogue .*/usr/share/lanescope/kernels'"
attempt "fonts" sh -c "chroot '$root' lanescope doctor | grep -q '^present  fonts'"
attempt "occupancy of every GPU known" visitor lanescope occupancy --gpus
attempt "a picture" visitor lanescope render "$kernel" --view registers -o /home/visitor/registers.png

# The tools of a desktop, which a bare root has not.
attempt "tools to look with" inside apt-get install -y -q --no-install-recommends xvfb xauth man-db bash-completion \
    desktop-file-utils shared-mime-info
for name in shown drawn; do
    printf 'wait\nframes 5\nexpect text half2_transposes\nscreenshot /home/visitor/%s.png\nquit\n' "$name" > "$root/home/visitor/$name"
    rm -f "$root/home/visitor/$name.png"
done
attempt "the window on a display" visitor xvfb-run -a -s "-screen 0 1600x1000x24" \
    lanescope --no-session --script /home/visitor/shown "$kernel"
attempt "the window without a display" visitor lanescope --offscreen --no-session --script /home/visitor/drawn "$kernel"
bytes_of() { stat --format %s "$root/home/visitor/$1.png" 2> /dev/null || echo 0; }
attempt "a picture of it that is not empty" test "$(bytes_of shown)" -gt "$(($(bytes_of drawn) / 2))"
[ ! -f "$root/home/visitor/shown.png" ] || cp "$root/home/visitor/shown.png" "$picture"
attempt "man lanescope" sh -c "chroot '$root' env LANG=C.UTF-8 MANWIDTH=100 man --warnings lanescope 2>&1 > '$log.page' | { ! grep .; } && grep -q 'lanescope check FILE' '$log.page'"
rm -f "$log.page"
attempt "whatis" sh -c "chroot '$root' env LANG=C.UTF-8 whatis lanescope | grep -q 'lanescope (1)'"
cat > "$root/home/visitor/completion.bash" <<'EOF'
source /usr/share/bash-completion/bash_completion
_completion_loader lanescope || true
cd /usr/share/lanescope/kernels
COMP_WORDS=(lanescope render half2_transposes.cu --view reg) COMP_CWORD=4 COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
_lanescope
[ "${COMPREPLY[*]}" = registers ] || { echo "offered: ${COMPREPLY[*]}"; exit 1; }
EOF
attempt "completion" visitor bash --norc /home/visitor/completion.bash
attempt "desktop entry" inside desktop-file-validate /usr/share/applications/lanescope.desktop
attempt "text/x-cuda opens with it" sh -c "grep -q '^text/x-cuda=lanescope.desktop' '$root/usr/share/applications/mimeinfo.cache'"
attempt "MIME type of .cu" sh -c "grep -q 'text/x-cuda:\\*\\.cu\$' '$root/usr/share/mime/globs2'"
attempt "no file left after purge" sh -c "chroot '$root' apt-get purge -y -q lanescope && ! find '$root/usr' -iname '*lanescope*' | grep ."
if command -v lintian > /dev/null; then
    echo "lintian:"
    lintian --allow-root "$package" | sed 's/^/        /' || true
fi

[ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
