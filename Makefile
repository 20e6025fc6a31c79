# The usual tasks, for people and for continuous integration; `make help` lists them. The build itself is CMake's.

# The example that `make run` checks, as it is and with its bug.
EXAMPLE ?= examples/check/spsc_ring.cpp
# How long `make fuzz` goes on, or with how many programs, from which seed, and with which kinds: heddle_fuzz --help.
SECONDS ?= 60
COUNT ?=
SEED ?=
KIND ?=
# The JSON file of an earlier run of the same bench target to compare with, and more options for heddle check in tables.
COMPARE ?=
OPTIONS ?=
JOBS ?= $(shell nproc)
# Where `make install` puts heddle, and whether it installs the debug information as well: DEBUG=1.
PREFIX ?= /usr/local
DEBUG ?=

CTEST = ctest -j$(JOBS) --output-on-failure

.PHONY: help deps tests-deps package-deps docs-deps build all run install package check-package docs test test-long fuzz hunt mutants bench bench-full bench-engine debug sanitize format tidy clean
.DEFAULT_GOAL := build

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

deps:  ## install the Debian packages that the build needs and that are missing
	@scripts/install-deps.sh

tests-deps package-deps docs-deps:
	@scripts/install-deps.sh $(@:%-deps=%)

build: deps build/build.ninja  ## build/heddle, optimised
	@echo "building build/heddle, which takes about four minutes on two cores the first time"
	cmake --build build -j $(JOBS) --target heddle

all: tests-deps build/build.ninja  ## the same, with tests and benchmarks
	cmake --build build -j $(JOBS)

# Exit code 1 is what a bug that was found looks like.
run: build  ## build, then check an example that is right and one that is not: EXAMPLE=file.cpp
	build/heddle check $(EXAMPLE)
	build/heddle check $(EXAMPLE) -- -DBUG || test $$? -eq 1

install: build  ## install heddle, without debug information: PREFIX=/usr/local DEBUG=1
	cmake --build build --target heddle_installed
	cmake --install build --prefix $(PREFIX) --component heddle
	cmake --install build --prefix $(PREFIX) --component mpi
	$(if $(DEBUG),cmake --install build --prefix $(PREFIX) --component debug)

package: package-deps build  ## build/packages: a .deb for Debian 12, and an archive that can be unpacked anywhere
	cmake --build build --target heddle_installed
	cd build && cpack

check-package: package  ## install the .deb on a clean Debian 12 and check a project there; needs root and mmdebstrap
	scripts/check-package.sh build/packages

docs: docs-deps build  ## the pages as a site with search, build/docs/site
	scripts/build-docs.sh

test: all  ## build, then run every test
	cd build && $(CTEST)

test-long: test sanitize tidy check-package  ## every test, all of it again with sanitizers, clang-tidy, the package on a clean Debian 12, all faults, a thousand kills, and ten minutes of random programs
	scripts/check-faults.py build/heddle build/libheddle_faults.so --all
	scripts/check-kills.py build/heddle --count 1000
	$(MAKE) fuzz SECONDS=600

fuzz: all  ## random programs of every kind: SECONDS=3600 or COUNT=1000000, SEED=1 KIND=litmus,sequential
	build/heddle_fuzz $(if $(COUNT),--count $(COUNT),--seconds $(SECONDS)) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) \
	  $(if $(KIND),--kind $(KIND))

hunt: all  ## the same with other seeds, failing calls and killed processes, for SECONDS=3600, and a report in build/hunt.md
	scripts/hunt.py build --seconds $(SECONDS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(KIND),--kind $(KIND))

mutants:  ## faults that are put into a copy of the source, build-mutants: do the tests notice each?
	test -d build-mutants || git clone -q . build-mutants
	scripts/check-mutants.py build-mutants

TABLES = build/heddle_tables --options "--time 600 $(OPTIONS)" $(if $(COMPARE),--compare $(COMPARE)) --check

bench: all  ## the tables of the papers, short sizes, into build/tables.json: COMPARE=earlier.json; and that of proofs
	$(TABLES) --json build/tables.json
	build/heddle_prove_bench --json build/prove-bench.json

bench-full: all  ## the same in full, and docs/benchmarks.md with its plots; up to hours
	$(TABLES) --size full --json build/tables-full.json --markdown docs/benchmarks.md

bench-engine: all  ## what docs/performance.md has, into build/bench.json: COMPARE=earlier.json
	build/heddle_bench --json build/bench.json $(if $(COMPARE),--compare $(COMPARE))
	build/heddle_native_bench --json build/native-bench.json

debug: tests-deps build-debug/build.ninja  ## build-debug/heddle, with every invariant checked at every step
	cmake --build build-debug -j $(JOBS)

# Of the shards of random programs the first of each kind: a shard takes minutes here.
sanitize: tests-deps build-sanitize/build.ninja  ## the tests with sanitizers and invariants; slow
	cmake --build build-sanitize -j $(JOBS)
	cd build-sanitize && $(CTEST) -E 'Shard.*/[1-9]$$'

format: tests-deps  ## the source, by .clang-format
	scripts/check-format.sh --fix

tidy: tests-deps  ## clang-tidy over src with the static analyzer, by .clang-tidy; slow
	JOBS=$(JOBS) scripts/check-tidy.sh --all

clean:  ## remove all build folders
	rm -rf build build-debug build-sanitize build-mutants

# Continuous integration, which sets CI, stops at warnings.
build/build.ninja: CMakePresets.json | deps
	cmake --preset release $(if $(CI),-DHEDDLE_WARNINGS_ARE_ERRORS=ON)
build-debug/build.ninja: CMakePresets.json | deps
	cmake --preset debug
build-sanitize/build.ninja: CMakePresets.json | deps
	cmake --preset sanitize
