/* SPDX-License-Identifier: BSD-2-Clause */
/* The file under test, which knows nothing of stubs. */
#include "flow.h"

SYSCTL_INT(_net_flow_table, OID_AUTO, limit, CTLFLAG_RW, &flow_limit, 0,
    "flows");

int
flow_input(int id, struct mbuf *m)
{
	struct flow *f = flow_lookup(id);
	int error;

	FLOWSTAT_INC(fs_in);
	if (f == NULL)
		return (flow_send(NULL, m));
	V_flow_count++;
	error = flow_check(id, flow_name);
	if (error != 0)
		return (error);
	return (flow_output(f, m, 7));
}

int
flow_reject(int id, struct mbuf *m)
{
	struct flow f = { id };

	FLOWSTAT_INC(fs_lost);
	if (flow_admit(&f) != 0)
		return (flow_send(&f, m));
	return (0);
}

struct flow *
flow_new(int id)
{
	struct flow *f = malloc(sizeof(*f), M_FLOW, M_WAITOK | M_ZERO);

	f->f_id = id;
	if (flow_hook != NULL)
		flow_hook(f);
	return (f);
}

int
flow_locked(int n)
{
	struct epoch_tracker et;
	struct rm_priotracker rm;

	mtx_lock(&flow_mtx);
	rw_wlock(&flow_rwlock);
	flow_table.ft_size += n;
	V_flow_own.ft_size += n;
	rw_wunlock(&flow_rwlock);
	mtx_unlock(&flow_mtx);
	sx_xlock(&flow_sx);
	sx_xunlock(&flow_sx);
	rm_rlock(&flow_rmlock, &rm);
	rm_runlock(&flow_rmlock, &rm);
	epoch_enter_preempt(flow_epoch, &et);
	n = flow_table.ft_size;
	epoch_exit_preempt(flow_epoch, &et);
	critical_enter();
	*DPCPU_PTR(flow_runs) += 1;
	critical_exit();
	if (n > 100)
		flow_log(1, "%d", n);
	return (n);
}
