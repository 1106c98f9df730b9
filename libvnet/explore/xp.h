/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of libvnet/explore share.
 *
 * A schedule is one run of the test's threads.  It is a row of steps: each
 * access that instrumented code is about to make, each event that kernel
 * world announces as a point, and each time that a thread cannot go on.  At a
 * step the strategy may choose who goes on.  A schedule is written down as
 * what differs from the default, which is: who runs goes on; when it cannot,
 * the next one by number does; callouts and timeouts when nobody else can.
 */
#ifndef LIBVNET_XP_H
#define LIBVNET_XP_H

#include <setjmp.h>

#include "host.h"
#include "seam_explore.h"
#include "libvnet/explore.h"

#define XP_NONE (-2)		/* no thread */
#define XP_EVENTS (x.ntest)	/* the thread that events run on */
#define BIT(i) ((uint64_t)1 << (i))

/* Who goes on, and where: thread + VNX_THREADS * (CPU + 1), CPU -1: as is. */
struct xp_choice {
	int	 thread, cpu;
};
/* A choice that was not the default. */
struct xp_deviation {
	uint32_t step;
	int16_t	 thread, cpu;	/* cpu -1: where it is */
};
struct xp_schedule {
	struct xp_deviation *dev;
	unsigned n, room;
	uint32_t hash;		/* of what does not depend on addresses */
};

enum xp_verdict {
	XP_RUNNING, XP_OK, XP_CHECK, XP_ASSERT, XP_PANIC, XP_FINDING,
	XP_DEADLOCK, XP_LIVELOCK, XP_RACE, XP_PERCPU, XP_FREED, XP_SETUP
};

/* Kinds of access. */
#define XP_READ 0
#define XP_WRITE 1
#define XP_ATOMIC 2		/* or volatile */
#define XP_FREES 4
#define XP_ISWRITE(kind) (((kind) & XP_WRITE) != 0)

struct xp_thread {
	const char *name;
	uintptr_t stack, stack_end;
	const void *key;
	const void *blocked;	/* what for, where the bit is set */
	uint32_t seen;		/* blocked on anything: step of the last look */
	uint64_t before;	/* those that come first, after a yield */
	int	 cpu;
	uint32_t steps;		/* of its own */
	int	 critical, intr, insn;
	int	 home_cpu;	/* while it acts on another */
	int	 held_there;
	uint32_t locks;		/* held.c */
	bool	 over;
	bool	 stopped;	/* before an access */
	bool	 idle;		/* XP_EVENTS: no event is under way */
};

struct xp_strategy {
	const char *name;
	/* Before a schedule; false: there is none left. */
	bool	(*begin)(void);
	/* `cur' is XP_NONE where it cannot go on. */
	struct xp_choice (*pick)(uint64_t enabled, int cur, int def);
	/* After it. */
	void	(*end)(void);
	bool	filters;	/* wants to be asked at conflicts only */
};

struct xp {
	/* ---- this schedule */
	uint32_t step, ask;	/* the strategy is asked at step `ask' */
	uint32_t hash;
	uint64_t full;		/* addresses too */
	int	 cur, next;
	uint64_t ready, blocked, gone, waits;	/* waits: `before' not empty */
	int	 nthreads;
	enum xp_verdict verdict;
	char	 message[1024];
	unsigned switches, preemptions, idle_events, early;
	struct xp_schedule sched;	/* as it goes */
	struct xp_thread thread[VNX_THREADS];
	int	 holder[LIBVNET_EXPLORE_CPUS];
	bool	 trace;
	enum { XP_ONCE, XP_FIRST, XP_SECOND } twice;
	uint32_t lost;		/* replay: step where it could not follow */

	/* ---- for all of them */
	const struct libvnet_explore *o;
	const struct xp_strategy *strategy;
	int	 ntest, ncpus;
	uint32_t budget;
	uint64_t random;
	uintptr_t own, own_size;	/* host thread's own memory */
	uintptr_t pcpus, pcpus_size;
	uint32_t steps_max;
	bool	 stacks;		/* stacks are shared memory too */
	bool	 races, freed;
	unsigned long schedules;
	jmp_buf	 out;
};
extern struct xp x;
extern int xp_on;		/* threads of a schedule run */

