#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [FILE]: installs what is missing, builds, and opens the window with FILE (a scenario, topology or workload)
# or with the default scenario. Without a display it runs the same scenario on the command line and draws the window
# into a picture.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
. "$root/packaging/packages.sh"

if [ $# -gt 1 ]; then
    echo "usage: $0 [FILE]" >&2
    exit 2
fi
file=()
if [ $# -eq 1 ]; then
    if [ ! -e "$1" ]; then
        echo "$1: no such file. Give a scenario, topology or workload, such as $root/resources/scenarios/*.json" >&2
        exit 2
    fi
    file=("$(readlink -f "$1")")
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
    exec "$bin/picknext" "${file[@]}"
fi

export LC_ALL=C.UTF-8
log=$root/build/decisions.txt
picture=$root/build/picknext.png
echo
echo "picknext: there is no display (DISPLAY and WAYLAND_DISPLAY are not set), so the command line runs the scenario."
"$bin/picknext-cli" run "${file[@]}" >"$log"
head -n 20 "$log"
QT_QPA_PLATFORM=offscreen "$bin/picknext" --screenshot "$picture" "${file[@]}"
echo
echo "picknext: all $(wc -l <"$log") lines are in $log"
echo "picknext: the window is drawn in $picture"
