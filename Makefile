# Everything that a person or CI runs. Each target prepares what it needs.
PREFIX ?= /usr/local
BUILD = swift build
# The release binary carries the Swift runtime, so that it runs on a machine without Swift.
# The tests look for overlapping accesses to memory; looking is 6 % of a push.
RELEASE = $(BUILD) -c release --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked \
  --product fanfare
BINARY = .build/release/fanfare
SOURCES = Package.swift Sources Tests Fuzzing

.PHONY: build demo test lint format fuzz sanitize soak bench install uninstall clean dependencies development

build: dependencies
	$(RELEASE)

demo: build
	@Scripts/demo $(BINARY)

test: development
	swift test --parallel

lint: development
	swift format lint --strict --recursive $(SOURCES)
	shellcheck Scripts/check-imports Scripts/demo Scripts/fuzz Scripts/install \
	  Scripts/install-dependencies Scripts/sanitize Scripts/screenshots Scripts/soak .ci/run
	Scripts/check-imports

format:
	swift format format --in-place --recursive $(SOURCES)

# Ten minutes for each target; Scripts/fuzz --help tells how to choose.
fuzz: dependencies
	Scripts/fuzz

# Both sanitizers, each with a build of its own; Scripts/sanitize --help tells how to choose.
sanitize: dependencies
	Scripts/sanitize

# Bad days that seeds decide, and kills; Scripts/soak --help tells how to choose.
soak: development
	Scripts/soak

bench: development
	$(RELEASE)
	Benchmarks/run --fanfare $(BINARY)

install: build
	@Scripts/install $(BINARY) "$(DESTDIR)$(PREFIX)"

uninstall:
	@Scripts/install --remove "$(DESTDIR)$(PREFIX)"

clean:
	swift package clean

dependencies:
	@Scripts/install-dependencies

development:
	@Scripts/install-dependencies --development
