/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter(9) as the machine has it that option LIBVNET_COUNTER names.  A
 * counter is a slot a CPU; the machines differ in how a slot is changed, and
 * so in what can come between:
 *
 *   amd64	one instruction, from any context; nothing comes between on
 *		the same CPU.  The default.
 *   i386	cmpxchg8b, not locked: two reads of 32 bits, then one
 *		instruction, until it finds what was read.  Reading is a
 *		rendezvous.
 *   i386_nocx8	two additions of 32 bits in a critical section.  Such machines
 *		have one CPU.
 *   generic	a load and a store in a critical section
 *   generic32	the same by halves: four accesses of 32 bits
 *
 * Where a tool looks at memory accesses it sees those of the machine, and none
 * is a data race: a counter may be read while it changes.
 */
#ifndef _MACHINE_COUNTER_H_
#define _MACHINE_COUNTER_H_

#include <sys/pcpu.h>
#include <sys/systm.h>
#ifdef INVARIANTS
#include <sys/proc.h>
#endif
#include <machine/atomic.h>
#include <machine/explore.h>

#define LVK_COUNTER_amd64 1
#define LVK_COUNTER_i386 2
#define LVK_COUNTER_i386_nocx8 3
#define LVK_COUNTER_generic 4
#define LVK_COUNTER_generic32 5
#define LVK_COUNTER_(form) LVK_COUNTER_##form
#define LVK_COUNTER_OF(form) LVK_COUNTER_(form)
#ifndef LIBVNET_COUNTER
#define LIBVNET_COUNTER amd64
#endif
#define LVK_COUNTER LVK_COUNTER_OF(LIBVNET_COUNTER)
#if LVK_COUNTER < 1 || LVK_COUNTER > 5
#error LIBVNET_COUNTER is amd64, i386, i386_nocx8, generic or generic32
#endif
#define LVK_COUNTER_CRITICAL (LVK_COUNTER >= LVK_COUNTER_i386_nocx8)

/* Takes what is counted before counters can be allocated. */
extern uint64_t lvk_early_counter;
#define EARLY_COUNTER (&lvk_early_counter)

/* ---- what is checked */

#ifdef INVARIANTS
extern __thread int lvk_counter_depth;	/* sections the thread is in */
extern volatile u_int lvk_gauges;	/* counters that may not sink below 0 */
void	lvk_counter_sleeps(const char *what);
void	lvk_counter_outside(const char *what, const char *file, int line);
void	lvk_gauge_check(uint64_t *c);

#define LVK_COUNTER_CHECK(c, what) do {					\
	KASSERT((c) != NULL, (what ": counter is NULL; allocate it with " \
	    "counter_u64_alloc() before use"));				\
	KASSERT(IS_BSP() || (c) != EARLY_COUNTER,			\
	    ("EARLY_COUNTER used on CPU %u", PCPU_GET(cpuid)));		\
} while (0)
#define LVK_GAUGE_CHECK(c) do {						\
	if (__predict_false(atomic_load_int(&lvk_gauges) != 0))		\
		lvk_gauge_check(c);					\
} while (0)
#define LVK_COUNTER_ENTER() ((void)lvk_counter_depth++)
#define LVK_COUNTER_EXIT() do {						\
	if (__predict_false(lvk_counter_depth == 0))			\
		lvk_counter_outside("counter_exit", __FILE__, __LINE__); \
	else								\
		lvk_counter_depth--;					\
} while (0)
#define LVK_COUNTER_INSIDE(what) do {					\
	if (__predict_false(lvk_counter_depth == 0 &&			\
	    curthread->td_critnest == 0))				\
		lvk_counter_outside(what, __FILE__, __LINE__);		\
} while (0)
#else
#define LVK_COUNTER_CHECK(c, what) do { } while (0)
#define LVK_GAUGE_CHECK(c) do { } while (0)
#define LVK_COUNTER_ENTER() do { } while (0)
#define LVK_COUNTER_EXIT() do { } while (0)
#define LVK_COUNTER_INSIDE(what) do { } while (0)
#endif

