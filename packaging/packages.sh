# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a Debian 12 needs to build, run and test picknext. Sourced by run.sh and test.sh.

picknext_packages=(
    build-essential cmake ninja-build           # compiler, build
    libfmt-dev                                  # core: text
    nlohmann-json3-dev libpugixml-dev           # core/io: JSON, XML
    libcli11-dev                                # command line
    libarchive-dev                              # vectors, which are kept packed
    qt6-base-dev qt6-svg-dev                    # window
    libqcustomplot-dev                          # plots
    fonts-dejavu-core                           # a font for the window and its tests
)

# Installs what is missing; asks the network for nothing when all is there.
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        echo "picknext: this is no Debian; please have these installed by their names here: ${picknext_packages[*]}"
        return
    fi
    local package missing=()
    for package in "${picknext_packages[@]}"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "picknext: all packages are installed."
        return
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "picknext: as root, run: apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "picknext: installing ${missing[*]}"
    "${as_root[@]}" apt-get update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# Compiler output is cached where ccache is installed anyway.
if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
fi
