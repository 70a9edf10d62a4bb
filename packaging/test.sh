#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# test.sh [CMAKE-OPTION...]: installs what is missing, builds everything and runs all tests. Ends with the summary of
# ctest; fails if anything failed.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. packaging/packages.sh
export LC_ALL=C.UTF-8

install_packages
cmake --preset release "$@"
cmake --build --preset release
ctest --preset release
