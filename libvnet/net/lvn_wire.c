/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; one direction of a link that the test owns.
 * Fidelity: exact
 * Differs: --
 *
 * A frame is serialised after those before it (rate), waits for that in a
 * queue of limited bytes, travels (delay, jitter) and may be lost, altered,
 * doubled or overtaken on the way.  All chances are drawn from a stream of the
 * link's own, always the same number of draws a frame, so that a change of one
 * setting does not shift the others and nothing else shifts with the link.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <net/ethernet.h>

#include "lvn_link.h"

static MALLOC_DEFINE(M_LVNWIRE, "testlink", "frames on the test's links");

#define PPM 1000000

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t
draw(struct vnk_link *l)
{
	uint64_t z = (l->l_random += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31));
}

static bool
chance(struct vnk_link *l, u_int ppm)
{
	return (draw(l) % PPM < ppm);
}

/* Exact up to 2^31 seconds; nstosbt() of some trees is not beyond 2. */
static sbintime_t
ns_to_sbt(uint64_t ns)
{
	return ((sbintime_t)(((ns / 1000000000) << 32) +
	    ((ns % 1000000000) << 32) / 1000000000));
}

static int64_t
sbt_to_ns(sbintime_t sbt)
{
	return ((sbt >> 32) * 1000000000 +
	    (int64_t)(((uint64_t)(uint32_t)sbt * 1000000000) >> 32));
}

void
lvn_wire_init(struct lvn_wire *w, struct vnk_link *l, int from)
{
	w->w_link = l;
	w->w_from = from;
	TAILQ_INIT(&w->w_flights);
	callout_init(&w->w_callout, 1);
}

void
lvn_flight_free(struct lvn_flight *f)
{
	m_freem(f->f_frame);
	free(f, M_LVNWIRE);
}

void
lvn_wire_purge(struct lvn_wire *w)
{
	struct lvn_flight *f;

	mtx_lock(&w->w_link->l_lock);
	while ((f = TAILQ_FIRST(&w->w_flights)) != NULL) {
		TAILQ_REMOVE(&w->w_flights, f, f_link);
		w->w_stats.lost++;
		lvn_flight_free(f);
	}
	callout_stop(&w->w_callout);
	mtx_unlock(&w->w_link->l_lock);
}

void
lvn_wire_fini(struct lvn_wire *w)
{
	lvn_wire_purge(w);
	callout_drain(&w->w_callout);
}

struct mbuf *
lvn_frame(const void *bytes, u_int len)
{
	struct mbuf *m = len + ETHER_ALIGN > MHLEN ?
	    m_getcl(M_NOWAIT, MT_DATA, M_PKTHDR) :
	    m_gethdr(M_NOWAIT, MT_DATA);

	if (m == NULL)
		return (NULL);
	m->m_data += ETHER_ALIGN;
	m->m_len = m->m_pkthdr.len = 0;
	m_copyback(m, 0, (int)len, bytes);
	if (m->m_pkthdr.len == (int)len)
		return (m);
	m_freem(m);
	return (NULL);
}

/* With the link's lock held. */
static struct mbuf *
copy(struct lvn_wire *w, struct mbuf *m)
{
	u_int len = (u_int)m->m_pkthdr.len;

	m_copydata(m, 0, (int)len, (caddr_t)w->w_link->l_flat);
	return (lvn_frame(w->w_link->l_flat, len));
}

static int
show(struct lvn_wire *w, const struct lvn_tap *tap, int arrived,
    struct mbuf *m)
{
	u_int len = (u_int)m->m_pkthdr.len;

	if (tap->t_fn == NULL)
		return (0);
	m_copydata(m, 0, (int)len, (caddr_t)w->w_link->l_flat);
	return (tap->t_fn(tap->t_arg, sbt_to_ns(sbinuptime()), arrived,
	    w->w_link->l_flat, len));
}

static void
arrive(void *arg)
{
	struct lvn_wire *w = arg;
	struct vnk_link *l = w->w_link;
	struct lvn_flight *f;

	mtx_lock(&l->l_lock);
	while ((f = TAILQ_FIRST(&w->w_flights)) != NULL &&
	    f->f_due <= sbinuptime()) {
		TAILQ_REMOVE(&w->w_flights, f, f_link);
		w->w_stats.delivered++;
		(void)show(w, &w->w_watch, 1, f->f_frame);
		mtx_unlock(&l->l_lock);
		lvn_end_arrive(&l->l_end[!w->w_from], f);
		mtx_lock(&l->l_lock);
	}
	if (f != NULL)
		callout_reset_sbt(&w->w_callout, f->f_due, 0, arrive, w,
		    C_ABSOLUTE);
	mtx_unlock(&l->l_lock);
}

