# Every command for people and CI. Each target installs what it needs.
PREFIX ?= /usr/local
BUILD = swift build
# The release binary includes the Swift runtime, so that it runs on a machine without Swift.
# It is optimized across modules: chunks of pushes cross them, which would cost 1.6 % of a push.
# Tests check for overlapping memory accesses; the release does not, since it costs 6 % of a push.
RELEASE = $(BUILD) -c release $(STATIC) $(LINKER) -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -cross-module-optimization --disable-local-rpath --product fanfare
# macOS has the runtime.
STATIC = $(if $(filter Darwin,$(shell uname)),,--static-swift-stdlib)
# With the runtime in it, GNU ld leaves writable what should be read-only once the program has started
# (RELRO). gold does not, but newer systems do not have it; lld comes with Swift.
LINKER = $(if $(STATIC),$(if $(shell command -v ld.gold 2>/dev/null),,-Xswiftc -use-ld=lld))
BINARY = $(shell $(BUILD) -c release --show-bin-path)/fanfare
SOURCES = Package.swift Plugins Sources Tests Fuzzing Examples
# Debug builds have an optimized engine; see Package.swift.
export FANFARE_OPTIMIZED_ENGINE = 1
# Tests of synchronous functions run on as many threads as there are processors. No more are begun, so
# that the time limit of a test does not count how long it waits for a thread.
TEST = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(shell getconf _NPROCESSORS_ONLN) \
  swift test --parallel

.PHONY: build demo fleet self-test test test-program test-modules example quick lint docs format fuzz \
  mutants mutants-sample sanitize soak bench count release release-check \
  install uninstall clean dependencies development

build: dependencies
	$(RELEASE)

demo: build
	@Scripts/demo "$(BINARY)"

# Three workers, of which one is killed and one frozen.
fleet: development build
	@Scripts/fleet "$(BINARY)"

# Tests the release binary on this machine.
self-test: build
	@"$(BINARY)" doctor --self

# The tests that start the program wait for it half the time, so the others run beside them.
test: development
	@Scripts/check-machine --tests
	$(BUILD) --build-tests
	@$(MAKE) --no-print-directory --jobs 2 test-program test-modules
	@$(MAKE) --no-print-directory example

test-program:
	$(TEST) --skip-build --ignore-lock --filter '^EndToEndTests\.'

test-modules:
	$(TEST) --skip-build --ignore-lock --skip '^EndToEndTests\.'

# A package of its own that uses the libraries as others do, and builds them as others do.
example: development
	env -u FANFARE_OPTIMIZED_ENGINE swift test --package-path Examples/Server
	@Scripts/check-links Examples/Server/.build/debug/Server

# What needs no server and no second process, for use while working.
QUICK = ^(PlainText|JSONText|APNS|CommandLineKit|Recipients|Delivery|SQLHistory|SQLQueue|Settings|FanfareCLI)Tests
SERVERS = (Run|Resend|Interrupt|ConnectionEnd|StreamLimit|LinkPool|IdleLink|LedgerRun|PushTotal|Patience)Tests
PROCESSES = (Inspect.*|CredentialChoice|SecretCommand|Crash)Tests

quick: dependencies
	FANFARE_NO_POSTGRESQL=1 \
	  $(TEST) --filter '$(QUICK)' --skip '$(SERVERS)' --skip '$(PROCESSES)'

lint: development
	swift format lint --strict --recursive $(SOURCES)
	shellcheck --external-sources Scripts/release Scripts/publish-image
	shellcheck Scripts/bare-machine Scripts/check-links Scripts/check-machine Scripts/check-workflows Scripts/demo \
	  Scripts/fleet Scripts/fuzz Scripts/install Scripts/install-dependencies Scripts/make-apt-repository \
	  Scripts/publish-release Scripts/publish-tap Scripts/release-check Scripts/sanitize Scripts/screenshots \
	  Scripts/soak Scripts/try-packages Packaging/action Packaging/install.sh .ci/run
	Scripts/check-workflows
	Scripts/check-imports
	Scripts/check-circles
	Scripts/check-comments
	Scripts/check-output
	Scripts/public-face

# The documentation of the libraries, for a web server or Xcode.
docs: dependencies
	Scripts/public-face --documentation .build/documentation

format:
	swift format format --in-place --recursive $(SOURCES)

# Ten minutes for each target; see Scripts/fuzz --help for options.
fuzz: dependencies
	Scripts/fuzz

# Plants faults and tells which no test notices; see Scripts/mutants --help.
mutants: development
	Scripts/mutants

# Twenty of them, picked by chance, in a copy that is kept: ten minutes once it is built.
mutants-sample: development
	Scripts/mutants --keep .build/mutants --random 20

# Both sanitizers, each with its own build; see Scripts/sanitize --help for options.
sanitize: dependencies
	Scripts/sanitize

# Faults chosen by seeds, and kills; see Scripts/soak --help for options.
soak: development
	Scripts/soak

bench: development
	$(RELEASE)
	$(RELEASE:fanfare=library-benchmark)
	Benchmarks/run --fanfare "$(BINARY)"

# What a push costs in references and memory, which is the same on a busy machine.
count: development
	$(RELEASE)
	$(RELEASE:fanfare=library-benchmark)
	Benchmarks/count --fanfare "$(BINARY)"

# Packages of the release binary in .build/release-packages; see Scripts/release --help. PARTS names
# some of them only.
release: development build
	Scripts/release "$(BINARY)" $(PARTS)

# What a person has to do before a release is tagged, and what is left of it.
release-check:
	@Scripts/release-check

install: build
	@Scripts/install "$(BINARY)" "$(DESTDIR)$(PREFIX)"

uninstall:
	@Scripts/install --remove "$(DESTDIR)$(PREFIX)"

clean:
	swift package clean

dependencies:
	@Scripts/check-machine
	@Scripts/install-dependencies

development:
	@Scripts/install-dependencies --development
