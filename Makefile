# Every target does its own set-up: packages, the program, the images. See README.md for what they are for.
#
#   make eval  MODEL=sim:adopter FRAMEWORKS=hermes,openclaw TASKS=... LIMIT=4 JOBS=0 OUT=out/eval FLUSH=paper ENGINE=
#   make test  (lint, unit, integration, sanitizers, page, end to end)      make images   make doctor   make bench
#   make lint                                                         make clean-containers

MODEL      ?= sim:adopter
FRAMEWORKS ?= hermes,openclaw
TASKS      ?= configs/tasks
LIMIT      ?= 4
JOBS       ?= 0
OUT        ?= out/$(subst :,-,$(subst /,-,$(MODEL)))
FLUSH      ?= paper
ENGINE     ?=

SUDO   := $(if $(filter 0,$(shell id -u)),,sudo)
PASB   := build/release/pasb
COMMON := $(if $(ENGINE),--engine $(ENGINE))
export CCACHE_DIR ?= $(HOME)/.cache/ccache

.PHONY: eval test lint images doctor bench build setup clean-containers unit integration sanitize page fuzz e2e

eval: build
	$(PASB) eval --model $(MODEL) --framework $(FRAMEWORKS) --tasks $(TASKS) --limit $(LIMIT) --jobs $(JOBS) \
	    --flush $(FLUSH) --out $(OUT) $(COMMON)

images: build
	$(PASB) images build $(COMMON)

doctor: build
	$(PASB) doctor --model $(MODEL) --framework $(FRAMEWORKS) --out $(OUT) $(COMMON)

clean-containers: build
	$(PASB) clean $(COMMON)

build: build/release/build.ninja
	@ninja -C build/release --quiet pasb

build/release/build.ninja: build/.setup CMakeLists.txt CMakePresets.json
	cmake --preset release > /dev/null

build/sanitize/build.ninja: build/.setup-test CMakeLists.txt CMakePresets.json
	cmake --preset sanitize > /dev/null

build/fuzz/build.ninja: build/.setup-test CMakeLists.txt CMakePresets.json
	cmake --preset fuzz > /dev/null

# Debian packages: the compiler and libraries, the container engine, and what the image stages need.
build/.setup: .ci/packages .ci/setup
	@mkdir -p build
	$(SUDO) .ci/setup
	@touch $@

# What the tests need beside that. GoogleTest is a part of it, so the build is configured once more when it has come.
build/.setup-test: .ci/packages .ci/packages-test .ci/setup
	@mkdir -p build
	$(SUDO) .ci/setup test
	@touch $@

build/release/.tests: build/.setup-test build/release/build.ninja
	cmake --preset release > /dev/null
	@touch $@

setup: build/.setup

test: lint unit integration sanitize page e2e

lint: build/release/.tests
	.ci/lint

unit: build/release/.tests
	ninja -C build/release --quiet unit_tests
	ctest --test-dir build/release --output-on-failure -L unit

# On Podman, and on a private dockerd where one can be started.
integration: build/release/.tests
	ninja -C build/release --quiet pasb integration_tests
	tests/engines/docker run sh -c 'ctest --test-dir build/release --output-on-failure -L integration && tests/engines/eval'

sanitize: build/sanitize/build.ninja
	ninja -C build/sanitize --quiet unit_tests
	ctest --test-dir build/sanitize --output-on-failure -L unit

# The report's page in a headless browser.
page: build/release/.tests
	tests/page/run

# Each parser of foreign bytes for a minute; not a part of `make test`.
fuzz: build/fuzz/build.ninja
	ninja -C build/fuzz --quiet fuzzers
	.ci/fuzz build/fuzz

e2e: build build/.setup-test
	tests/e2e/run

bench: build build/.setup-test
	tests/e2e/bench
