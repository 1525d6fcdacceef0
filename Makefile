# Every target does its own set-up: packages, the program, the images. See README.md for what they are for.
#
#   make eval    MODEL=sim:mixed JUDGE=sim:lexical FRAMEWORKS=hermes,openclaw TASKS=... LIMIT=4 JOBS=0 OUT=out/eval FLUSH=paper ENGINE=
#   make report  OUT=... JUDGE=...   (judge what is not judged yet, annotate, report; needs no containers)
#   make verify  OUT=...
#   make test  (lint, unit, integration, sanitizers, page, end to end, exports)      make images   make doctor   make bench
#   make lint                                                         make clean-containers       make oracles

MODEL      ?= sim:mixed
FRAMEWORKS ?= hermes,openclaw
TASKS      ?= configs/tasks
LIMIT      ?= 4
# A judge from another family than the models that it judges; a simulated model is judged by the simulated judge.
JUDGE      ?= $(if $(filter sim:%,$(MODEL)),sim:lexical,kimi-k2.6)
ANNOTATOR  ?= $(JUDGE)
JOBS       ?= 0
OUT        ?= out/$(subst :,-,$(subst /,-,$(MODEL)))
FLUSH      ?= paper
ENGINE     ?=

SUDO   := $(if $(filter 0,$(shell id -u)),,sudo)
PASB   := build/release/pasb
COMMON := $(if $(ENGINE),--engine $(ENGINE))
export CCACHE_DIR ?= $(HOME)/.cache/ccache

.PHONY: eval report verify test lint images doctor bench build setup clean-containers unit integration sanitize fuzz e2e oracles bench-report page-test exports-test

# Exit code 3 says that something is missing (invalid runs, unscored answers, judging that is not done). What is there is still judged and reported, and
# the code is kept for the end.
define and_go_on
|| { code=$$?; [ $$code -eq 3 ] || exit $$code; missing=3; }
endef

define judge_and_report
$(PASB) judge --out $(OUT) --judge $(JUDGE) $(and_go_on); \
	$(PASB) annotate --out $(OUT) --annotator $(ANNOTATOR) $(and_go_on); \
	$(PASB) report $(OUT) --judge $(JUDGE) --annotator $(ANNOTATOR) && exit $$missing
endef

# The judge and the annotator are looked for first: a missing key should not come out after hours of runs.
eval: build
	@$(PASB) judge --check --judge $(JUDGE)
	@$(PASB) annotate --check --annotator $(ANNOTATOR)
	@missing=0; \
	$(PASB) eval --model $(MODEL) --framework $(FRAMEWORKS) --tasks $(TASKS) --limit $(LIMIT) --jobs $(JOBS) \
	    --flush $(FLUSH) --out $(OUT) $(COMMON) $(and_go_on); \
	$(judge_and_report)

report: build
	@missing=0; $(judge_and_report)

verify: build
	$(PASB) verify $(OUT)

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

test: lint unit integration sanitize page-test e2e exports-test

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

# Each parser of foreign bytes for a minute; not a part of `make test`.
fuzz: build/fuzz/build.ninja
	ninja -C build/fuzz --quiet fuzzers
	.ci/fuzz build/fuzz

e2e: build build/.setup-test
	tests/e2e/run

# The report's page in a headless browser.
page-test: build/release/.tests
	tests/page/run

# Reads exports back with the tools that they are for; installs these once, from the package index that pip uses (some 580 MB below build/).
exports-test: build build/.setup-test
	tests/exports/run

bench: build build/.setup-test
	tests/e2e/bench

# Seconds and memory of `pasb report` and `pasb verify` on 51,200 synthetic records (32 combinations x 1,600 tasks); some 2 GB on
# disk while it runs.
bench-report: build/release/.tests
	tests/scale/bench

# Computes the expected numbers of the statistics again, with other implementations, and compares them with the stored
# ones; not a part of `make test`. Needs a network for its Python packages.
oracles: build/oracles/.packages
	PYTHONPATH=build/oracles tests/oracles/stats.py
	git diff --exit-code tests/oracles

build/oracles/.packages: build/.setup tests/oracles/requirements.txt
	rm -rf build/oracles
	python3 -m pip install --quiet --target build/oracles --requirement tests/oracles/requirements.txt
	@touch $@
