#!/usr/bin/env bash
# Usage: pkg-config.sh PREFIX SOURCE OUTPUT: builds a program on the package installed in PREFIX.
set -euo pipefail
export PKG_CONFIG_PATH=$1/lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags --libs mem-opt)"
cc "$2" -o "$3" "${flags[@]}"
