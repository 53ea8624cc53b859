# Two commands are all anybody needs: `make play` and `make test`. Everything else is for people who work on the project.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL_SOURCES := CMakeLists.txt $(shell find kernel -type f 2>/dev/null)

.PHONY: play test lint bench clean install
.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

play: install ## Install everything and play
	@$(BIN)/punct play

test: install lint ## Install everything, lint, and run every test
	@$(BIN)/python -m pytest -n auto

lint: install ## Style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: install ## Measure speed
	@$(BIN)/python bench/rules.py

install: $(VENV)/installed

# Build tools go in first, so that the kernel is built without an isolated environment: minutes the first time, seconds afterwards.
$(VENV)/tools: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check "scikit-build-core>=1.0" "nanobind>=3.0"
	@touch $@

$(VENV)/installed: $(VENV)/tools pyproject.toml $(KERNEL_SOURCES)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[dev]"
	@touch $@

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
