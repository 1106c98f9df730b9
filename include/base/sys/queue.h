/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * queue(3) as libbsd ships it (found by the build, the one file of the host
 * that kernel world includes), plus the few macros that only the kernel has.
 */
#ifndef _SYS_QUEUE_H_
#define _SYS_QUEUE_H_

#include <sys/cdefs.h>
#define LIBBSD_OVERLAY
#include <libvnet_bsd/queue.h>

#ifndef TRASHIT
#define TRASHIT(x) do { (x) = (void *)-1; } while (0)
#endif
#ifndef QMD_SAVELINK
#define QMD_SAVELINK(name, link)
#endif
#ifndef LIST_PREV
#define LIST_PREV(elm, head, type, field)				\
	((elm)->field.le_prev == &LIST_FIRST((head)) ? NULL :		\
	    __containerof((elm)->field.le_prev, struct type, field.le_next))
#endif
#ifndef LIST_FOREACH_FROM
#define LIST_FOREACH_FROM(var, head, field)				\
	for ((var) = ((var) ? (var) : LIST_FIRST((head))); (var);	\
	    (var) = LIST_NEXT((var), field))
#endif
#ifndef STAILQ_REMOVE_AFTER
#define STAILQ_REMOVE_AFTER(head, elm, field) do {			\
	if ((STAILQ_NEXT(elm, field) =					\
	    STAILQ_NEXT(STAILQ_NEXT(elm, field), field)) == NULL)	\
		(head)->stqh_last = &STAILQ_NEXT((elm), field);		\
} while (0)
#endif

/* ConcurrencyKit's list names, which the stack uses; same layout. */
#define CK_LIST_HEAD LIST_HEAD
#define CK_LIST_ENTRY LIST_ENTRY
#define CK_LIST_INIT LIST_INIT
#define CK_LIST_EMPTY LIST_EMPTY
#define CK_LIST_FIRST LIST_FIRST
#define CK_LIST_NEXT LIST_NEXT
#define CK_LIST_FOREACH LIST_FOREACH
#define CK_LIST_FOREACH_SAFE LIST_FOREACH_SAFE
#define CK_LIST_INSERT_HEAD LIST_INSERT_HEAD
#define CK_LIST_INSERT_AFTER LIST_INSERT_AFTER
#define CK_LIST_INSERT_BEFORE LIST_INSERT_BEFORE
#define CK_LIST_REMOVE LIST_REMOVE
#define CK_STAILQ_HEAD STAILQ_HEAD
#define CK_STAILQ_ENTRY STAILQ_ENTRY
#define CK_STAILQ_INIT STAILQ_INIT
#define CK_STAILQ_EMPTY STAILQ_EMPTY
#define CK_STAILQ_FIRST STAILQ_FIRST
#define CK_STAILQ_NEXT STAILQ_NEXT
#define CK_STAILQ_FOREACH STAILQ_FOREACH
#define CK_STAILQ_INSERT_TAIL STAILQ_INSERT_TAIL
#define CK_STAILQ_INSERT_HEAD STAILQ_INSERT_HEAD
#define CK_STAILQ_REMOVE STAILQ_REMOVE
#define CK_SLIST_HEAD SLIST_HEAD
#define CK_SLIST_EMPTY SLIST_EMPTY
#define CK_SLIST_INSERT_AFTER SLIST_INSERT_AFTER
#define CK_SLIST_ENTRY SLIST_ENTRY
#define CK_SLIST_INIT SLIST_INIT
#define CK_SLIST_FIRST SLIST_FIRST
#define CK_SLIST_NEXT SLIST_NEXT
#define CK_SLIST_FOREACH SLIST_FOREACH
#define CK_SLIST_INSERT_HEAD SLIST_INSERT_HEAD
#define CK_SLIST_REMOVE SLIST_REMOVE

#endif /* _SYS_QUEUE_H_ */
