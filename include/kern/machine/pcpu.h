/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Per-CPU access without a segment register: the current thread and the
 * current CPU are thread-local variables of the host thread.  Stands before
 * a tree's own header, and works for any architecture.
 */
#ifndef _MACHINE_PCPU_H_
#define _MACHINE_PCPU_H_

#ifndef _SYS_CDEFS_H_
#error this file needs sys/cdefs.h as a prerequisite
#endif

#define PCPU_MD_FIELDS char __pc_pad[64]

#ifdef _KERNEL

#include <machine/explore.h>

struct pcpu;
struct thread;

extern __thread struct thread *lvk_curthread;
extern __thread struct pcpu *lvk_curpcpu;

#define curthread lvk_curthread
#define get_pcpu() (lvk_curpcpu)
#define PCPU_GET(member) (lvk_curpcpu->pc_##member)
#define PCPU_SET(member, value) (lvk_curpcpu->pc_##member = (value))
#define PCPU_PTR(member) (&lvk_curpcpu->pc_##member)
#ifdef LVK_INSTRUMENTED		/* one instruction on the machine */
#define PCPU_ADD(member, value) do {					\
	LVK_INSN_BEGIN();						\
	lvk_curpcpu->pc_##member += (value);				\
	LVK_INSN_END();							\
} while (0)
#else
#define PCPU_ADD(member, value) (lvk_curpcpu->pc_##member += (value))
#endif
#define PCPU_INC(member) PCPU_ADD(member, 1)
#define IS_BSP() (PCPU_GET(cpuid) == 0)

#endif /* _KERNEL */
#endif /* _MACHINE_PCPU_H_ */
