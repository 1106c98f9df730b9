/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__EVENTHANDLER_H_
#define _SYS__EVENTHANDLER_H_

#include <sys/queue.h>

struct eventhandler_entry {
	TAILQ_ENTRY(eventhandler_entry) ee_link;
	int ee_priority;
#define EHE_DEAD_PRIORITY (-1)
	void *ee_arg;
};
typedef struct eventhandler_entry *eventhandler_tag;

#define EVENTHANDLER_DECLARE(name, type)				\
	struct eventhandler_entry_##name {				\
		struct eventhandler_entry ee;				\
		type eh_func;						\
	};								\
	struct __hack

#endif
