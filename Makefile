# What there is to do here. `make` alone builds the tools into bin/.

GO ?= go

.PHONY: build deps test bench modules random compare differential fuzz clean

# Without what the command-line library writes manuals with, which every start would make ready: about a hundred pages of memory.
build: deps
	$(GO) build -tags urfave_cli_no_docs -o bin/ ./cmd/infer ./cmd/check ./cmd/crash

deps:
	@./scripts/deps.sh

# All tests: units, the built binaries end to end, the example module.
test:
	@./scripts/deps.sh --tests
	$(GO) vet ./...
	$(GO) test -count=1 ./... # e2e runs binaries that the test cache knows nothing of
	cd examples/parcel && $(GO) test ./...

# The figures that the README quotes.
bench: build
	@./scripts/bench.sh

# Ten modules from the module proxy: what is skipped, warned of, confirmed, and what it costs.
modules: build
	@./scripts/modules.sh

# The same modules, a minute each: tested at random, and confirmed under what their tests show; every test run by plain go test.
random: build
	@./scripts/random.sh

# crash random beside go test -fuzz: the time to the first crash of ten functions.
compare: build
	@./scripts/fuzz.py

# Generated programs, evaluated by us and run by Go; generated functions that cannot panic.
differential: deps
	DSD_PROGRAMS=10000 DSD_SAFE=2000 $(GO) test -count=1 -timeout 60m -run "TestDifferential|TestPanicFree" -v ./check | grep -v '^=== '

# A minute of fuzzing for each reader of outside input.
fuzz: deps
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep ^Fuzz); do \
		echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime 60s $$p || exit 1; done; done

clean:
	rm -rf bin .dsd
