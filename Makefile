# setup  installs missing packages       demo   plans ResNet-50 and prints the plan
# build  release binaries and plugin     test   cargo tests, style, lit
# docs   regenerates documents           clean  removes all build outputs
# site   builds the documentation site in target/site, and checks its links
# test-clients   tests the adapters of the Python package: installs frameworks of several gigabytes
# install  installs to PREFIX (/usr/local), inside of DESTDIR if set       deb  writes target/*.deb
# test-packages  tests the crates as published, and Rust projects that use them
# test-tutorials runs docs/tutorials, which install PyTorch, JAX and torch-mlir from PyPI (7 GB)
#
# All targets use the release profile, so the C++ glue is built only once.

LLVM   := $(or $(MLIR_SYS_220_PREFIX),/usr/lib/llvm-22)
LIT    := $(LLVM)/bin/lit
MODEL  := models/bufferized/resnet50_b1.mlir

PREFIX := /usr/local

.PHONY: setup build demo test test-rust test-comments fmt clippy lit test-python test-clients docs site install deb \
        test-packages test-tutorials clean
.DEFAULT_GOAL := build

setup:
	@scripts/setup.sh

build: setup
	cargo build --release --workspace

demo: build
	@scripts/demo.sh $(MODEL)

test: test-rust test-comments fmt clippy lit test-python

# tools/tests/docs.rs runs the commands in the documents, which need the binaries.
test-rust: build
	@if cargo nextest --version >/dev/null 2>&1; then \
	  set -x; cargo nextest run --release --workspace --no-fail-fast; \
	else \
	  set -x; cargo test --release --workspace --lib --bins --tests --no-fail-fast; \
	fi

# nextest does not run the examples in documentation comments, and the run path does not apply to them.
test-comments: build
	LD_LIBRARY_PATH=$(LLVM)/lib cargo test --release --workspace --doc --quiet

# Both fail if the tool is absent: scripts/setup.sh installs it where rustup can.
fmt: setup
	cargo fmt --all --check

clippy: build
	cargo clippy --release --workspace --all-targets --quiet -- -D warnings

# Tests of operations and passes run twice: with mem-opt, and with Debian's mlir-opt and the plugin.
lit: build
	$(LIT) -sv lit-tests

# The Python package with pytest and NumPy only. It comes after the build, which shares its crates.
test-python: build
	scripts/test-python.sh

# The adapters, with PyTorch, ExecuTorch and TFLite Micro.
test-clients: setup
	scripts/test-python.sh clients

docs: build
	scripts/docs.sh docs
	scripts/models.py --write
	scripts/against-upstream.py --write

# The crates are documented, so MLIR's headers are needed.
site: setup
	scripts/site.sh target/site

install: build
	DESTDIR="$(DESTDIR)" scripts/install.sh "$(PREFIX)"

deb: build
	scripts/deb.sh target

test-packages: setup
	scripts/crates.py

test-tutorials: build
	scripts/tutorials.py

clean:
	cargo clean
