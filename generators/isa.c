/* Instruction sets; see isa.h. */
#include "generators/isa.h"

/* Indexed by enum isa. */
const char *isa_name(enum isa isa)
{
	static const char *const names[ISA_COUNT] = {"scalar", "avx2"};

	return names[isa];
}

/* The compiler's own run-time library asks CPUID and XGETBV. */
bool isa_runs_here(enum isa isa)
{
	switch (isa) {
	case ISA_SCALAR:
		return true;
#if defined(__x86_64__) || defined(__i386__)
	case ISA_AVX2:
		return __builtin_cpu_supports("avx2");
#endif
	default:
		return false;
	}
}
