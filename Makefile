# The front door of Tamarin: `make help` lists what can be made here.

# `make EXE=name` leaves the engine under that name in this folder. Testing frameworks
# also pass CC and CXX, which change nothing: the build needs no C compiler.
EXE ?= tamarin
ifeq ($(strip $(EXE)),)
$(error EXE: name the program)
endif
ifneq ($(wildcard $(EXE)/.),)
$(error EXE=$(EXE) is a folder: name the program)
endif
ifeq ($(wildcard $(dir $(EXE)).),)
$(error EXE=$(EXE): there is no folder $(dir $(EXE)))
endif
# `make EVALFILE=path` builds another network in: OpenBench tests networks so.
EVALFILE ?=
ifneq ($(strip $(EVALFILE)),)
ifeq ($(wildcard $(EVALFILE)),)
$(error EVALFILE=$(EVALFILE): there is no such file)
endif
export EVALFILE := $(abspath $(EVALFILE))
endif
# Behind `make` RUSTFLAGS would replace those of the targets below.
ifeq ($(origin RUSTFLAGS),command line)
$(error RUSTFLAGS: set them in the environment, before make)
endif
# The processor to build for: any name that `rustc --print target-cpus` knows. Not a variable of the
# environment: openSUSE has one of its own of that name.
ifeq ($(origin CPU),environment)
CPU := native
endif
CPU ?= native
# Programs lie where the targets below look for them.
unexport CARGO_BUILD_TARGET
# Features of the engine to build with: `tune` announces the search's parameters as options.
FEATURES ?=
# Larger test suites stay outside the repository. Tests look for them where the
# variable TAMARIN_TEST_DATA says, else in this folder if there is one.
TEST_DATA_DIR ?= ../shared/data
# `make suites` checks every count of the perft suites up to this one.
PERFT_NODES ?= 20000000

ifeq ($(origin TAMARIN_TEST_DATA),undefined)
ifneq ($(wildcard $(TEST_DATA_DIR)/.),)
export TAMARIN_TEST_DATA := $(abspath $(TEST_DATA_DIR))
endif
endif

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
OUTPUT := $(EXE:.exe=)$(SUFFIX)
ENGINE := $(if $(filter /%,$(OUTPUT)),,./)$(OUTPUT)
# The other program lies beside the engine, which starts it.
TOOLS := $(dir $(OUTPUT))tamarin-tools$(SUFFIX)
# A folder for each processor: other builds do not undo this one. With the target named, build
# scripts are spared the flags: they run on this computer, whatever the engine is built for.
BUILD_DIR := $(or $(CARGO_TARGET_DIR),target)/$(CPU)
HOST := $(shell rustc --print host-tuple 2>&1)
BUILT = $(BUILD_DIR)/$(HOST)/release/tamarin

# cmd.exe keeps the quotes that a POSIX shell removes.
ifeq ($(shell echo "x"),"x")
place = copy /Y "$(subst /,\,$(1))" "$(subst /,\,$(2))"
else
# By way of a second name, so that a running engine can be replaced.
place = cp "$(1)" "$(2).new" && mv -f "$(2).new" "$(2)"
endif

.DEFAULT_GOAL := build
.PHONY: build tools launcher all run test test-all test-rest test-board lint fmt package bench suites match levels fuzz sanitize reproducible old-processor deny ci dist dist-musl dist-aarch64 dist-windows dist-web clean help

# Tables at fixed addresses: 1.02 times the nodes a second on a Skylake-SP, 1.04 on a Zen 5 (V43,
# V60). The price: the program is always loaded at the same address (no randomization).
# Android starts no program without it.
FIXED_TABLES = $(if $(findstring linux,$(subst linux-android,,$(HOST))),-C relocation-model=static)
# No AVX-512: with its instructions perft has 0.93 of the nodes a second on a Zen 5, the bench 0.99
# on a Skylake-SP and the same on a Zen 5 (V28, V53, V61).
NO_AVX512 = $(if $(findstring avx512f,$(shell rustc --print cfg --target $(HOST) -C target-cpu=$(CPU))),\
	-C target-feature=-avx512f)
# No other flag of the compiler gained one per cent on two processors (docs/results/rejected.md).
CODE = -C target-cpu=$(CPU) $(NO_AVX512)
# The same sources give the same program in any folder (`make reproducible`), and it holds no path of
# this computer. Not where a path has a space, which would end the flag.
CARGO_FOLDER := $(subst \,/,$(or $(CARGO_HOME),$(HOME)/.cargo))
BUILD_FOLDER := $(abspath $(BUILD_DIR))
PATHS = $(if $(word 4,$(CURDIR) $(CARGO_FOLDER) $(BUILD_FOLDER)),,--remap-path-prefix=$(CARGO_FOLDER)=cargo \
	--remap-path-prefix=$(CURDIR)=tamarin --remap-path-prefix=$(BUILD_FOLDER)=target)
