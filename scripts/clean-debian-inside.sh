#!/usr/bin/env bash
# What scripts/clean-debian.sh runs in the clean system.
# Usage: clean-debian-inside.sh yes|no: whether to run all networks.
set -euo pipefail
cd /files
if [[ -f certificates.crt ]]; then
  export PIP_CERT=/files/certificates.crt
fi

. /etc/os-release
echo "system: $PRETTY_NAME, $(getconf GNU_LIBC_VERSION), $(python3 --version), $(dpkg-query --list | grep --count ^ii) packages"
if dpkg-query --show --showformat='${Package}\n' | grep --ignore-case --extended-regexp 'llvm|mlir|rustc'; then
  echo "clean-debian: the system is not clean" >&2
  exit 1
fi

python3 -m venv /env
pinned() { grep "^$1==" requirements-clients.txt; }
/env/bin/pip install --quiet --disable-pip-version-check mem_opt-*.whl
echo "wheel: $(basename mem_opt-*.whl), with $(/env/bin/pip list --format=freeze --disable-pip-version-check | grep --invert-match --extended-regexp '^(pip|setuptools|mem-opt|mem_opt)=' | paste --serial --delimiters=' ')"
native=$(/env/bin/python -c 'import mem_opt._native; print(mem_opt._native.__file__)')
# ldd also prints where the libraries are.
libraries=$(ldd "$native" | sed 's/ (0x.*//; s/ => .*//; s/^\s*//' | paste --serial --delimiters=' ')
echo "libraries of the wheel: $libraries"
if [[ $libraries == *LLVM* || $libraries == *MLIR* ]]; then
  echo "clean-debian: the wheel needs LLVM" >&2
  exit 1
fi

echo "installing $(pinned executorch) $(pinned torch) $(pinned torchvision)"
/env/bin/pip install --quiet --disable-pip-version-check "$(pinned executorch)" "$(pinned torch)" "$(pinned torchvision)"

# The Python blocks of the README are one program.
sed --quiet '/^```python$/,/^```$/ { /^```/d; p }' README.md >readme.py
sed --quiet '/^<!-- prints -->$/,/^```$/ { /^<!--/d; /^```/d; p }' README.md >readme.expected
PYTHONWARNINGS=ignore /env/bin/python readme.py | tee readme.printed
diff readme.expected readme.printed
echo "python/README.md: prints what it shows"

if [[ $1 == yes ]]; then
  PYTHONWARNINGS=ignore /env/bin/python scripts/compare-executorch.py
  echo "docs/ExecuTorch.md: is what this system computes"
fi
