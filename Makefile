# Build, test and measure dsd. `make` alone builds the three commands into bin/.

GO ?= go

# The linter is run from its own module, so that go.mod does not require it.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build install deps lint cross test test-all ci gotests environments stable shards browser integrations team interrupts popular bench modules random compare differential fuzz clean

# The tag leaves the generator of manual pages out of the command-line library. Its start-up costs
# each command about a hundred pages of memory.
build: deps
	$(GO) build -tags urfave_cli_no_docs -o bin/ ./cmd/infer ./cmd/check ./cmd/crash

# The commands with their manual pages, and completions for bash, zsh and fish, below PREFIX.
PREFIX ?= /usr/local
install: build
	@d=$(DESTDIR)$(PREFIX); \
	install -d $$d/bin $$d/share/man/man1 $$d/share/bash-completion/completions $$d/share/zsh/site-functions \
		$$d/share/fish/vendor_completions.d; \
	install -m 644 integrations/completions/_dsd $$d/share/zsh/site-functions/_dsd; \
	for t in infer check crash; do \
		install -m 755 bin/$$t $$d/bin/$$t; \
		bin/$$t --man >$$d/share/man/man1/$$t.1; \
		install -m 644 integrations/completions/dsd.bash $$d/share/bash-completion/completions/$$t; \
		install -m 644 integrations/completions/dsd.fish $$d/share/fish/vendor_completions.d/$$t.fish; \
	done

# A C compiler and libz3. On Debian, as root, they are installed.
deps:
	@./scripts/deps.sh

# Formatting, vet and staticcheck. Without access to a module proxy staticcheck is left out.
lint: deps
	@files=$$(gofmt -l .); [ -z "$$files" ] || \
	{ echo "not formatted by gofmt:"; echo "$$files"; exit 1; }
	$(GO) vet ./...
	@if $(GO) run $(STATICCHECK) -version >/dev/null 2>&1; \
	then echo "staticcheck ./..."; $(GO) run $(STATICCHECK) ./...; \
	else echo "lint: cannot fetch $(STATICCHECK): staticcheck is left out" >&2; fi

# Build without cgo for other systems: infer and check, and crash where its system calls exist. Such a
# check needs --solver. The binaries are not run.
cross:
	@for target in darwin/arm64/infer darwin/arm64/check darwin/arm64/crash linux/arm64/crash \
		windows/amd64/infer windows/amd64/check; do \
		IFS=/; set -- $$target; \
		CGO_ENABLED=0 GOOS=$$1 GOARCH=$$2 $(GO) build -o /dev/null ./cmd/$$3 || { echo "$$target does not build"; exit 1; }; \
	done

# The tests of all packages, of the built commands (e2e), and of the example module, without slow
# steps. -count=1 because the test cache does not know the commands that e2e builds and runs.
timeout = 20m
test:
	@./scripts/deps.sh --tests
	$(GO) test -count=1 -timeout $(timeout) ./...
	cd examples/parcel && $(GO) test ./...

# The same with the slow steps, on other systems and in other environments: before a release.
test-all: export DSD_SLOW = 1
test-all: timeout = 90m
test-all: cross test gotests environments stable

# What CI runs on every change: the linters, the tests without slow steps, the environments, and samples of what
# takes longest.
ci: gotests_flags = --every 12
ci: stable_flags = -n 3
ci: lint cross test gotests environments stable

# check on the programs of Go's own test folder, where this Go has it.
gotests: build
	@./scripts/gotests.py $(gotests_flags)

# All commands in the environments that modules live in: workspaces, cgo, flags, failing tests, limits.
environments: build
	@./scripts/environments.py

# Every stage twenty times, with different numbers of jobs and processors: the same bytes.
stable: build
	@./scripts/stable.sh $(stable_flags)

# The recipes that share the work among machines: GNU parallel, Slurm, Kubernetes, a CI matrix.
shards: build
	@./scripts/shards/try.py

# The page of crash report --format html, in headless Chromium.
browser: build
	@./scripts/browser.py
	@./scripts/sarifviewer.py

# The pieces for CI services, editors and shells, as their users run them.
integrations: build
	@./integrations/try.py

# A team turns the tools on in gods: baseline, a new bug, moved lines, a comment that ignores, a fix.
team: build
	@./scripts/team.py

# All commands, interrupted at 200 random moments: nothing is lost, nothing is left.
interrupts: build
	@./scripts/interrupts.py

# The pipeline on forty popular modules of all kinds. It takes hours.
popular: build
	@./scripts/popular.py

# The figures that the README quotes.
bench: build
	@./scripts/bench.sh

# Ten modules from the module proxy: functions skipped, warnings, confirmed crashes, time and
# memory.
modules: build
	@./scripts/modules.sh

# The same modules, a minute each: tested at random, and confirmed under the invariants of their own
# tests. Every generated test is run by plain go test.
random: build
	@./scripts/random.sh

# crash random against go test -fuzz: the time to the first crash of ten functions.
compare: build
	@./scripts/fuzz.py

# Generated programs, evaluated by check and run by Go, and generated functions that cannot panic.
differential: deps
	DSD_PROGRAMS=10000 DSD_SAFE=2000 $(GO) test -count=1 -timeout 60m \
		-run "TestDifferential|TestPanicFree" -v ./check | grep -v '^=== '

# A minute of fuzzing for each reader of foreign input.
fuzz: deps
	@for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep ^Fuzz); do \
			echo "$$p $$f"; \
			$(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime 60s $$p || exit 1; \
		done; \
	done

clean:
	rm -rf bin .dsd
