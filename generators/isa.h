/*
 * Instruction sets that kernels are written for, and what this CPU and its operating system can run.
 * Kernel files are compiled for one of them each; nothing else may be.
 */
#ifndef GENERATORS_ISA_H
#define GENERATORS_ISA_H

#include <stdbool.h>

/* From the plainest to the widest: the choice at run time is the last that can run. */
enum isa { ISA_SCALAR, ISA_AVX2, ISA_COUNT };

/* "scalar", "avx2": the argument of --isa. */
const char *isa_name(enum isa isa);

/* Whether this CPU has it and the operating system saves its registers (CPUID and XGETBV). */
bool isa_runs_here(enum isa isa);

#endif
