#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [FILE]: installs what is missing, builds, and opens the window with FILE: a scenario, topology or workload, or
# the name of a shipped scenario; "default" if none is given. Without a display it runs the same on the command line
# and draws the window into a picture.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
. "$root/packaging/packages.sh"

if [ $# -gt 1 ]; then
    echo "usage: $0 [FILE]" >&2
    exit 2
fi
if [ $# -eq 1 ] && [ -f "$1" ]; then
    file=$(readlink -f "$1")
else
    file=$root/resources/scenarios/${1:-default}.json
fi
if [ ! -f "$file" ]; then
    echo "${1:-default}: there is no such file, and none of the shipped scenarios is called so:" >&2
    (cd "$root/resources/scenarios" && printf '  %s\n' *.json | sed 's/\.json$//') >&2
    exit 2
fi

if [ -n "${WAYLAND_DISPLAY:-}" ] && [ -z "${DISPLAY:-}" ]; then
    picknext_packages+=(qt6-wayland)
fi
install_packages
cd "$root"
cmake --preset release
cmake --build --preset release --target picknext picknext-cli
bin=$root/build/release/bin

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/picknext" "$file"
fi

export LC_ALL=C.UTF-8
log=$root/build/decisions.txt
picture=$root/build/picknext.png
echo
echo "picknext: there is no display (DISPLAY and WAYLAND_DISPLAY are not set), so the command line runs $file"
"$bin/picknext-cli" run "$file" --log decisions >"$log"
head -n 20 "$log"
QT_QPA_PLATFORM=offscreen "$bin/picknext" --screenshot "$picture" --size 1440x900 "$file"
echo
echo "picknext: all $(wc -l <"$log") lines are in $log"
echo "picknext: the window is drawn in $picture"
