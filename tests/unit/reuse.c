/*
 * When a page is written again, in one thread and so without chance: readers that hold pages as long as
 * they like, and what the writer makes of its ring meanwhile and afterwards.
 */
#include "tests/unit/rig.h"

enum { KIB = 1024, MIB = 1024 * KIB };

/* Pushed in a run: several turns of every ring, the longest at least twice. Sanitizers are slow. */
#ifdef __SANITIZE_ADDRESS__
enum { HALVES = 280 };
#else
enum { HALVES = 400 };
#endif

/* The shapes: ring and push, 0 for the default. */
static const size_t shapes[][2] = {
	{0, 0},
	{256 * KIB, 0},
	{1 * MIB, 0},
	{4 * MIB, 0},
	{6 * MIB, 128 * KIB},
	{8 * MIB, 1 * MIB},
	{16 * MIB, 512 * KIB},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Random holding and releasing, never more than `limit` bytes onward; returns how many words were wrong. */
static uint64_t hold_at_random(enum pc_method method, const size_t shape[2], size_t slack, size_t limit,
                               uint64_t seed, size_t halves)
{
	struct pc_options options = rig_options(method, shape[0], shape[1]);
	struct rig rig;

	options.slack = slack;
	rig_open(&rig, &options);
	for (size_t i = 0; i < halves; i++) {
		rig_push(&rig);
		size_t content = rig_content(&rig);

		/* In order: what is read at once must not overtake what is held. */
		if (content <= limit && (next_random(&seed) % 8 || rig.count)) {
			rig_release_to(&rig, limit - content);
			while (rig.count + content / RIG_HOLD + 2 > RIG_HOLDERS)
				rig_release(&rig);
			rig_hold(&rig);
		} else {
			rig_release_to(&rig, 0);
			rig_read(&rig);
		}
		if (next_random(&seed) % 16 == 0)
			rig_release_to(&rig, next_random(&seed) % (limit + 1));
	}
	assert_int_equal(pc_writer_finish(rig.writer), 0);
	rig_release_to(&rig, 0);
	rig_read(&rig);
	assert_true(rig.taken == rig.pushed);
	assert_true(pc_writer_stats(rig.writer).bytes == rig.pushed);
	rig_close(&rig);
	return rig.wrong;
}

/* Every shape and several limits of what is held by one method that promises everything. */
static void exact_for_every_reader(enum pc_method method)
{
	static const size_t limits[] = {1 * MIB, 24 * MIB};

	for (size_t shape = 0; shape < SHAPES; shape++) {
		for (size_t limit = 0; limit < sizeof limits / sizeof *limits; limit++) {
			uint64_t wrong = hold_at_random(method, shapes[shape], 0, limits[limit],
			                                1 + shape + limit * 97, HALVES);

			if (wrong)
				fail_msg("ring %zu push %zu, %zu held: %ju words wrong", shapes[shape][0],
				         shapes[shape][1], limits[limit], (uintmax_t)wrong);
		}
	}
}

/* The default method. */
static void auto_is_exact(void **state)
{
	(void)state;
	exact_for_every_reader(PC_AUTO);
}

/* As asked for; where the kernel does not keep the rule the writer falls back, and is exact too. */
static void fence_is_exact(void **state)
{
	(void)state;
	exact_for_every_reader(PC_FENCE);
}

/* Nothing is ever written again. */
static void fresh_is_exact(void **state)
{
	(void)state;
	exact_for_every_reader(PC_FRESH);
}

/* Nothing is ever shared. */
static void write_is_exact(void **state)
{
	(void)state;
	exact_for_every_reader(PC_WRITE);
}

/* Method ring promises it for what its slack says. */
static void ring_is_exact_within_its_slack(void **state)
{
	static const size_t slacks[] = {1 * MIB, 2 * MIB, 5 * MIB, 16 * MIB};

	(void)state;
	for (size_t shape = 0; shape < SHAPES; shape++) {
		for (size_t i = 0; i < sizeof slacks / sizeof *slacks; i++) {
			uint64_t wrong = hold_at_random(PC_RING, shapes[shape], slacks[i], slacks[i],
			                                31 + shape, HALVES);

			if (wrong)
				fail_msg("ring %zu push %zu, slack %zu: %ju words wrong", shapes[shape][0],
				         shapes[shape][1], slacks[i], (uintmax_t)wrong);
		}
		/* The default slack is at least 1 MiB. */
		assert_true(hold_at_random(PC_RING, shapes[shape], 0, 1 * MIB, 7 + shape, HALVES) == 0);
	}
}

/* The test above can fail: held beyond the slack, pages are written again, and that is seen. */
static void beyond_the_slack_is_seen(void **state)
{
	static const size_t shape[2] = {4 * MIB, 0};

	(void)state;
	if (!rig_kernel_shares())
		skip();
	assert_true(hold_at_random(PC_RING, shape, 1 * MIB, 24 * MIB, 3, 600) > 0);
}

/* Method ring with no slack at all: exact for readers that read, even if the pipe grows in between. */
static void ring_follows_the_capacity(void **state)
{
	static const int capacities[] = {64 * KIB, 1 * MIB, 4 * KIB, 128 * KIB, 512 * KIB};
	struct pc_options options = rig_options(PC_RING, 256 * KIB, 4 * KIB);
	struct rig rig;

	(void)state;
	options.half = 4 * KIB;
	options.slack = PC_NO_SLACK;
	options.pipe_size = 64 * KIB;
	rig_open(&rig, &options);
	uint64_t seed = 5;

	for (int i = 0; i < 20000; i++) {
		if (i % 300 == 0) {
			rig_read(&rig);
			assert_true(fcntl(rig.pipe[0], F_SETPIPE_SZ, capacities[i / 300 % 5]) > 0);
		}
		/* As full as it can be without waiting: often more than the capacity was, or than the ring
		 * is. */
		if (rig_content(&rig) + 4 * KIB > (size_t)capacities[i / 300 % 5] ||
		    next_random(&seed) % 1000 == 0)
			rig_read(&rig);
		rig_push(&rig);
	}
	rig_read(&rig);
	assert_true(rig.wrong == 0);
	rig_close(&rig);
}

/* A fence finds the ring free while nobody holds pages: nothing is replaced. */
static void fence_reuses_what_is_free(void **state)
{
	struct pc_options options = rig_options(PC_FENCE, 4 * MIB, 0);
	struct rig rig;

	(void)state;
	rig_open(&rig, &options);
	if (rig_method(&rig) != PC_FENCE) {
		rig_close(&rig);
		skip();
	}
	for (int i = 0; i < 1000; i++) {
		rig_push(&rig);
		rig_read(&rig);
	}
	struct pc_stats stats = pc_writer_stats(rig.writer);

	assert_true(rig.wrong == 0);
	assert_true(stats.fences > 0);
	assert_true(stats.spans_reused > 0);
	assert_true(stats.spans_fresh <= stats.spans_reused / 10);
	rig_close(&rig);
}

/* A writer that makes its fences lean must not leave out the ring of another one in the process. */
static void fence_beside_a_lean_writer(void **state)
{
	struct pc_options options = rig_options(PC_FENCE, 4 * MIB, 0);
	struct pc_writer *other = NULL;
	int ends[2];
	struct rig rig;

	(void)state;
	rig_open(&rig, &options);
	if (rig_method(&rig) != PC_FENCE) {
		rig_close(&rig);
		skip();
	}
	assert_int_equal(pipe(ends), 0);
	options.never_forks = true;
	assert_int_equal(pc_writer_open(&other, ends[1], &options), 0);
	for (int i = 0; i < 1000; i++) {
		rig_push(&rig);
		rig_read(&rig);
	}
	struct pc_stats stats = pc_writer_stats(rig.writer);

	assert_true(rig.wrong == 0);
	assert_true(stats.spans_reused > 0);
	assert_true(stats.spans_fresh <= stats.spans_reused / 10);
	pc_writer_close(other);
	close(ends[0]);
	close(ends[1]);
	rig_close(&rig);
}

/* Behind readers that hold more than the ring spans are replaced; soon after they let go, reused again. */
static void fence_is_fast_again_afterwards(void **state)
{
	struct pc_options options = rig_options(PC_FENCE, 4 * MIB, 0);
	struct rig rig;

	(void)state;
	rig_open(&rig, &options);
	if (rig_method(&rig) != PC_FENCE) {
		rig_close(&rig);
		skip();
	}
	for (int i = 0; i < 2000; i++) {
		rig_push(&rig);
		while (rig.count + 2 > RIG_HOLDERS || rig_held(&rig) > 24 * MIB)
			rig_release(&rig);
		rig_hold(&rig);
	}
	struct pc_stats holding = pc_writer_stats(rig.writer);

	assert_true(holding.spans_fresh > 50);
	rig_release_to(&rig, 0);
	/* Long enough for whatever rest it takes from fences. */
	for (int i = 0; i < 2000; i++) {
		rig_push(&rig);
		rig_read(&rig);
	}
	struct pc_stats settled = pc_writer_stats(rig.writer);

	for (int i = 0; i < 1000; i++) {
		rig_push(&rig);
		rig_read(&rig);
	}
	struct pc_stats after = pc_writer_stats(rig.writer);
	uint64_t reused = after.spans_reused - settled.spans_reused;
	uint64_t fresh = after.spans_fresh - settled.spans_fresh;

	assert_true(rig.wrong == 0);
	assert_true(reused > 20);
	assert_true(fresh <= reused / 10);
	rig_close(&rig);
}

/* One page held for ever costs one span, not the ring. */
static void fence_with_one_page_held_for_ever(void **state)
{
	struct pc_options options = rig_options(PC_FENCE, 16 * MIB, 0);
	struct rig rig;

	(void)state;
	rig_open(&rig, &options);
	for (int i = 0; i < 4; i++)
		rig_push(&rig);
	/* Teed, so that the rest can be read on. */
	assert_int_equal(tee(rig.pipe[0], rig.holders[0][1], 4096, 0), 4096);
	for (int i = 0; i < 4000; i++) {
		rig_read(&rig);
		rig_push(&rig);
	}
	struct pc_stats stats = pc_writer_stats(rig.writer);

	rig_check(&rig, rig.holders[0][0], 0, 4096);
	assert_true(rig.wrong == 0);
	if (rig_method(&rig) == PC_FENCE)
		assert_true(stats.spans_reused > stats.spans_fresh);
	rig_close(&rig);
}

/* Pages outlive their writer: what was pushed stays with the pipe. */
static void pages_outlive_the_writer(void **state)
{
	(void)state;
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		struct pc_options options = rig_options(method, 0, 0);
		struct rig rig;

		rig_open(&rig, &options);
		for (int i = 0; i < 4; i++)
			rig_push(&rig);
		assert_int_equal(pc_writer_finish(rig.writer), 0);
		pc_writer_close(rig.writer);
		rig.writer = NULL;
		/* Another writer takes memory, and may be given the same addresses. */
		struct pc_writer *other;
		unsigned char *half;
		size_t room;

		assert_int_equal(pc_writer_open(&other, rig.holders[0][1], &options), 0);
		for (int i = 0; i < 4; i++) {
			assert_int_equal(pc_writer_next(other, &half, &room), 0);
			memset(half, 0xff, room);
			assert_int_equal(pc_writer_push(other, room), 0);
		}
		pc_writer_close(other);
		rig_read(&rig);
		assert_true(rig.taken == rig.pushed && rig.wrong == 0);
		rig_close(&rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(auto_is_exact),
		cmocka_unit_test(fence_is_exact),
		cmocka_unit_test(fresh_is_exact),
		cmocka_unit_test(write_is_exact),
		cmocka_unit_test(ring_is_exact_within_its_slack),
		cmocka_unit_test(beyond_the_slack_is_seen),
		cmocka_unit_test(ring_follows_the_capacity),
		cmocka_unit_test(fence_reuses_what_is_free),
		cmocka_unit_test(fence_beside_a_lean_writer),
		cmocka_unit_test(fence_is_fast_again_afterwards),
		cmocka_unit_test(fence_with_one_page_held_for_ever),
		cmocka_unit_test(pages_outlive_the_writer),
	};

	return cmocka_run_group_tests_name("reuse", tests, NULL, NULL);
}
