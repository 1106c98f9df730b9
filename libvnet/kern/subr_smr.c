/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: smr(9), FreeBSD's kern/subr_smr.c.
 * Fidelity: modelled
 * Differs: waiting lets others run instead of spinning, and panics where
 * nobody runs that could leave the section.  The count starts a little before
 * it wraps.
 *
 * The inlines of sys/smr.h say how it works.  A reader may be late: between
 * loading the count and noting it, all others may have gone on.  What it notes
 * then is less than s_rd_seq, and counts as that: it has seen nothing older,
 * for it reads only after it has noted.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/smr.h>
#include <vm/uma.h>

#undef malloc
#include <lvk.h>

#define STEP 2u				/* the count is odd: never 0 */
#define START (0u - 99)
#define LAZY_TICKS 2			/* a reader is seen after so many */
#define FAR_AHEAD (1u << 30)		/* half the numbers that compare */

static uma_zone_t shared_zone, cpu_zone;

/* ---- making */

void
smr_init(void)
{
	shared_zone = uma_zcreate("SMR SHARED", sizeof(struct smr_shared),
	    NULL, NULL, NULL, NULL, CACHE_LINE_SIZE - 1, 0);
	cpu_zone = uma_zcreate("SMR CPU", sizeof(struct smr), NULL, NULL,
	    NULL, NULL, CACHE_LINE_SIZE - 1, UMA_ZONE_PCPU);
}

smr_t
smr_create(const char *name, int limit, int flags)
{
	smr_shared_t s = uma_zalloc(shared_zone, M_WAITOK | M_ZERO);
	smr_t smr = uma_zalloc_pcpu(cpu_zone, M_WAITOK | M_ZERO), c;

	s->s_name = name;
	s->s_wr.seq = s->s_rd_seq = START;
	s->s_wr.ticks = ticks;
	for (u_int i = 0; i <= mp_maxid; i++) {
		c = zpcpu_get_cpu(smr, (int)i);
		c->c_seq = SMR_SEQ_INVALID;
		c->c_shared = s;
		c->c_limit = limit;
		c->c_flags = flags;
	}
	return (smr);
}

void
smr_destroy(smr_t smr)
{
	smr_shared_t s = zpcpu_get(smr)->c_shared;

	if ((zpcpu_get(smr)->c_flags & SMR_LAZY) == 0)
		smr_synchronize(smr);
	uma_zfree(shared_zone, s);
	uma_zfree_pcpu(cpu_zone, smr);
}

/* ---- counting */

/* By the clock: what is not seen now is when LAZY_TICKS have passed. */
static smr_seq_t
count_lazy(smr_shared_t s)
{
	union s_wr old, new;
	int t, passed;

	old._pair = atomic_load_acq_64(&s->s_wr._pair);
	t = ticks;
	new = old;
	passed = t - old.ticks;
	if (passed != 0) {
		if (passed < 0 || passed > LAZY_TICKS)
			passed = LAZY_TICKS;
		new.ticks = t;
		new.seq += (u_int)passed * STEP;
		/* Who else was faster did the same. */
		(void)atomic_cmpset_64(&s->s_wr._pair, old._pair, new._pair);
	}
	return (new.seq + LAZY_TICKS * STEP);
}

static smr_seq_t
count(smr_t smr, smr_shared_t s)
{
	smr_seq_t seen = atomic_load_acq_int(&s->s_rd_seq), goal;

	goal = atomic_fetchadd_int(&s->s_wr.seq, STEP) + STEP;
	if (SMR_SEQ_DELTA(goal, seen) >= (smr_delta_t)FAR_AHEAD)
		smr_wait(smr, goal - FAR_AHEAD / 2);
	return (goal);
}

smr_seq_t
smr_advance(smr_t smr)
{
	smr_shared_t s;
	smr_seq_t goal;
	smr_t self;

	KASSERT(!SMR_ENTERED(smr), ("smr_advance: in a section of \"%s\"; "
	    "free, or wait, behind smr_exit()",
	    zpcpu_get(smr)->c_shared->s_name));
	atomic_thread_fence_rel();
	critical_enter();
	self = zpcpu_get(smr);
	s = self->c_shared;
	if ((self->c_flags & SMR_LAZY) != 0)
		goal = count_lazy(s);
	else if ((self->c_flags & SMR_DEFERRED) != 0 &&
	    ++self->c_deferred < self->c_limit)
		goal = smr_shared_current(s) + STEP;
	else {
		self->c_deferred = 0;
		goal = count(smr, s);
	}
	critical_exit();
	return (goal);
}

/* ---- what readers have noted */

/*
 * The least, but no more than the count was before we looked.  What readers
 * did is acquired from each, and handed on with s_rd_seq: ThreadSanitizer does
 * not understand fences.
 */
static smr_seq_t
look(smr_t smr, smr_shared_t s, smr_seq_t seen, smr_seq_t counted)
{
	smr_seq_t least = counted, noted;
	u_int cpu;

	CPU_FOREACH(cpu) {
		noted = atomic_load_acq_int(
		    &zpcpu_get_cpu(smr, (int)cpu)->c_seq);
		if (noted == SMR_SEQ_INVALID)
			continue;
		if (SMR_SEQ_LT(noted, seen))
			noted = seen;
		least = SMR_SEQ_MIN(least, noted);
	}
	seen = atomic_load_acq_int(&s->s_rd_seq);
	if (SMR_SEQ_GT(least, seen)) {
		(void)atomic_cmpset_rel_int(&s->s_rd_seq, seen, least);
		seen = least;
	}
	return (seen);
}

static bool
try(smr_t smr, smr_seq_t goal, bool wait)
{
	smr_t self = zpcpu_get(smr);
	smr_shared_t s = self->c_shared;
	smr_seq_t seen, counted;

	if ((self->c_flags & SMR_LAZY) != 0)
		(void)count_lazy(s);
	seen = atomic_load_acq_int(&s->s_rd_seq);
	if (SMR_SEQ_LEQ(goal, seen))
		return (true);
	counted = atomic_load_acq_int(&s->s_wr.seq);
	if (SMR_SEQ_GT(goal, counted)) {
		/* Put off until now; or so old that numbers have wrapped. */
		if ((self->c_flags & (SMR_LAZY | SMR_DEFERRED)) == 0 ||
		    SMR_SEQ_DELTA(goal, counted) > LAZY_TICKS * (int)STEP)
			return (true);
		if (!wait)
			return (false);
		counted = atomic_fetchadd_int(&s->s_wr.seq, STEP) + STEP;
	}
	atomic_thread_fence_seq_cst();
	return (SMR_SEQ_LEQ(goal, look(smr, s, seen, counted)));
}

bool
smr_poll(smr_t smr, smr_seq_t goal, bool wait)
{
	const char *name = zpcpu_get(smr)->c_shared->s_name;
	struct lvk_turns turns = { 0 };
	bool reached;

	KASSERT(!wait || !SMR_ENTERED(smr),
	    ("smr_wait: in a section of \"%s\", which it waits for", name));
	KASSERT(!wait || (zpcpu_get(smr)->c_flags & SMR_LAZY) == 0,
	    ("smr_wait: \"%s\" is lazy, and only time helps; poll it", name));
	for (;;) {
		critical_enter();
		reached = try(smr, goal, wait);
		critical_exit();
		if (reached || !wait)
			break;
		if (!lvk_relinquish(&turns))
			panic("deadlock: smr_wait: a section of \"%s\" is open "
			    "and no other thread runs that could leave it",
			    name);
	}
	atomic_thread_fence_acq();
	return (reached);
}
