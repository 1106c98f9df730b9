/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exploration: run a few kernel threads again and again, each time in another
 * order, and find the order that breaks them.
 *
 *	static void add(void *arg) { counter++; }
 *	static bool both(void *arg) { return (counter == 2); }
 *
 *	libvnet_explore(&(struct libvnet_explore){
 *	    .threads = { { "a", add }, { "b", add } }, .check = both }, NULL);
 *
 * In a build with LIBVNET_EXPLORE (presets explore and explore-asan) every
 * memory access and atomic of the code under test, of the test itself and of
 * libvnet's stand-ins for a tree's files is a place where another thread may
 * go on, and so are locks, epochs, sleep and wakeup.  Kernel code that a
 * kernel cannot preempt there is not: in a critical section, or with a spin
 * lock, a thread keeps its CPU; threads on other CPUs interleave with it.
 * libvnet's own allocator, locks and scheduler run in one piece.
 *
 * A schedule fails by a finding, a panic, a failed assertion, a failed check,
 * a deadlock, a livelock (more than `steps'), use of freed memory, or a data
 * race.  The first one ends the exploration: it is shrunk to the fewest
 * switches of threads, and is reported as a finding "schedule", "race" or
 * "percpu" with a token and the interleaving.  LIBVNET_SCHEDULE=TOKEN in the
 * environment, or `token', makes that schedule again, and nothing else.
 *
 * LIBVNET_DFS leaves out schedules that cannot differ from one that it tries,
 * and says in `complete' that it has come to the end.  In a build by clang's
 * coverage (explore-asan) an access by volatile is like any other, a copy of a
 * struct may be unseen without AddressSanitizer, and so is a function whose
 * first statements end in one that never returns.
 *
 * A data race is two accesses of one place, one of them a write, not both
 * atomic, between which nothing orders the threads: no lock, no atomic with
 * acquire and release, no epoch's grace period, no sleep and wakeup, no start
 * or end of a thread, no callout.  An access by volatile counts as a relaxed
 * atomic; so does a plain read against an atomic write, unless `strict'.
 */
#ifndef LIBVNET_EXPLORE_H
#define LIBVNET_EXPLORE_H

#include <libvnet/types.h>

LIBVNET_BEGIN

#define LIBVNET_EXPLORE_THREADS 16	/* most that a test can start */
#define LIBVNET_EXPLORE_CPUS 64
#define LIBVNET_EXPLORE_TOKEN 4096	/* bytes, the NUL too */

enum libvnet_strategy {
	LIBVNET_RANDOM,		/* switch at random, often or seldom */
	LIBVNET_PCT,		/* random priorities, changed depth - 1 times */
	LIBVNET_DFS,		/* all schedules with so many preemptions */
	LIBVNET_ROUND_ROBIN	/* each so many steps in turn */
};

enum libvnet_races {
	LIBVNET_RACES_FAIL,
	LIBVNET_RACES_OFF
};

struct libvnet_explore_thread {
	const char *name;	/* NULL: "thread N" */
	void	(*fn)(void *arg);
	void	 *arg;
	int	  cpu;		/* where it starts */
};

/*
 * What to explore.  A zeroed member asks for the default, which is named
 * here; threads, at least one, and `check' must be given.
 */
struct libvnet_explore {
	/* The threads end with the first whose fn is NULL. */
	struct libvnet_explore_thread threads[LIBVNET_EXPLORE_THREADS];
	void	(*setup)(void *arg);	/* before each schedule, on thread0 */
	bool	(*check)(void *arg);	/* after it: false fails */
	void	 *arg;			/* of both */

	enum libvnet_strategy strategy;
	unsigned long schedules;	/* at most; 10000 */
	uint64_t seed;			/* 0: that of boot */
	int	 depth;			/* PCT: 3 */
	int	 preemptions;		/* DFS: 2; -1: any number */
	unsigned long quantum;		/* round robin: 10 steps */
	unsigned long steps;		/* of one schedule; 100000 */
	/*
	 * Callouts, timeouts and epoch callbacks that come while threads run,
	 * at times that the strategy chooses; others come when all wait.
	 * 0: 4; -1: none.
	 */
	int	 events;
	bool	 migrate;		/* to another CPU where it may */

	enum libvnet_races races;
	bool	 strict;		/* see above */
	/*
	 * Races are let pass where one of the two places, "function at
	 * file:line", matches this POSIX extended regular expression: for
	 * what is known and meant.
	 */
	const char *ignore;
	/*
	 * setup() puts back whatever the threads changed, memory they took
	 * included.  Else the world is put back from a snapshot, which costs
	 * some 10 to 20 microseconds a schedule.
	 */
	bool	 setup_restores;
	bool	 twice;			/* each schedule, and compare */
	bool	 quiet;			/* no finding, only the result */
	const char *token;		/* this schedule only */
};

enum libvnet_schedule_end {
	LIBVNET_SCHEDULE_OK,
	LIBVNET_SCHEDULE_CHECK,		/* check() said false */
	LIBVNET_SCHEDULE_ASSERT,
	LIBVNET_SCHEDULE_PANIC,
	LIBVNET_SCHEDULE_FINDING,
	LIBVNET_SCHEDULE_DEADLOCK,
	LIBVNET_SCHEDULE_LIVELOCK,
	LIBVNET_SCHEDULE_RACE,
	LIBVNET_SCHEDULE_PERCPU,	/* a race about data of a CPU */
	LIBVNET_SCHEDULE_FREED,		/* use of freed memory */
	LIBVNET_SCHEDULE_NONDETERMINISM,
	LIBVNET_SCHEDULE_DIVERGED	/* the token is of other code */
};

struct libvnet_explore_result {
	enum libvnet_schedule_end end;	/* of the one that failed, or OK */
	unsigned long schedules;	/* tried until then */
	bool	 complete;		/* DFS: there are no others, with so
					 * many preemptions and no moves of
					 * threads to other CPUs */
	unsigned preemptions, switches;	/* of the shrunk one */
	uint64_t hash;			/* of its trace, in this process */
	unsigned long steps;		/* longest schedule */
	char	 token[LIBVNET_EXPLORE_TOKEN];
	char	 message[1024];
	const char *report;		/* until the next exploration; or NULL */
};

/*
 * Explore.  Kernel world is afterwards as it was before.  `result' may be
 * NULL.  For thread0, outside critical and epoch sections.
 *
 * 0               done; what came of it is in the finding and in `result'
 * LIBVNET_EINVAL  an option is out of range, or the token is none
 * LIBVNET_ENOTSUP the build is without LIBVNET_EXPLORE, or kernel threads
 *                 are host threads
 * LIBVNET_EBUSY, LIBVNET_ENOTBOOTED, LIBVNET_ETHREAD  as a snapshot's
 */
int	libvnet_explore(const struct libvnet_explore *what,
	    struct libvnet_explore_result *result);

LIBVNET_END

#endif /* LIBVNET_EXPLORE_H */
