/*
 * The loop of compare.c for vectors of WIDTH bytes: defines EQUAL, for the instruction set in
 * ATTRIBUTES. Included once for each; written in the compiler's portable vectors.
 */

#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define VECTOR GLUE(vector_, EQUAL)
#define LOOSE GLUE(loose_vector_, EQUAL)
#define PERIODS GLUE(periods_, EQUAL)

/* LOOSE is the same at any address. */
typedef uint64_t VECTOR __attribute__((vector_size(WIDTH)));
typedef uint64_t LOOSE __attribute__((vector_size(WIDTH), aligned(1), may_alias));

/* Macros, because a function that returns a vector has another ABI for each instruction set. */
#define LOAD(bytes) ((VECTOR) * (const LOOSE *)(const void *)(bytes))
#define DIFFERENCE(i, v) (LOAD(received + (i) + (v)*WIDTH) ^ LOAD(reference + (i) + (v)*WIDTH))

/*
 * Takes a period at a time, rounded up to `count` vectors: the bytes looked at twice are cheaper than a
 * remainder would be, and the pattern stays in registers. The last step ends where the bytes end; they
 * are `count` vectors or more. No branch depends on what the bytes are: differences are collected, and
 * the slow loop finds them again. `count` is a constant wherever this is inlined, so that no `if` of it
 * is left.
 */
static inline __attribute__((always_inline)) bool PERIODS(const unsigned char *received,
                                                          const unsigned char *reference,
                                                          const unsigned char *pattern, size_t period,
                                                          size_t phase, size_t size, size_t count)
{
	const VECTOR none = {0};
	const VECTOR p0 = LOAD(pattern + phase);
	const VECTOR p1 = count > 1 ? LOAD(pattern + phase + 1 * WIDTH) : none;
	const VECTOR p2 = count > 2 ? LOAD(pattern + phase + 2 * WIDTH) : none;
	const VECTOR p3 = count > 3 ? LOAD(pattern + phase + 3 * WIDTH) : none;
	const VECTOR p4 = count > 4 ? LOAD(pattern + phase + 4 * WIDTH) : none;
	const VECTOR p5 = count > 5 ? LOAD(pattern + phase + 5 * WIDTH) : none;
	const VECTOR p6 = count > 6 ? LOAD(pattern + phase + 6 * WIDTH) : none;
	const size_t last = size - count * WIDTH;
	VECTOR even = none;
	VECTOR odd = none;

	for (size_t i = 0; i <= last; i += period) {
		even |= DIFFERENCE(i, 0) ^ p0;
		if (count > 1)
			odd |= DIFFERENCE(i, 1) ^ p1;
		if (count > 2)
			even |= DIFFERENCE(i, 2) ^ p2;
		if (count > 3)
			odd |= DIFFERENCE(i, 3) ^ p3;
		if (count > 4)
			even |= DIFFERENCE(i, 4) ^ p4;
		if (count > 5)
			odd |= DIFFERENCE(i, 5) ^ p5;
		if (count > 6)
			even |= DIFFERENCE(i, 6) ^ p6;
	}
	pattern += (phase + last) % period;
	for (size_t v = 0; v < count; v++)
		odd |= DIFFERENCE(last, v) ^ LOAD(pattern + v * WIDTH);
	even |= odd;

	uint64_t any = 0;

	for (size_t lane = 0; lane < WIDTH / sizeof any; lane++)
		any |= even[lane];
	return any == 0;
}

/* One loop for each number of vectors in a period. */
ATTRIBUTES static bool EQUAL(const unsigned char *received, const unsigned char *reference,
                             const unsigned char *pattern, size_t period, size_t phase, size_t size)
{
	switch ((period + WIDTH - 1) / WIDTH) {
	case 1:
		return PERIODS(received, reference, pattern, period, phase, size, 1);
	case 2:
		return PERIODS(received, reference, pattern, period, phase, size, 2);
	case 3:
		return PERIODS(received, reference, pattern, period, phase, size, 3);
	case 4:
		return PERIODS(received, reference, pattern, period, phase, size, 4);
	case 5:
		return PERIODS(received, reference, pattern, period, phase, size, 5);
	case 6:
		return PERIODS(received, reference, pattern, period, phase, size, 6);
	default:
		return PERIODS(received, reference, pattern, period, phase, size, 7);
	}
}

#undef GLUE_
#undef GLUE
#undef VECTOR
#undef LOOSE
#undef PERIODS
#undef LOAD
#undef DIFFERENCE
#undef EQUAL
#undef WIDTH
#undef ATTRIBUTES
