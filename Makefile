# The one door. `make` alone lists what there is.
# Everything installs into .venv beside this file; nothing else on the machine is touched.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SAMPLE := sample_sites/kettle-ridge
OUT    := build

.DEFAULT_GOAL := help
.PHONY: help run test lint check bench docs rule layer clean

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; ok = (3, 11) <= sys.version_info[:2] <= (3, 13); \
	sys.exit(0 if ok else "sitemap needs Python 3.11, 3.12 or 3.13; found %d.%d. Give one: make run PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@$(BIN)/python -m compileall -q sitemap
	@touch $@

run: $(VENV)/.installed ## set up, draw the sample site's plate, check site and plate
	@mkdir -p $(OUT)
	$(BIN)/sitemap plate $(SAMPLE)/site.toml -o $(OUT)/plate.pdf --png $(OUT)
	$(BIN)/sitemap check $(SAMPLE)/site.toml --plate $(OUT)/plate.pdf; code=$$?; \
	if [ $$code -eq 0 ] || [ $$code -eq 3 ]; then echo; echo "plate: $(OUT)/plate.pdf"; else exit $$code; fi

test: $(VENV)/.installed ## all tests
	$(BIN)/python -m pytest -n auto --dist loadfile

lint: $(VENV)/.installed ## types, lint, format, import contract, generated pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/build.py --check

check: lint test ## lint and test: what CI runs

bench: $(VENV)/.installed ## ratios measured side by side
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/terrain.py
	$(BIN)/python benchmarks/check.py

docs: $(VENV)/.installed ## write docs/rules, docs/layers.md and docs/coverage.md from the code
	$(BIN)/python docs/build.py

rule: $(VENV)/.installed ## skeleton of a rule: make rule NAME=contours_wander [FAMILY=CON]
	$(BIN)/python docs/skeleton.py rule "$(NAME)" $(if $(FAMILY),--family $(FAMILY))

layer: $(VENV)/.installed ## skeleton of a layer role: make layer NAME=retaining_walls
	$(BIN)/python docs/skeleton.py layer "$(NAME)"

clean: ## remove what was built
	rm -rf $(OUT) $(VENV)
