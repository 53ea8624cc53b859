# Two commands are all anybody needs: `make play` and `make test`. Everything else is for people who work on the project.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -type f 2>/dev/null)
WEB := src/punct/web/index.html
WEB_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/tests/*')
WEB_TESTS := $(shell find web/tests -type f)

.PHONY: play test lint bench clean install
.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

play: install ## Install everything and play
	@$(BIN)/punct play

test: install lint ## Install everything, lint, and run every test
	@cd web && npm run --silent test
	@$(BIN)/python -m pytest -n auto

lint: install web/node_modules/.linted ## Style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: install ## Measure speed
	@$(BIN)/python bench/rules.py

install: $(VENV)/installed $(WEB)

# Build tools go in first, so that the kernel is built without an isolated environment: minutes the first time, seconds afterwards.
$(VENV)/tools: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check "scikit-build-core>=1.0" "nanobind>=3.0"
	@touch $@

$(VENV)/installed: $(VENV)/tools pyproject.toml $(KERNEL_SOURCES)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[dev]"
	@touch $@

# The browser's part: npm's packages, then the built client inside the Python package.
web/node_modules/.installed: web/package.json web/package-lock.json web/.npmrc
	@cd web && npm ci --silent
	@touch $@

$(WEB): web/node_modules/.installed $(WEB_SOURCES)
	@cd web && npm run --silent build -- --logLevel warn
	@touch $@

web/node_modules/.linted: web/node_modules/.installed $(WEB_SOURCES) $(WEB_TESTS)
	@cd web && npm run --silent check -- --output machine && npm run --silent lint
	@touch $@

clean: ## Remove everything that was built
	rm -rf $(VENV) web/node_modules src/punct/web build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
