#!/usr/bin/env bash
# Installs the wheel of the Python package in a clean Debian 12, and runs the programs of its
# documentation there.
#
#   scripts/clean-debian.sh              plans and runs the model of python/README.md for ExecuTorch
#   scripts/clean-debian.sh --networks   also the 15 networks of docs/ExecuTorch.md, which has to be current
#
# The clean system has python3, python3-venv and python3-pip, and no LLVM. It is a container of docker,
# or without a running docker a directory of debootstrap, which needs root. It is removed at the end.
# `make test-clients` builds the wheel; the frameworks come from PyPI: 6 GB, in TMPDIR if it is set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mirror=http://deb.debian.org/debian
packages=(ca-certificates python3 python3-venv python3-pip)

networks=no
case ${1:-} in
'') ;;
--networks) networks=yes ;;
*)
  echo "clean-debian: unknown option '$1', expected '--networks' or nothing" >&2
  exit 2
  ;;
esac

wheels=("${CARGO_TARGET_DIR:-target}"/python/wheels/mem_opt-*.whl)
if [[ ! -f ${wheels[0]} ]]; then
  echo "clean-debian: there is no wheel; make test-clients builds it" >&2
  exit 1
fi

folder=$(mktemp --directory --tmpdir="${TMPDIR:-/var/tmp}" clean-debian.XXXXXX)
trap 'rm -rf --one-file-system "$folder"' EXIT

# What the clean system gets to see: the wheel, and the sources of the programs.
files=$folder/files
mkdir -p "$files/docs" "$files/scripts"
cp "${wheels[0]}" python/README.md python/requirements-clients.txt "$files"
cp docs/ExecuTorch.md "$files/docs"
cp scripts/compare-executorch.py scripts/document.py scripts/clean-debian-inside.sh "$files/scripts"
# A network that inspects traffic needs the certificates of this machine.
if [[ -f /etc/ssl/certs/ca-certificates.crt ]]; then
  cp /etc/ssl/certs/ca-certificates.crt "$files/certificates.crt"
fi

if docker info >/dev/null 2>&1; then
  echo "clean-debian: docker, debian:12"
  docker run --rm --volume "$files:/files" debian:12 bash -euc \
    "apt-get update -qq && apt-get install -qq --no-install-recommends ${packages[*]} >/dev/null
     bash /files/scripts/clean-debian-inside.sh $networks"
elif ((EUID == 0)) && command -v debootstrap >/dev/null; then
  echo "clean-debian: debootstrap, $mirror"
  root=$folder/root
  separated=${packages[*]}
  debootstrap --variant=minbase --include="${separated// /,}" bookworm "$root" "$mirror" \
    >"$folder/debootstrap.log" || { tail "$folder/debootstrap.log" >&2; exit 1; }
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mv "$files" "$root/files"
  # Mounts of this process are private, so they are gone when it ends.
  unshare --mount --pid --fork bash -euc '
    mount --types proc proc "$1/proc"
    mount --types tmpfs tmpfs "$1/dev/shm"
    exec chroot "$1" /usr/bin/env --ignore-environment PATH=/usr/bin:/bin HOME=/root \
      bash /files/scripts/clean-debian-inside.sh "$2"' - "$root" "$networks"
else
  echo "clean-debian: needs a running docker, or as root debootstrap: apt-get install debootstrap" >&2
  exit 1
fi