static void
depart(struct lvn_wire *w, struct mbuf *m, sbintime_t due)
{
	struct lvn_flight *f, *before;

	f = m == NULL ? NULL : malloc(sizeof(*f), M_LVNWIRE, M_NOWAIT);
	if (f == NULL) {
		w->w_stats.overflowed++;
		m_freem(m);
		return;
	}
	f->f_frame = m;
	f->f_due = due;
	before = TAILQ_LAST(&w->w_flights, lvn_flights);
	while (before != NULL && before->f_due > due)
		before = TAILQ_PREV(before, lvn_flights, f_link);
	if (before != NULL)
		TAILQ_INSERT_AFTER(&w->w_flights, before, f, f_link);
	else
		TAILQ_INSERT_HEAD(&w->w_flights, f, f_link);
	if (TAILQ_FIRST(&w->w_flights) == f)
		callout_reset_sbt(&w->w_callout, due, 0, arrive, w,
		    C_ABSOLUTE);
}

/* When the last bit has left; 0: the queue is full. */
static sbintime_t
serialise(struct lvn_wire *w, u_int len)
{
	const struct vnk_wire_options *o = &w->w_opt;
	sbintime_t now = sbinuptime();
	uint64_t bits = (uint64_t)len * 8, seconds, waiting;

	if (o->rate_bps == 0)
		return (now);
	if (w->w_free < now)
		w->w_free = now;
	waiting = (uint64_t)((w->w_free - now) >> 12) *
	    (o->rate_bps >> 10) >> 13;
	if (o->queue_bytes != 0 && waiting + len > o->queue_bytes)
		return (0);
	seconds = bits / o->rate_bps;
	w->w_free += (sbintime_t)((seconds << 32) +
	    ((bits % o->rate_bps) << 32) / o->rate_bps);
	return (w->w_free);
}

/* The sender may still own the data: only a copy is altered. */
static struct mbuf *
corrupt(struct lvn_wire *w, struct mbuf *m)
{
	struct vnk_link *l = w->w_link;
	u_int bit = (u_int)(draw(l) % ((uint64_t)m->m_pkthdr.len * 8));
	struct mbuf *bad = copy(w, m);
	u_char byte;

	m_freem(m);
	if (bad == NULL)
		return (NULL);
	m_copydata(bad, (int)(bit / 8), 1, (caddr_t)&byte);
	byte ^= (u_char)(1 << bit % 8);
	m_copyback(bad, (int)(bit / 8), 1, (caddr_t)&byte);
	w->w_stats.corrupted++;
	return (bad);
}

static void
travel(struct lvn_wire *w, struct mbuf *m, sbintime_t left)
{
	const struct vnk_wire_options *o = &w->w_opt;
	struct vnk_link *l = w->w_link;
	bool lost = chance(l, o->loss_ppm);
	bool twice = chance(l, o->duplicate_ppm);
	bool late = chance(l, o->reorder_ppm);
	bool bad = chance(l, o->corrupt_ppm);
	uint64_t jitter = draw(l);
	sbintime_t due = left + ns_to_sbt(o->delay_ns);

	if (lost) {
		w->w_stats.lost++;
		m_freem(m);
		return;
	}
	if (o->jitter_ns != 0)
		due += ns_to_sbt(jitter % (o->jitter_ns + 1));
	if (late) {
		w->w_stats.reordered++;
		due += ns_to_sbt(o->reorder_ns);
	}
	if (twice) {
		w->w_stats.duplicated++;
		depart(w, copy(w, m), due);
	}
	if (bad)
		m = corrupt(w, m);
	depart(w, m, due);
}

void
lvn_wire_send(struct lvn_wire *w, struct mbuf *m)
{
	struct vnk_link *l = w->w_link;
	u_int len = (u_int)m->m_pkthdr.len;
	sbintime_t left;

	mtx_lock(&l->l_lock);
	w->w_stats.sent++;
	w->w_stats.bytes += len;
	(void)show(w, &w->w_watch, 0, m);
	if (show(w, &w->w_filter, 0, m) != 0) {
		w->w_stats.filtered++;
		m_freem(m);
	} else if ((left = serialise(w, len)) == 0) {
		w->w_stats.overflowed++;
		m_freem(m);
	} else
		travel(w, m, left);
	mtx_unlock(&l->l_lock);
}

void
vnk_wire_set(struct vnk_link *l, int e, const struct vnk_wire_options *o)
{
	mtx_lock(&l->l_lock);
	l->l_wire[e].w_opt = *o;
	mtx_unlock(&l->l_lock);
}

void
vnk_wire_stats(struct vnk_link *l, int e, struct vnk_wire_stats *stats)
{
	mtx_lock(&l->l_lock);
	*stats = l->l_wire[e].w_stats;
	mtx_unlock(&l->l_lock);
}

void
vnk_wire_watch(struct vnk_link *l, int e, vnk_wire_tap *fn, void *arg)
{
	mtx_lock(&l->l_lock);
	l->l_wire[e].w_watch = (struct lvn_tap){ fn, arg };
	mtx_unlock(&l->l_lock);
}

void *
vnk_wire_watcher(struct vnk_link *l, int e)
{
	void *arg;

	mtx_lock(&l->l_lock);
	arg = l->l_wire[e].w_watch.t_arg;
	mtx_unlock(&l->l_lock);
	return (arg);
}

void
vnk_wire_filter(struct vnk_link *l, int e, vnk_wire_tap *fn, void *arg)
{
	mtx_lock(&l->l_lock);
	l->l_wire[e].w_filter = (struct lvn_tap){ fn, arg };
	mtx_unlock(&l->l_lock);
}