#if LVK_COUNTER_CRITICAL
#define counter_enter() do {						\
	critical_enter();						\
	LVK_COUNTER_ENTER();						\
} while (0)
#define counter_exit() do {						\
	LVK_COUNTER_EXIT();						\
	critical_exit();						\
} while (0)
#else
#define counter_enter() LVK_COUNTER_ENTER()
#define counter_exit() LVK_COUNTER_EXIT()
#endif

/* ---- a slot */

#if defined(LVK_INSTRUMENTED) || defined(__SANITIZE_THREAD__)
#define LVK_COUNTER_SEEN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LVK_COUNTER_SEEN
#endif
#endif

#define lvk_half(p, n) ((volatile uint32_t *)(p) + (n))

static __inline uint64_t
lvk_halves_load(const uint64_t *p)
{
	uint32_t low = atomic_load_32(lvk_half(p, 0));

	return (low | (uint64_t)atomic_load_32(lvk_half(p, 1)) << 32);
}

static __inline void
lvk_halves_store(uint64_t *p, uint64_t v)
{
	atomic_store_32(lvk_half(p, 0), (uint32_t)v);
	atomic_store_32(lvk_half(p, 1), (uint32_t)(v >> 32));
}

/*
 * An instruction without a lock prefix: nothing of its own CPU comes between
 * its read and its write, and both are of one CPU's slot.
 */
#if LVK_COUNTER == LVK_COUNTER_amd64

static __inline void
lvk_slot_add(counter_u64_t c, int64_t inc)
{
	uint64_t *p;

	LVK_INSN_BEGIN();
	p = zpcpu_get(c);
#ifdef LVK_COUNTER_SEEN
	atomic_store_64(p, atomic_load_64(p) + (uint64_t)inc);
#else
	*p += (uint64_t)inc;
#endif
	LVK_INSN_END();
}
#define lvk_slot_load(p) atomic_load_64(p)
#define lvk_slot_zero(c) atomic_store_64(zpcpu_get(c), 0)

#elif LVK_COUNTER == LVK_COUNTER_i386

/*
 * False, and what is there in *old, where it was not *old.  It always writes:
 * what it read, if nothing else.
 */
static __inline bool
lvk_cmpxchg8b(counter_u64_t c, uint64_t *old, uint64_t new)
{
	uint64_t *p, v;

	LVK_INSN_BEGIN();
	p = zpcpu_get(c);
	v = atomic_load_64(p);
	atomic_store_64(p, v == *old ? new : v);
	LVK_INSN_END();
	if (v == *old)
		return (true);
	*old = v;
	return (false);
}

static __inline uint64_t
lvk_slot_guess(counter_u64_t c)
{
	uint32_t low = atomic_load_32(lvk_half(zpcpu_get(c), 0));

	return (low | (uint64_t)atomic_load_32(lvk_half(zpcpu_get(c), 1)) <<
	    32);
}

static __inline void
lvk_slot_add(counter_u64_t c, int64_t inc)
{
	uint64_t old = lvk_slot_guess(c);

	while (!lvk_cmpxchg8b(c, &old, old + (uint64_t)inc))
		;
}

/* In a rendezvous, both. */
static __inline uint64_t
lvk_slot_read(counter_u64_t c)
{
	uint64_t v = 0;

	(void)lvk_cmpxchg8b(c, &v, v);
	return (v);
}

static __inline void
lvk_slot_zero(counter_u64_t c)
{
	uint64_t old = lvk_slot_guess(c);

	while (!lvk_cmpxchg8b(c, &old, 0))
		;
}

#elif LVK_COUNTER == LVK_COUNTER_i386_nocx8

static __inline uint32_t
lvk_addl(volatile uint32_t *p, uint32_t inc)
{
	uint32_t sum;

	LVK_INSN_BEGIN();
	sum = atomic_load_32(p) + inc;
	atomic_store_32(p, sum);
	LVK_INSN_END();
	return (sum);
}

static __inline void
lvk_slot_add(counter_u64_t c, int64_t inc)
{
	uint64_t *p = zpcpu_get(c);
	uint32_t low = (uint32_t)inc;
	bool carry = lvk_addl(lvk_half(p, 0), low) < low;

	(void)lvk_addl(lvk_half(p, 1), (uint32_t)((uint64_t)inc >> 32) + carry);
}
#define lvk_slot_load(p) lvk_halves_load(p)

