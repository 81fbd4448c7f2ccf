#!/usr/bin/env bash
# Builds the wheel of the Python package and tests it in a virtual environment.
#
#   scripts/test-python.sh             the package, with pytest and NumPy only
#   scripts/test-python.sh clients     the adapters and the tutorials, with the frameworks: gigabytes;
#                                      PyTorch on a simulated GPU, too
#
# The environments are in target/python and are kept; each is installed anew when its requirements
# change. Without a network, the script works if they are current.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
suite=${1:-package}
case $suite in
package) requirements=python/requirements-test.txt tests=python/tests ;;
clients) requirements=python/requirements-clients.txt tests=python/tests-clients ;;
*)
  echo "test-python: unknown suite '$suite', expected 'clients' or nothing" >&2
  exit 2
  ;;
esac

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
environment=$target/python/$suite
if ! cmp --silent "$requirements" "$environment/requirements.txt"; then
  echo "test-python: installing $(grep --invert-match '^#' "$requirements" | paste --serial --delimiters=' ')"
  python3 -m venv --clear "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
  cp "$requirements" "$environment/requirements.txt"
fi

wheels=$target/python/wheels
rm -rf "$wheels"
"$environment/bin/maturin" build --quiet --release --locked --manifest-path python/Cargo.toml \
  --target-dir "$target" --out "$wheels"
"$environment/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps \
  --force-reinstall "$wheels"/mem_opt-*.whl
# The tests import the installed package, not the sources beside them.
PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -m pytest --config-file=python/pyproject.toml "$tests"
if [[ $suite == clients ]]; then
  PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" python/simulated-gpu/run.py \
    -m pytest --config-file=python/pyproject.toml python/tests-gpu
fi
