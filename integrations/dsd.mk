# Targets for the Makefile of a Go module: include it, with infer, check and crash on the PATH.
#
#	include path/to/dsd.mk
#
#	make crashes          the pipeline, up to date with the sources; the report on standard output
#	make crashes.sarif    the same for code hosts and editors
#	make crashes.html     the same for a browser
#
# DSD_DIR is the folder of the documents, DSD_PACKAGES what is checked, DSD_FAIL_ON what fails the build.
DSD_DIR ?= .dsd
DSD_PACKAGES ?= ./...
DSD_FAIL_ON ?= likely-bug
dsd_sources := $(shell go list -deps -f '{{if not .Standard}}{{$$d := .Dir}}{{range .GoFiles}}{{$$d}}/{{.}} {{end}}{{end}}' $(DSD_PACKAGES) 2>/dev/null)
# Status 1 says that something was found.
dsd_found = || [ $$? -eq 1 ]

.PHONY: crashes
crashes: $(DSD_DIR)/crashes.json
	crash report --warnings $(DSD_DIR)/warnings.json --fail-on $(DSD_FAIL_ON) $<

$(DSD_DIR)/trace.jsonl.gz: $(dsd_sources)
	@mkdir -p $(DSD_DIR)
	infer trace -o $@ $(DSD_PACKAGES)

$(DSD_DIR)/invariants.json: $(DSD_DIR)/trace.jsonl.gz
	infer invariants -o $@ $<

$(DSD_DIR)/warnings.json: $(DSD_DIR)/invariants.json $(dsd_sources)
	check --assume $< -o $@ $(DSD_PACKAGES) $(dsd_found)

$(DSD_DIR)/crashes.json: $(DSD_DIR)/warnings.json
	crash confirm --assume $(DSD_DIR)/invariants.json --trace $(DSD_DIR)/trace.jsonl.gz --tests $(DSD_DIR)/tests -o $@ $< $(dsd_found)

crashes.sarif crashes.html: crashes.%: $(DSD_DIR)/crashes.json
	crash report --format $* -o $@ $< $(dsd_found)