#elif LVK_COUNTER == LVK_COUNTER_generic

static __inline void
lvk_slot_add(counter_u64_t c, int64_t inc)
{
	uint64_t *p = zpcpu_get(c), v = atomic_load_64(p);

	atomic_store_64(p, v + (uint64_t)inc);
}
#define lvk_slot_load(p) atomic_load_64(p)
#define lvk_slot_zero(c) atomic_store_64(zpcpu_get(c), 0)

#else /* generic32 */

static __inline void
lvk_slot_add(counter_u64_t c, int64_t inc)
{
	uint64_t *p = zpcpu_get(c);

	lvk_halves_store(p, lvk_halves_load(p) + (uint64_t)inc);
}
#define lvk_slot_load(p) lvk_halves_load(p)
#define lvk_slot_zero(c) lvk_halves_store(zpcpu_get(c), 0)

#endif

/* ---- adding */

static __inline void
counter_u64_add(counter_u64_t c, int64_t inc)
{
	LVK_COUNTER_CHECK(c, "counter_u64_add");
#if LVK_COUNTER_CRITICAL
	critical_enter();
	lvk_slot_add(c, inc);
	critical_exit();
#else
	lvk_slot_add(c, inc);
#endif
	LVK_GAUGE_CHECK(c);
}

#define counter_u64_add_protected(c, inc) do {				\
	counter_u64_t lvk_c = (c);					\
	int64_t lvk_inc = (inc);					\
									\
	LVK_COUNTER_CHECK(lvk_c, "counter_u64_add_protected");		\
	LVK_COUNTER_INSIDE("counter_u64_add_protected");		\
	lvk_slot_add(lvk_c, lvk_inc);					\
	LVK_GAUGE_CHECK(lvk_c);						\
} while (0)

/* ---- all slots */

#ifdef IN_SUBR_COUNTER_C
#include <sys/smp.h>

#if LVK_COUNTER == LVK_COUNTER_i386

struct lvk_fetch {
	uint64_t *lf_counter;
	uint64_t lf_sum;
};

static void
lvk_fetch_one_cpu(void *arg)
{
	struct lvk_fetch *f = arg;

	atomic_add_64(&f->lf_sum, lvk_slot_read(f->lf_counter));
}

static __inline uint64_t
counter_u64_fetch_inline(uint64_t *c)
{
	struct lvk_fetch f = { c, 0 };

	if (c == EARLY_COUNTER)
		return (*c);
	smp_rendezvous(NULL, lvk_fetch_one_cpu, NULL, &f);
	return (f.lf_sum);
}

#else

static __inline uint64_t
counter_u64_fetch_inline(uint64_t *c)
{
	uint64_t sum = 0;
	int cpu;

	if (c == EARLY_COUNTER)
		return (*c);
#if LVK_COUNTER == LVK_COUNTER_i386_nocx8
	critical_enter();
#endif
	CPU_FOREACH(cpu)
		sum += lvk_slot_load(zpcpu_get_cpu(c, cpu));
#if LVK_COUNTER == LVK_COUNTER_i386_nocx8
	critical_exit();
#endif
	return (sum);
}

#endif

#if LVK_COUNTER == LVK_COUNTER_i386_nocx8

static __inline void
counter_u64_zero_inline(counter_u64_t c)
{
	int cpu;

	critical_enter();
	CPU_FOREACH(cpu)
		lvk_halves_store(zpcpu_get_cpu(c, cpu), 0);
	critical_exit();
}

#else

static void
counter_u64_zero_one_cpu(void *arg)
{
	counter_u64_t c = arg;

	lvk_slot_zero(c);
}

static __inline void
counter_u64_zero_inline(counter_u64_t c)
{
	smp_rendezvous(smp_no_rendezvous_barrier, counter_u64_zero_one_cpu,
	    smp_no_rendezvous_barrier, c);
}

#endif
#endif /* IN_SUBR_COUNTER_C */

#endif /* _MACHINE_COUNTER_H_ */
