# The tests: everything runs under prove; see tests/run.sh. TEST_JOBS=1 runs one file at a time.
TESTS_OUT     = $(BUILD)/tests
UNIT_SRC      = $(wildcard tests/unit/*.c)
UNIT_TESTS    = $(patsubst tests/unit/%.c,$(TESTS_OUT)/unit/%,$(UNIT_SRC))
TOOL_SRC      = tests/naive.c $(wildcard tests/readers/*.c tests/tools/*.c)
TEST_TOOLS    = $(patsubst tests/%.c,$(TESTS_OUT)/%,$(TOOL_SRC)) $(TESTS_OUT)/shim/fault.so
# The long ones first, so that the last to run are short.
LONG_TESTS    = $(addprefix tests/command/,long.bats builds.bats readers.bats faults.bats sharing.bats)
COMMAND_TESTS = $(LONG_TESTS) $(filter-out $(LONG_TESTS),$(wildcard tests/command/*.bats))
QUICK_TESTS   = $(addprefix tests/command/,usage.bats output.bats quick.bats verify.bats)

# Unit tests need cmocka; without it they are left out, and install.sh has said so.
CMOCKA = $(wildcard /usr/include/cmocka.h /usr/local/include/cmocka.h)

# The programs under test and the tools, as the bats files find them.
TEST_ENV = FIZZBUZZ=$(abspath $(BIN)/fizzbuzz) VERIFY=$(abspath $(BIN)/verify) \
	TEST_TOOLS=$(abspath $(TESTS_OUT)) TEST_REFERENCE=$(abspath $(TESTS_OUT)/reference)

test: test-install ## build, install what the tests need where it may, run every test
	@$(MAKE) --no-print-directory -j2 test-programs
	@$(MAKE) --no-print-directory test-run

check: test-install ## the quick tests only
	@$(MAKE) --no-print-directory test-run COMMAND_TESTS="$(wildcard $(QUICK_TESTS))"

test-install:
	@mkdir -p $(TESTS_OUT)
	@bash tests/install.sh $(TESTS_OUT)/install.log

test-run: test-programs $(TESTS_OUT)/reference/done
	@$(TEST_ENV) TEST_MISSING="$(if $(CMOCKA),,$(notdir $(UNIT_TESTS)))" bash tests/run.sh $(TESTS_OUT)/log $(COMMAND_TESTS) $(if $(CMOCKA),$(UNIT_TESTS))

# All that the tests run, without running it.
test-programs: all $(BENCH_TOOLS) $(TEST_TOOLS) $(if $(CMOCKA),$(UNIT_TESTS))

$(TESTS_OUT)/reference/done: $(TESTS_OUT)/naive tests/reference.sh
	@bash tests/reference.sh $(TESTS_OUT)/naive $(@D)

# Unit tests may use everything but the commands' main().
UNIT_PARTS = $(filter-out %/main.o,$(call objects,$(FIZZBUZZ_SRC) $(VERIFY_SRC))) $(call objects,cli/cli.c) $(CORE_LIB)

$(TESTS_OUT)/unit/%: $(BUILD)/tests/unit/%.o $(UNIT_PARTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

$(TESTS_OUT)/shim/fault.so: tests/shim/fault.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -O1 -g $(WARNINGS) -std=c11 -fPIC -shared -o $@ $< -ldl

$(filter-out %.so,$(TEST_TOOLS)): $(TESTS_OUT)/%: $(BUILD)/tests/%.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: test check test-install test-run test-programs
# Objects are kept, or every run would link everything again.
.SECONDARY:
