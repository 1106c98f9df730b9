/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: alq(9), FreeBSD's kern/kern_alq.c.
 * Fidelity: modelled
 * Differs: there are no files: what is posted goes to the console, line by
 * line, as "alq FILE: LINE", when the queue is flushed, which is at once
 * unless ALQ_NOACTIVATE is given.  A queue is therefore never full.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/alq.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>

static MALLOC_DEFINE(M_ALD, "ald", "alq");

struct alq {
	struct mtx aq_mtx;
	char *aq_file;
	size_t aq_size;
	size_t aq_entry;		/* fixed length, 0: none */
	size_t aq_used;
	bool aq_given;			/* alq_getn() without alq_post() */
	struct ale aq_ale;
	char *aq_buf;
};

int
alq_open_flags(struct alq **alqp, const char *file, struct ucred *cr __unused,
    int cmode __unused, int size, int flags)
{
	struct alq *alq;

	KASSERT(size > 0, ("alq_open: size <= 0"));
	KASSERT((flags & ~ALQ_ORDERED) == 0, ("alq_open: invalid flags 0x%x",
	    flags));
	alq = malloc(sizeof(*alq), M_ALD, M_WAITOK | M_ZERO);
	alq->aq_buf = malloc((size_t)size, M_ALD, M_WAITOK | M_ZERO);
	alq->aq_file = malloc(strlen(file) + 1, M_ALD, M_WAITOK);
	strcpy(alq->aq_file, file);
	alq->aq_size = (size_t)size;
	mtx_init(&alq->aq_mtx, "ALD Queue", NULL, MTX_DEF);
	*alqp = alq;
	return (0);
}

int
alq_open(struct alq **alqp, const char *file, struct ucred *cr, int cmode,
    int size, int count)
{
	int error;

	if (count < 0)
		return (EINVAL);
	error = alq_open_flags(alqp, file, cr, cmode,
	    count > 0 ? size * count : size, 0);
	if (error == 0 && count > 0)
		(*alqp)->aq_entry = (size_t)size;
	return (error);
}

/* With the lock.  A line that is not complete waits for its rest. */
static void
flush(struct alq *alq, bool all)
{
	size_t from = 0, to;

	for (to = 0; to < alq->aq_used; to++) {
		if (alq->aq_buf[to] != '\n')
			continue;
		printf("alq %s: %.*s\n", alq->aq_file, (int)(to - from),
		    alq->aq_buf + from);
		from = to + 1;
	}
	if (from < to && (all || from == 0)) {
		printf("alq %s: %.*s\n", alq->aq_file, (int)(to - from),
		    alq->aq_buf + from);
		from = to;
	}
	memmove(alq->aq_buf, alq->aq_buf + from, to - from);
	alq->aq_used = to - from;
}

/* The queue is locked until alq_post(), as long as this does not fail. */
struct ale *
alq_getn(struct alq *alq, int len, int flags __unused)
{
	KASSERT(len > 0 && (size_t)len <= alq->aq_size,
	    ("alq_getn: len %d not in 1..%zu", len, alq->aq_size));
	mtx_lock(&alq->aq_mtx);
	KASSERT(!alq->aq_given, ("alq_getn: no alq_post() for the last one"));
	if (alq->aq_used + (size_t)len > alq->aq_size)
		flush(alq, true);
	alq->aq_given = true;
	alq->aq_ale.ae_data = alq->aq_buf + alq->aq_used;
	alq->aq_ale.ae_bytesused = len;
	return (&alq->aq_ale);
}

void
alq_post_flags(struct alq *alq, struct ale *ale, int flags)
{
	mtx_assert(&alq->aq_mtx, MA_OWNED);
	KASSERT(alq->aq_given && ale == &alq->aq_ale,
	    ("alq_post: not what alq_getn() gave"));
	alq->aq_given = false;
	alq->aq_used += (size_t)ale->ae_bytesused;
	if ((flags & ALQ_NOACTIVATE) == 0)
		flush(alq, false);
	mtx_unlock(&alq->aq_mtx);
}

int
alq_writen(struct alq *alq, void *data, int len, int flags)
{
	struct ale *ale;

	ale = alq_getn(alq, len, flags);
	memcpy(ale->ae_data, data, (size_t)len);
	alq_post_flags(alq, ale, flags);
	return (0);
}

struct ale *
alq_get(struct alq *alq, int flags)
{
	KASSERT(alq->aq_entry > 0, ("alq_get: not a queue of fixed length"));
	return (alq_getn(alq, (int)alq->aq_entry, flags));
}

int
alq_write(struct alq *alq, void *data, int flags)
{
	KASSERT(alq->aq_entry > 0, ("alq_write: not a queue of fixed length"));
	return (alq_writen(alq, data, (int)alq->aq_entry, flags));
}

void
alq_flush(struct alq *alq)
{
	mtx_lock(&alq->aq_mtx);
	flush(alq, true);
	mtx_unlock(&alq->aq_mtx);
}

void
alq_close(struct alq *alq)
{
	alq_flush(alq);
	mtx_destroy(&alq->aq_mtx);
	free(alq->aq_buf, M_ALD);
	free(alq->aq_file, M_ALD);
	free(alq, M_ALD);
}
