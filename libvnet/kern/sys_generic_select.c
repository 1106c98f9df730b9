/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: selrecord(9), selwakeup(9), seldrain(9), FreeBSD's
 * kern/sys_generic.c.
 * Fidelity: exact
 * Differs: selrecord() by a thread that is not in select(2) or poll(2) panics
 * with what to do, where FreeBSD follows a NULL pointer.
 *
 * A thread that waits has a struct seltd; for each thing that it waits for, a
 * struct selfd stands in the thing's struct selinfo.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/condvar.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/selinfo.h>

#include <lvk.h>
#include "sys_generic.h"

static MALLOC_DEFINE(M_SELECT, "select", "select() buffer");

struct selfd {
	STAILQ_ENTRY(selfd) sf_link;	/* of the thread */
	TAILQ_ENTRY(selfd) sf_threads;	/* (m) of the selinfo */
	struct selinfo *sf_si;		/* (m) NULL: it has happened */
	struct mtx *sf_mtx;
	struct seltd *sf_td;
};					/* (m): sf_mtx */

struct seltd {
	STAILQ_HEAD(, selfd) st_selq;
	struct selfd *st_free[2];	/* for the file that is asked now */
	struct mtx st_mtx;
	struct cv st_wait;
	bool st_pending;		/* under st_mtx: something happened */
	bool st_waiting;		/* in select(2) or poll(2) */
};

/* One for many a struct selinfo, by its address. */
#define POOL 16
static struct mtx pool[POOL];

static void
pool_init(void *arg __unused)
{
	for (int i = 0; i < POOL; i++)
		mtx_init(&pool[i], "select mtxpool", NULL,
		    MTX_DEF | MTX_DUPOK);
}
SYSINIT(lvk_select, SI_SUB_LOCK, SI_ORDER_ANY, pool_init, NULL);

static struct mtx *
pool_find(const void *p)
{
	return (&pool[((uintptr_t)p >> 6) % POOL]);
}

/* ---- who waits */

static struct seltd *
seltd_new(void)
{
	struct seltd *st;

	lvk_owner_none_enter();
	st = malloc(sizeof(*st), M_SELECT, M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	STAILQ_INIT(&st->st_selq);
	mtx_init(&st->st_mtx, "sellck", NULL, MTX_DEF);
	cv_init(&st->st_wait, "select");
	return (st);
}

void
lvk_sel_begin(struct thread *td)
{
	if (td->td_sel == NULL)
		td->td_sel = seltd_new();
	KASSERT(!td->td_sel->st_waiting, ("poll(2) within poll(2)"));
	td->td_sel->st_waiting = true;
	td->td_sel->st_pending = false;
}

/* selrecord() must not sleep. */
void
lvk_sel_file(struct thread *td)
{
	struct seltd *st = td->td_sel;

	lvk_owner_none_enter();
	for (u_int i = 0; i < nitems(st->st_free); i++)
		if (st->st_free[i] == NULL)
			st->st_free[i] = malloc(sizeof(struct selfd), M_SELECT,
			    M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
}

int
lvk_sel_wait(struct thread *td, sbintime_t deadline)
{
	struct seltd *st = td->td_sel;
	int error = 0;

	mtx_lock(&st->st_mtx);
	if (st->st_pending)
		error = 0;
	else if (deadline == SBT_MAX)
		error = cv_wait_sig(&st->st_wait, &st->st_mtx);
	else if (deadline <= lvk_clock())
		error = EWOULDBLOCK;
	else
		error = cv_timedwait_sig_sbt(&st->st_wait, &st->st_mtx,
		    deadline, 0, C_ABSOLUTE);
	mtx_unlock(&st->st_mtx);
	return (error);
}

static void
unrecord(struct seltd *st)
{
	struct selfd *sf;

	while ((sf = STAILQ_FIRST(&st->st_selq)) != NULL) {
		STAILQ_REMOVE_HEAD(&st->st_selq, sf_link);
		mtx_lock(sf->sf_mtx);
		if (sf->sf_si != NULL)
			TAILQ_REMOVE(&sf->sf_si->si_tdlist, sf, sf_threads);
		mtx_unlock(sf->sf_mtx);
		free(sf, M_SELECT);
	}
}

void
lvk_sel_again(struct thread *td)
{
	struct seltd *st = td->td_sel;

	unrecord(st);
	mtx_lock(&st->st_mtx);
	st->st_pending = false;
	mtx_unlock(&st->st_mtx);
}

void
lvk_sel_end(struct thread *td)
{
	unrecord(td->td_sel);
	td->td_sel->st_waiting = false;
}

void
seltdfini(struct thread *td)
{
	struct seltd *st = td->td_sel;

	if (st == NULL)
		return;
	td->td_sel = NULL;
	for (u_int i = 0; i < nitems(st->st_free); i++)
		free(st->st_free[i], M_SELECT);
	cv_destroy(&st->st_wait);
	mtx_destroy(&st->st_mtx);
	free(st, M_SELECT);
}

/* The room that lvk_sel_file() made. */
static struct selfd *
selfd_take(struct seltd *st)
{
	struct selfd *sf = NULL;

	for (u_int i = 0; i < nitems(st->st_free); i++)
		if ((sf = st->st_free[i]) != NULL) {
			st->st_free[i] = NULL;
			return (sf);
		}
	panic("selrecord: No free selfd on selq: a file may record two at "
	    "most each time it is asked");
}

/* ---- what is waited for */

void
selrecord(struct thread *selector, struct selinfo *sip)
{
	struct seltd *st = selector->td_sel;
	struct selfd *sf;

	if (st == NULL || !st->st_waiting)
		panic("selrecord: thread \"%s\" is not in select(2) or "
		    "poll(2); ask the file by libvnet_device_poll() or "
		    "kern_poll()", selector->td_name);
	sf = selfd_take(st);
	sf->sf_td = st;
	sf->sf_si = sip;
	sf->sf_mtx = sip->si_mtx != NULL ? sip->si_mtx : pool_find(sip);
	STAILQ_INSERT_TAIL(&st->st_selq, sf, sf_link);
	mtx_lock(sf->sf_mtx);
	if (sip->si_mtx == NULL) {
		sip->si_mtx = sf->sf_mtx;
		TAILQ_INIT(&sip->si_tdlist);
	}
	TAILQ_INSERT_TAIL(&sip->si_tdlist, sf, sf_threads);
	mtx_unlock(sf->sf_mtx);
}

void
selwakeuppri(struct selinfo *sip, int pri)
{
	struct seltd *st;
	struct selfd *sf;

	if (sip->si_mtx == NULL)	/* nobody ever waited */
		return;
	mtx_lock(sip->si_mtx);
	while ((sf = TAILQ_FIRST(&sip->si_tdlist)) != NULL) {
		TAILQ_REMOVE(&sip->si_tdlist, sf, sf_threads);
		st = sf->sf_td;
		mtx_lock(&st->st_mtx);
		st->st_pending = true;
		cv_broadcastpri(&st->st_wait, pri);
		mtx_unlock(&st->st_mtx);
		sf->sf_si = NULL;
	}
	mtx_unlock(sip->si_mtx);
}

void
selwakeup(struct selinfo *sip)
{
	selwakeuppri(sip, -1);
}

/* Before the memory of a struct selinfo goes. */
void
seldrain(struct selinfo *sip)
{
	selwakeuppri(sip, -1);
}
