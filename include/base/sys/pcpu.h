/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_PCPU_H_
#define _SYS_PCPU_H_

#include <sys/param.h>
#include <sys/_lock.h>
#include <sys/_mutex.h>
#include <sys/_sx.h>
#include <sys/queue.h>
#include <sys/_rmlock.h>
#include <machine/pcpu.h>

/*
 * DPCPU_DEFINE: the per-CPU twin of VNET_DEFINE.  The set is the master, each
 * CPU has a copy, dpcpu_off[] is what to add to a master's address.
 */
#define DPCPU_SETNAME "set_pcpu"
#define DPCPU_SYMPREFIX "pcpu_entry_"

extern uintptr_t *__start_set_pcpu __weak_symbol;
extern uintptr_t *__stop_set_pcpu __weak_symbol;
extern uintptr_t dpcpu_off[];

#define DPCPU_START ((uintptr_t)&__start_set_pcpu)
#define DPCPU_STOP ((uintptr_t)&__stop_set_pcpu)
#define DPCPU_BYTES (DPCPU_STOP - DPCPU_START)
#define DPCPU_SIZE roundup2(DPCPU_BYTES, PAGE_SIZE)

#define DPCPU_NAME(n) pcpu_entry_##n
#define DPCPU_DECLARE(t, n) extern t DPCPU_NAME(n)
#define DPCPU_DEFINE(t, n) \
	struct _hack; t DPCPU_NAME(n) __section(DPCPU_SETNAME) __used __retain
#define DPCPU_DEFINE_STATIC(t, n) \
	static t DPCPU_NAME(n) __section(DPCPU_SETNAME) __used __retain

#define _DPCPU_PTR(b, n) \
	((__typeof(DPCPU_NAME(n)) *)((b) + (uintptr_t)&DPCPU_NAME(n)))
#define DPCPU_PTR(n) _DPCPU_PTR(PCPU_GET(dynamic), n)
#define DPCPU_GET(n) (*DPCPU_PTR(n))
#define DPCPU_SET(n, v) (*DPCPU_PTR(n) = (v))
#define DPCPU_ID_PTR(i, n) _DPCPU_PTR(dpcpu_off[(i)], n)
#define DPCPU_ID_GET(i, n) (*DPCPU_ID_PTR(i, n))
#define DPCPU_ID_SET(i, n, v) (*DPCPU_ID_PTR(i, n) = (v))
#define DPCPU_SUM(n) __extension__					\
({									\
	u_int _cpu;							\
	__typeof(*DPCPU_PTR(n)) _sum = 0;				\
									\
	CPU_FOREACH(_cpu)						\
		_sum += DPCPU_ID_GET(_cpu, n);				\
	_sum;								\
})

struct pcpu {
	struct thread *pc_curthread;
	struct thread *pc_idlethread;
	u_int pc_cpuid;
	STAILQ_ENTRY(pcpu) pc_allcpu;
	int pc_domain;
	uintptr_t pc_dynamic;
	uint64_t pc_early_dummy_counter;
	uintptr_t pc_zpcpu_offset;
	PCPU_MD_FIELDS;
} __aligned(CACHE_LINE_SIZE);

STAILQ_HEAD(cpuhead, pcpu);
extern struct cpuhead cpuhead;
extern struct pcpu *cpuid_to_pcpu[];
struct pcpu *pcpu_find(u_int);

#define curcpu PCPU_GET(cpuid)
#define UMA_PCPU_ALLOC_SIZE PAGE_SIZE

#include <machine/pcpu_aux.h>

#define curproc (curthread->td_proc)

#ifndef zpcpu_offset
#define zpcpu_offset() (PCPU_GET(zpcpu_offset))
#endif
#define zpcpu_offset_cpu(cpu) ((uintptr_t)UMA_PCPU_ALLOC_SIZE * (cpu))
#define zpcpu_get(base) \
	((__typeof(base))((char *)(base) + zpcpu_offset()))
#define zpcpu_get_cpu(base, cpu) \
	((__typeof(base))((char *)(base) + zpcpu_offset_cpu(cpu)))

#endif /* _SYS_PCPU_H_ */