/* ---- point.c */
void	xp_schedule_reset(void);
/* The current thread could go on: does it?  Returns when it does. */
void	xp_ask(void);
/* It goes on no more in this schedule. */
__attribute__((noreturn)) void xp_go_home(void);
/* The schedule ends here; returns where kernel world has to come home first. */
void	xp_stop(enum xp_verdict v, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));
uint64_t xp_enabled(void);
/* It is there, and nobody keeps it for himself. */
bool	xp_stays(int thread);
bool	xp_cpu_free(int cpu);

/* ---- event.c */
/* The thread is about to make an access. */
void	xp_access(uintptr_t addr, unsigned size, unsigned kind, uintptr_t pc);
bool	xp_is_point(int event);

/* ---- strategy.c */
const struct xp_strategy *xp_strategy_of(enum libvnet_strategy);
extern const struct xp_strategy xp_replay;
void	xp_replay_set(const struct xp_schedule *);
uint64_t xp_random(void);

/* ---- dfs.c */
extern const struct xp_strategy xp_dfs;
void	xp_dfs_reset(void);
bool	xp_dfs_complete(void);
/* Whether this address is one that threads conflict about. */
bool	xp_conflicts(uintptr_t addr, unsigned size);
void	xp_conflict_add(uintptr_t granule);

/* ---- clock.c: who has seen what */
typedef uint32_t vclock[VNX_THREADS];
extern vclock xp_clocks[VNX_THREADS];
extern uint32_t xp_generation;
void	xp_clock_reset(void);
void	xp_race_begin(int id);
void	xp_race_event(int event, const void *object);
void	xp_race_atomic(uintptr_t addr, bool load, bool store, int order);
void	xp_race_fence(int order);

/* ---- race.c */
void	xp_race_reset(void);
void	xp_race_access(uintptr_t addr, unsigned size, unsigned kind,
	    uintptr_t pc);
/* What was there before is no matter any more. */
void	xp_race_forget(uintptr_t addr, size_t size);
void	xp_race_describe(char *buf, size_t size);
/* NULL, or what is wrong with the expression of places to be ignored. */
const char *xp_race_ignore(const char *pattern);

/* ---- held.c */
void	xp_held_reset(void);
void	xp_held(const void *lock, const char *name, bool now);
void	xp_held_names(uint32_t set, char *buf, size_t size);

/* ---- run.c */
enum xp_verdict xp_run(void);
enum xp_verdict xp_replay_run(const struct xp_schedule *);
/* Depth first, for one that ends so with fewer preemptions. */
void	xp_search_fewer(struct xp_schedule *, enum xp_verdict,
	    unsigned preemptions, unsigned switches);
void	xp_schedule_copy(struct xp_schedule *to, const struct xp_schedule *from);

/* ---- twice.c */
void	xp_twice_first(void);
void	xp_twice_second(void);
void	xp_twice_step(uintptr_t pc);
bool	xp_twice_same(void);
void	xp_twice_describe(char *buf, size_t size);

/* ---- token.c */
void	xp_token(const struct xp_schedule *, char *buf, size_t size);
/* NULL, or what is wrong with it. */
const char *xp_token_parse(const char *text, struct xp_schedule *);

/* ---- shrink.c */
void	xp_shrink(struct xp_schedule *, enum xp_verdict);

/* ---- report.c */
void	xp_trace(uint32_t step, int kind, uintptr_t addr, unsigned size,
	    uintptr_t pc, const char *name);
char	*xp_report(const struct xp_schedule *);
void	xp_trace_reset(void);
void	xp_place(uintptr_t addr, char *buf, size_t size);
/* What was traced, as stretches; to be freed. */
struct xp_stretch {
	int	 thread;
	unsigned n;
};
struct xp_stretch *xp_stretches(unsigned *n);

#endif /* LIBVNET_XP_H */
