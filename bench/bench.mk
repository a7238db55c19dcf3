# Measurements; see bench/bench.sh.
BENCH_PARTS  = rate drain wake generate unfilled
BENCH_TOOLS  = $(addprefix $(BUILD)/bench/,$(BENCH_PARTS))
BENCH_RUN    = BENCH_TOOLS=$(BUILD)/bench BENCH_FIZZBUZZ=$(BIN)/fizzbuzz BENCH_VERIFY=$(BIN)/verify bench/bench.sh

# The kernels are linked, not the command around them.
BENCH_KERNELS = $(filter-out $(BUILD)/generators/fizzbuzz/main.o,$(call objects,$(FIZZBUZZ_SRC)))

$(addprefix $(BUILD)/bench/,rate drain wake): $(BUILD)/bench/%: $(BUILD)/bench/%.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/bench/unfilled: $(BUILD)/bench/unfilled.o $(CORE_LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/bench/generate: $(BUILD)/bench/generate.o $(BENCH_KERNELS) $(CORE_LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

bench: all $(BENCH_TOOLS) ## measure every promise about speed (PEER=/path/to/peer/fizzbuzz)
	$(BENCH_RUN)

bench-quick: all $(BENCH_TOOLS) ## the same in one short round
	BENCH_ROUNDS=1 BENCH_BYTES=2G BENCH_SECONDS=0.3 BENCH_PAUSE=3 $(BENCH_RUN)

.PHONY: bench bench-quick
