/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_EVENTHANDLER_H_
#define _SYS_EVENTHANDLER_H_

#include <sys/_eventhandler.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>

struct eventhandler_entry_vimage {
	void (*func)(void);
	void *ee_arg;
	void *sparep[2];
};

struct eventhandler_list {
	char *el_name;
	int el_flags;
	u_int el_runcount;
	struct mtx el_lock;
	TAILQ_ENTRY(eventhandler_list) el_link;
	TAILQ_HEAD(, eventhandler_entry) el_entries;
};

#define EVENTHANDLER_PRI_FIRST 0
#define EVENTHANDLER_PRI_ANY 10000
#define EVENTHANDLER_PRI_LAST 20000

/*
 * The list comes locked and is left unlocked.  It is unlocked around each
 * handler, so a handler may register and deregister; entries that die
 * meanwhile are pruned when the last walker leaves.
 */
#define _EVENTHANDLER_INVOKE(name, list, ...) do {			\
	struct eventhandler_entry *_ee;					\
									\
	mtx_assert(&(list)->el_lock, MA_OWNED);				\
	(list)->el_runcount++;						\
	TAILQ_FOREACH(_ee, &(list)->el_entries, ee_link) {		\
		if (_ee->ee_priority == EHE_DEAD_PRIORITY)		\
			continue;					\
		mtx_unlock(&(list)->el_lock);				\
		((struct eventhandler_entry_##name *)_ee)->eh_func(	\
		    _ee->ee_arg, ##__VA_ARGS__);			\
		mtx_lock(&(list)->el_lock);				\
	}								\
	KASSERT((list)->el_runcount > 0,				\
	    ("eventhandler " #name ": run count underflow"));		\
	if (--(list)->el_runcount == 0)					\
		eventhandler_prune_list(list);				\
	mtx_unlock(&(list)->el_lock);					\
} while (0)

#define EVENTHANDLER_INVOKE(name, ...) do {				\
	struct eventhandler_list *_el;					\
									\
	if ((_el = eventhandler_find_list(#name)) != NULL)		\
		_EVENTHANDLER_INVOKE(name, _el, ##__VA_ARGS__);		\
} while (0)
#define EVENTHANDLER_LIST_DECLARE(name) \
	extern struct eventhandler_list *_eventhandler_list_##name
#define EVENTHANDLER_LIST_DEFINE(name)					\
	struct eventhandler_list *_eventhandler_list_##name;		\
	static void							\
	_ehl_init_##name(void *ctx __unused)				\
	{								\
		_eventhandler_list_##name =				\
		    eventhandler_create_list(#name);			\
	}								\
	SYSINIT(name##_ehl_init, SI_SUB_EVENTHANDLER, SI_ORDER_ANY,	\
	    _ehl_init_##name, NULL);					\
	struct __hack
#define EVENTHANDLER_DIRECT_INVOKE(name, ...) do {			\
	struct eventhandler_list *_el = _eventhandler_list_##name;	\
									\
	if (!TAILQ_EMPTY(&_el->el_entries)) {				\
		mtx_lock(&_el->el_lock);				\
		_EVENTHANDLER_INVOKE(name, _el, ##__VA_ARGS__);		\
	}								\
} while (0)
#define EVENTHANDLER_REGISTER(name, func, arg, pri) \
	eventhandler_register(NULL, #name, func, arg, pri)
#define EVENTHANDLER_DEREGISTER(name, tag) do {				\
	struct eventhandler_list *_el;					\
									\
	if ((_el = eventhandler_find_list(#name)) != NULL)		\
		eventhandler_deregister(_el, tag);			\
} while (0)
#define EVENTHANDLER_DEREGISTER_NOWAIT(name, tag) do {			\
	struct eventhandler_list *_el;					\
									\
	if ((_el = eventhandler_find_list(#name)) != NULL)		\
		eventhandler_deregister_nowait(_el, tag);		\
} while (0)
#define EVENTHANDLER_DEFINE(name, func, arg, pri)			\
	static eventhandler_tag name##_tag;				\
	static void							\
	name##_evh_init(void *ctx)					\
	{								\
		name##_tag = EVENTHANDLER_REGISTER(name, func, ctx, pri); \
	}								\
	SYSINIT(name##_evh_init, SI_SUB_CONFIGURE, SI_ORDER_ANY,	\
	    name##_evh_init, arg);					\
	struct __hack

eventhandler_tag eventhandler_register(struct eventhandler_list *,
	    const char *, void *, void *, int);
void	eventhandler_deregister(struct eventhandler_list *, eventhandler_tag);
void	eventhandler_deregister_nowait(struct eventhandler_list *,
	    eventhandler_tag);
struct eventhandler_list *eventhandler_find_list(const char *);
void	eventhandler_prune_list(struct eventhandler_list *);
struct eventhandler_list *eventhandler_create_list(const char *);

typedef void (*vimage_iterator_func_t)(void *, ...);
eventhandler_tag vimage_eventhandler_register(struct eventhandler_list *,
	    const char *, void *, void *, int, vimage_iterator_func_t);

/* ---- events of base's own files */

/* A change of the kernel environment (kern_environment.c). */
typedef void (*env_change_fn)(void *, const char *);
EVENTHANDLER_DECLARE(setenv, env_change_fn);
EVENTHANDLER_DECLARE(unsetenv, env_change_fn);

#endif /* _SYS_EVENTHANDLER_H_ */
