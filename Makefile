# pipecore: `make help` says what there is.
CC      ?= cc
CFLAGS  ?= -O2 -g
AR      ?= ar
BUILD   ?= build
# Where finished programs go: the top, or $(BIN) for builds that must not replace them.
BIN     ?= .

WARNINGS = -Wall -Wextra -Wshadow -Wconversion
override CPPFLAGS += -I. -D_GNU_SOURCE
override CFLAGS   += -std=c11 $(WARNINGS) -MMD -MP
override LDLIBS   += -pthread

TARGET := $(shell $(CC) -dumpmachine)
COMMANDS = fizzbuzz verify
PROGRAMS = $(addprefix $(BIN)/,$(COMMANDS))

CORE_SRC     = $(wildcard core/*.c)
CLI_SRC      = $(wildcard cli/*.c)
LINES_SRC    = generators/fizzbuzz/lines.c
FIZZBUZZ_SRC = $(wildcard generators/*.c generators/fizzbuzz/*.c)
VERIFY_SRC   = $(wildcard verifier/*.c)

CORE_LIB     = $(BUILD)/core/libpipecore.a
objects      = $(patsubst %.c,$(BUILD)/%.o,$(1))

all: $(PROGRAMS)

# A kernel file is compiled for its instruction set where the compiler's target has it; elsewhere the
# same file is a stub, so that callers need no #ifdef.
ifneq ($(filter x86_64% amd64%,$(TARGET)),)
$(BUILD)/generators/fizzbuzz/avx2.o: override CFLAGS += -mavx2
endif

# The verifier's loops are plain C that wants to become vectors, whatever the rest is compiled for.
$(BUILD)/verifier/compare.o: override CFLAGS += -O3

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(CORE_LIB): $(call objects,$(CORE_SRC))
	@rm -f $@
	$(AR) rcs $@ $^

$(BIN)/fizzbuzz: $(call objects,$(FIZZBUZZ_SRC) $(CLI_SRC)) $(CORE_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BIN)/verify: $(call objects,$(VERIFY_SRC) $(LINES_SRC) $(CLI_SRC)) $(CORE_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

run: all ## build, then run ./fizzbuzz | ./verify for about five seconds
	./fizzbuzz | ./verify --seconds=5

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

format: ## bring all C into the form of .clang-format
	clang-format -i $$(git ls-files '*.c' '*.h')

clean: ## remove everything that was built
	rm -rf $(BUILD) $(PROGRAMS)

include bench/bench.mk
include tests/tests.mk

.PHONY: all run help format clean

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