build tools: export RUSTFLAGS := $(RUSTFLAGS) $(CODE) $(FIXED_TABLES) $(PATHS)
# Both programs are selected for each, so that features of libraries are the same and nothing is
# built twice.
PROGRAMS = --package tamarin-chess --package tamarin-tools
CARGO_BUILD = cargo build --release --target "$(HOST)" --target-dir "$(BUILD_DIR)" $(CARGO_ARGS)

# A wrong compiler or processor is reported here: the errors of cargo and LLVM do not name the cause.
CHECKED = $(if $(filter 1,$(words $(HOST))),,$(error Rust 1.95 or later is needed: https://rustup.rs $(HOST)))\
	$(if $(filter $(CPU),native $(shell rustc --print target-cpus --target $(HOST))),,\
	$(error CPU=$(CPU): no such processor; `rustc --print target-cpus` prints their names))

build: ## the engine for this computer: ./tamarin (EXE=name, CPU=x86-64-v3, EVALFILE=my.net, ...)
	$(CHECKED)
	$(CARGO_BUILD) $(PROGRAMS) --bin tamarin $(if $(FEATURES),--features "$(FEATURES)")
ifneq ($(strip $(EVALFILE)),)
	@"$(BUILT)$(SUFFIX)" eval >/dev/null || { echo "EVALFILE=$(EVALFILE): cannot be built in"; exit 1; }
endif
	@$(call place,$(BUILT)$(SUFFIX),$(OUTPUT))

tools: build ## play, analyse, suite, mate, book, variant and board: ./tamarin-tools, which ./tamarin starts
	$(CARGO_BUILD) $(PROGRAMS) --bins
	@$(call place,$(BUILT)-tools$(SUFFIX),$(TOOLS))

# The start of a program for all x86-64 processors (dist/archive appends the rest).
launcher: export RUSTFLAGS := $(RUSTFLAGS) $(CODE) $(PATHS)
launcher:
	$(CARGO_BUILD) --package tamarin-launcher
	@$(call place,$(BUILT)-launcher,$(OUTPUT))

all: tools ## the engine and the tools

run: build ## watch it think for three seconds, and read how to use it in a GUI
	@"$(ENGINE)" --version
	@echo "Three seconds about the start position (./tamarin help lists what else it can do):"
	@"$(ENGINE)" go movetime 3000
	@cat docs/gui.txt

test: ## what a change can break: all tests but those of tamarin-train and the long ones
	@bash .ci/test

test-all: ## all tests and documentation examples
	@bash .ci/test all

test-rest: # what `make test` leaves out
	@bash .ci/test rest

# What users do at `tamarin board`, in Chromium; a package of its own. The programs are those of
# `make test-all`: another choice of packages or profile would build it once more.
test-board: ## the board in a browser: a SKIP without Chromium and chromedriver (NAME="premove")
	cargo test --quiet --workspace --no-run --test commands --test conformance
	@TAMARIN_TOOLS="$(abspath $(or $(CARGO_TARGET_DIR),target))/debug/tamarin-tools" cargo test --quiet --locked \
		--manifest-path apps/board/tests/browser/Cargo.toml \
		--target-dir "$(or $(CARGO_TARGET_DIR),target)/browser" \
		-- $(if $(filter command,$(origin NAME)),$(NAME))

# Packages outside the workspace.
APART := apps/board/tests/browser apps/web fuzz

lint: export RUSTDOCFLAGS := $(RUSTDOCFLAGS) -D warnings
lint: ## format, clippy, documentation, sizes, plants: no warning is let through
	cargo fmt --all --check
	@for package in $(APART); do \
		(set -x; cargo fmt --manifest-path $$package/Cargo.toml --check) || exit 1; done
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	cargo doc --workspace --no-deps --all-features
	@bash .ci/size.sh
	@bash .ci/plants/run --check

# Those that other programs can use.
LIBRARIES := base movegen perft eval search uci variant variant-search game

package: ## build the libraries as published ones, without publishing them
	cargo check --package tamarin-game --no-default-features
	cargo publish --dry-run $(LIBRARIES:%=--package tamarin-%)

bench: build ## nodes and speed of fixed searches; the node count is the version's fingerprint
	@"$(ENGINE)" bench

suites: build ## compare with all perft suites at hand, every count up to PERFT_NODES
	@for suite in perft/suites/*.epd "$$TAMARIN_TEST_DATA"/perft/*.epd; do \
		if [ ! -e "$$suite" ]; then echo "SKIP: no suite $$suite"; continue; fi; \
		echo "+ $(ENGINE) perft --suite $$suite --max-nodes $(PERFT_NODES)"; \
		table=$$("$(ENGINE)" perft --suite "$$suite" --max-nodes $(PERFT_NODES)) || \
			{ echo "$$table"; exit 1; }; \
		echo "$$table" | tail -n 3; \
	done

match: ## a match: OLD=<rev> or OPPONENT="cmd", TC=2+0.02 or NODES=n, GAMES=400 or SPRT="0 10"
	@bash .ci/match

levels: ## measure the levels of play: neighbors, a beginner, Stockfish (FROM=1 TO=20 GAMES=60 SEED=n)
	@bash .ci/levels

fmt: ## format all sources
	cargo fmt --all
	@for package in $(APART); do \
		(set -x; cargo fmt --manifest-path $$package/Cargo.toml) || exit 1; done

# What `make fuzz` fuzzes, and for how long.
TARGET ?= fen
SECONDS ?= 600

fuzz: ## fuzz what is read (TARGET=fen, session, epd, ..., all: .ci/fuzz lists them; SECONDS=600)
	@bash .ci/fuzz "$(TARGET)" "$(SECONDS)"

sanitize: ## model checker, AddressSanitizer, ThreadSanitizer, valgrind (PARTS="models address"): an hour
	@bash .ci/sanitize long $(PARTS)

reproducible: ## build twice, in two folders, and compare byte for byte
	@CPU="$(CPU)" bash .ci/reproducible

old-processor: ## a build for newer processors on an older one, which qemu-x86_64 emulates
	@bash .ci/old-processor

deny: ## licenses, duplicates and sources of all libraries (cargo-deny)
	@bash .ci/deny

ci: ## everything that a change has to pass, as one script
	@bash .ci/run

# Those for other systems need the compiler's target and a linker: for Windows mingw-w64, for ARM
# gcc-aarch64-linux-gnu, for musl musl-tools.
dist: ## an archive of this version in target/dist, on x86-64 Linux for all its processors
dist-musl: TARGET_NAMED = x86_64-unknown-linux-musl
dist-aarch64: TARGET_NAMED = aarch64-unknown-linux-gnu
dist-windows: TARGET_NAMED = x86_64-pc-windows-gnu
dist dist-musl dist-aarch64 dist-windows: export CARGO_ARGS := $(CARGO_ARGS)
dist dist-musl dist-aarch64 dist-windows:
	@CPU="$(if $(filter command,$(origin CPU)),$(CPU))" bash dist/archive $(TARGET_NAMED)

dist-web: ## a page that analyzes in the browser, without a server, in target/dist/web
	@bash dist/web

clean: ## remove everything that was built
	cargo clean --target-dir "$(or $(CARGO_TARGET_DIR),target)"
	rm -f tamarin tamarin.exe tamarin-tools tamarin-tools.exe

help: ## this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' \
		$(firstword $(MAKEFILE_LIST))

# Longer work

PERFT := $(BUILD_DIR)/release/perft$(SUFFIX)
BUILD_PERFT = cargo build --release --package tamarin-perft --bin perft --target-dir "$(BUILD_DIR)"
# Rounds of the speed comparison, and the peer at its best: with pext where there is one.
ROUNDS ?= 7
PEXT = $(if $(findstring bmi2,$(shell rustc --print cfg -C target-cpu=$(CPU))),--features cozy-chess/pext)
# Memory for the long proof, in MiB; 0 counts every node.
HASH ?= $(if $(DEPTH6),1024,0)

.PHONY: perft bench-perft prove-perft prove-explain prove-book prove-rules bench-variants prove-variants \
	bench-latency soak plants mutants prove
perft bench-perft prove-perft bench-variants bench-latency soak: export RUSTFLAGS := $(RUSTFLAGS) $(CODE)

perft: ## our perft suites, then ARGS="7 --hash 256" or what else `perft` takes
	$(BUILD_PERFT)
	"$(PERFT)" --suite perft/suites/standard.epd --json
	"$(PERFT)" --suite perft/suites/chess960.epd --json
	"$(PERFT)" $(or $(ARGS),6)

bench-perft: ## speed of perft beside other Rust libraries (ROUNDS=7); on an idle computer
	cargo bench --package tamarin-perft --bench peers --target-dir "$(BUILD_DIR)" $(PEXT) -- $(ROUNDS)

prove-perft: ## outside suites, by differences and played; DEPTH6=1 goes a ply deeper, HASH=1024 sets its cache
	$(if $(TAMARIN_TEST_DATA),,$(error TAMARIN_TEST_DATA names no folder of outside suites (docs/perft.md)))
	$(BUILD_PERFT)
	@set -e; for way in "" --plain; do set -x; \
		"$(PERFT)" --suite perft/suites/standard.epd $$way; \
		"$(PERFT)" --suite "$(TAMARIN_TEST_DATA)/perft/standard.epd" $$way; \
		"$(PERFT)" --suite "$(TAMARIN_TEST_DATA)/perft/chess960.epd" $(if $(DEPTH6),6,5) --hash $(HASH) $$way; \
		set +x; done

prove-book: ## play the games of the built-in book again and make it again: some minutes
	@bash .ci/book

# The program whose lines the claims are compared with; without it that part is left out.
prove-explain: export TAMARIN_EVERY_POSITION = 1
prove-explain: export TAMARIN_EXPLAIN_NODES = $(or $(NODES),200000)
prove-explain: export TAMARIN_OPPONENT = $(OPPONENT)
prove-explain: ## explanations of 250 positions replayed (NODES=200000), and compared: OPPONENT=path
	cargo build --release --package tamarin-chess
	cargo test --release --package tamarin-analysis --test proofs -- --nocapture
	cargo test --release --package tamarin-analysis --lib long_explained_games

prove-rules: ## rules against another library on 100,000 positions, 100,000 random walks
	TAMARIN_LONG_TESTS=1 cargo test --profile checked --package tamarin-movegen --test movegen \
		-- differential:: walks::

bench-variants: build ## speed of games from files, one thread
	for game in "fide 5" "nuttyknights 5" "clobberers 5" "shogi_nodrop 5" "xiangqi 4" "locusts 6" "locusts12 4"; do \
		echo "$$game" && $(ENGINE) variant perft $$game --threads 1 || exit 1; done

# All counts, however large, and 10,000 random walks of every game: half an hour or so.
prove-variants: export TAMARIN_VARIANT_NODES = 1000000000
prove-variants: export TAMARIN_WALKS = 10000
prove-variants: ## games from files: every count, and 10,000 random walks of each
	cargo test --profile checked --package tamarin-variant --test variant -- perft:: walks::

# The engine as its users have it, so the tables stand at fixed addresses here too.
bench-latency: export RUSTFLAGS := $(RUSTFLAGS) $(FIXED_TABLES)
bench-latency: ROUNDS = 1
bench-latency: ## how soon it answers, clock use, losses on time (ROUNDS=1: 3 minutes); gates nothing
	@cargo bench --package tamarin-chess --bench latency --target "$(HOST)" \
		--target-dir "$(BUILD_DIR)" -- $(ROUNDS)

# As its users have it, too.
soak: export RUSTFLAGS := $(RUSTFLAGS) $(FIXED_TABLES)
soak: HOURS = 1
soak: ## 10,000 games on the real clock and storms of commands, in parts (HOURS=1); sums go on
	@cargo bench --package tamarin-chess --bench soak --target "$(HOST)" \
		--target-dir "$(BUILD_DIR)" -- $(HOURS) "$(abspath $(BUILD_DIR))/soak/sums"

plants: ## known defects, put in one by one: each must fail its test (PLANTS="names"; half an hour)
	@bash .ci/plants/run $(PLANTS)

mutants: ## small changes of the code, which tests must notice (GROUP="rules"; three hours)
	@bash .ci/mutants $(GROUP)

# What `make test-all` does for a sample or a few times, done for all or many times.
prove: export TAMARIN_EVERY_ENTRY = 1
prove: export TAMARIN_EVERY_POSITION = 1
prove: export TAMARIN_ITERATORS_DEPTH = 3
prove: export TAMARIN_LARGE_PGN = 64
prove: export TAMARIN_GAMES = 10
prove: export TAMARIN_SEQUENCES = 500
prove: export TAMARIN_ADDRESS_SPACES = 2000
prove: export TAMARIN_UNREAD = 20
prove: export TAMARIN_LONG_TESTS = 1
prove: ## all tests with whole suites, books and many games: some 30 minutes
	@bash .ci/test all
