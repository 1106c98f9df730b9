/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smr(9): readers are let be, and memory goes when none can see it any more.
 *
 * Writers count: a sequence that only grows.  A reader notes on its CPU how
 * far the count was when it came in.  What was hidden before the count was
 * `goal' may go once no CPU has noted less.
 */
#ifndef _SYS_SMR_H_
#define _SYS_SMR_H_

#include <sys/_smr.h>
#include <sys/systm.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <machine/atomic.h>

/* The count wraps. */
#define SMR_SEQ_DELTA(a, b) ((smr_delta_t)((a) - (b)))
#define SMR_SEQ_LT(a, b) (SMR_SEQ_DELTA(a, b) < 0)
#define SMR_SEQ_LEQ(a, b) (SMR_SEQ_DELTA(a, b) <= 0)
#define SMR_SEQ_GT(a, b) (SMR_SEQ_DELTA(a, b) > 0)
#define SMR_SEQ_GEQ(a, b) (SMR_SEQ_DELTA(a, b) >= 0)
#define SMR_SEQ_MIN(a, b) (SMR_SEQ_LT(a, b) ? (a) : (b))
#define SMR_SEQ_MAX(a, b) (SMR_SEQ_GT(a, b) ? (a) : (b))
#define SMR_SEQ_INVALID 0		/* never counted; no reader */

union s_wr {
	struct {
		smr_seq_t seq;
		int ticks;		/* SMR_LAZY: when it was so */
	};
	uint64_t _pair;
};
struct smr_shared {
	const char *s_name;
	union s_wr s_wr;		/* writers' count */
	smr_seq_t s_rd_seq;		/* all readers have noted that */
};
typedef struct smr_shared *smr_shared_t;

struct smr {				/* of a CPU */
	smr_seq_t c_seq;
	smr_shared_t c_shared;
	int c_deferred;
	int c_limit;
	int c_flags;
};

#define SMR_LAZY 0x0001			/* counts by the clock */
#define SMR_DEFERRED 0x0002		/* counts one in c_limit */

static inline smr_seq_t
smr_shared_current(smr_shared_t s)
{
	return (atomic_load_int(&s->s_wr.seq));
}

static inline smr_seq_t
smr_current(smr_t smr)
{
	return (smr_shared_current(zpcpu_get(smr)->c_shared));
}

static inline void
smr_enter(smr_t smr)
{
	critical_enter();
	smr = zpcpu_get(smr);
	KASSERT((smr->c_flags & SMR_LAZY) == 0,
	    ("smr_enter(%s) lazy smr.", smr->c_shared->s_name));
	KASSERT(smr->c_seq == 0, ("smr_enter(%s) does not support recursion.",
	    smr->c_shared->s_name));
	/* Seen by all before anything is read. */
	atomic_store_int(&smr->c_seq, smr_shared_current(smr->c_shared));
	atomic_thread_fence_seq_cst();
}

static inline void
smr_exit(smr_t smr)
{
	smr = zpcpu_get(smr);
	CRITICAL_ASSERT(curthread);
	KASSERT((smr->c_flags & SMR_LAZY) == 0,
	    ("smr_exit(%s) lazy smr.", smr->c_shared->s_name));
	KASSERT(smr->c_seq != SMR_SEQ_INVALID,
	    ("smr_exit(%s) not in a smr section.", smr->c_shared->s_name));
	atomic_store_rel_int(&smr->c_seq, SMR_SEQ_INVALID);
	critical_exit();
}

static inline void
smr_lazy_enter(smr_t smr)
{
	critical_enter();
	smr = zpcpu_get(smr);
	KASSERT((smr->c_flags & SMR_LAZY) != 0,
	    ("smr_lazy_enter(%s) non-lazy smr.", smr->c_shared->s_name));
	KASSERT(smr->c_seq == 0,
	    ("smr_lazy_enter(%s) does not support recursion.",
	    smr->c_shared->s_name));
	/* No barrier: by the time that matters a tick has passed. */
	atomic_store_int(&smr->c_seq, smr_shared_current(smr->c_shared));
}

static inline void
smr_lazy_exit(smr_t smr)
{
	smr = zpcpu_get(smr);
	CRITICAL_ASSERT(curthread);
	KASSERT((smr->c_flags & SMR_LAZY) != 0,
	    ("smr_lazy_exit(%s) non-lazy smr.", smr->c_shared->s_name));
	KASSERT(smr->c_seq != SMR_SEQ_INVALID,
	    ("smr_lazy_exit(%s) not in a smr section.",
	    smr->c_shared->s_name));
	atomic_thread_fence_rel();
	atomic_store_int(&smr->c_seq, SMR_SEQ_INVALID);
	critical_exit();
}

/* What was hidden before may go when the answer has been noted by all. */
smr_seq_t smr_advance(smr_t);
/* Has it?  `wait': until it has. */
bool	smr_poll(smr_t, smr_seq_t goal, bool wait);
smr_t	smr_create(const char *, int limit, int flags);
void	smr_destroy(smr_t);
void	smr_init(void);

static inline void
smr_wait(smr_t smr, smr_seq_t goal)
{
	(void)smr_poll(smr, goal, true);
}

static inline void
smr_synchronize(smr_t smr)
{
	smr_wait(smr, smr_advance(smr));
}

#endif /* _SYS_SMR_H_ */
