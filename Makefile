# Shortcuts for common commands; the work is done by CMakeLists.txt and tools/.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
BUILD = cmake --build
QUIET = --log-level=WARNING
MAKEFLAGS += --no-print-directory

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: release ## build, and run a first simulation
	build/release/scree demo

release: ## build the library and the command in build/release
	@tools/setup build
	@cmake --preset release -DSCREE_TESTS=OFF $(QUIET) >/dev/null
	@$(BUILD) build/release -j $(JOBS)

# example.print runs the scenes of example.scene, which releases and sanitizers run
test: ## build with assertions, run the tests and checks that take less than 10 s
	@tools/setup test
	@cmake --preset relwithdebinfo -DSCREE_TESTS=ON $(QUIET) >/dev/null
	@$(BUILD) build/relwithdebinfo -j $(JOBS)
	@ctest --preset relwithdebinfo -j $(JOBS) -LE slow -E '^example\.scene_'

slow-test: test ## then the tests that take longer: verification cases, the cookbook, killed runs
	@ctest --preset relwithdebinfo -j $(JOBS) -L slow

debug-test: ## the tests under address and undefined-behaviour sanitizers
	@tools/setup test
	@cmake --preset debug -DSCREE_TESTS=ON $(QUIET) >/dev/null
	@$(BUILD) build/debug -j $(JOBS)
	@ctest --preset debug -j $(JOBS) -LE 'check|slow'

bench: release ## build the benches and run those of contacts, and LAMMPS for comparison; BENCH=--quick for less
	@$(BUILD) build/release -j $(JOBS) --target bench
	@bench/run $(BENCH)

format: ## format every source with clang-format
	@tools/setup test
	@tools/sources '*.c' '*.h' '*.cpp' '*.cu' | xargs "$$(tools/formatter)" -i --style=file

lint: ## run clang-tidy and cppcheck, if installed
	@tools/lint

install: release ## install under PREFIX (/usr/local)
	@cmake --install build/release --prefix $(PREFIX)

clean: ## remove build/
	@rm -rf build

.PHONY: help demo release test slow-test debug-test bench format lint install clean
