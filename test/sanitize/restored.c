/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a sanitizer knows is as it was at the take.  Each case makes memory
 * that must not be used, saves, uses that memory rightly in another life, and
 * after the restore uses it wrongly; its twin keeps it usable at the take.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include "restored.h"

static volatile char *item, *again;
static volatile int sink;
static uma_zone_t zone;

/* Freed at the take, allocated and written since. */
static void
freed(int step, int twin)
{
	if (step == 0) {
		item = malloc(40, M_TEMP, M_WAITOK | M_ZERO);
		if (!twin)
			free(__DEVOLATILE(char *, item), M_TEMP);
	} else if (step == 1) {
		if (twin)
			free(__DEVOLATILE(char *, item), M_TEMP);
		for (int i = 0; i < 4000; i++) {
			again = malloc(40, M_TEMP, M_WAITOK | M_ZERO);
			again[0] = 1;
		}
	} else
		sink = item[0];
}

/* As above, of a zone. */
static void
freed_of_zone(int step, int twin)
{
	if (step == 0) {
		zone = uma_zcreate("restored", 40, NULL, NULL, NULL, NULL,
		    UMA_ALIGN_PTR, 0);
		item = uma_zalloc(zone, M_WAITOK | M_ZERO);
		if (!twin)
			uma_zfree(zone, __DEVOLATILE(char *, item));
	} else if (step == 1) {
		if (twin)
			uma_zfree(zone, __DEVOLATILE(char *, item));
		for (int i = 0; i < 4000; i++) {
			again = uma_zalloc(zone, M_WAITOK | M_ZERO);
			again[0] = 1;
		}
	} else
		sink = item[0];
}

/* Allocated at the take and freed since: usable again (both twins are). */
static void
live(int step, int twin)
{
	if (step == 0)
		item = malloc(40, M_TEMP, M_WAITOK | M_ZERO);
	else if (step == 1)
		free(__DEVOLATILE(char *, item), M_TEMP);
	else
		sink = item[twin ? 0 : 40];
}

/* Never written at the take, written since. */
static void
uninitialised(int step, int twin)
{
	if (step == 0)
		item = malloc(40, M_TEMP, M_WAITOK | (twin ? M_ZERO : 0));
	else if (step == 1)
		memset(__DEVOLATILE(char *, item), 3, 40);
	else if (item[5] == 3)
		sink = 1;
}

int
restored_step(const char *name, int step, int twin)
{
#define CASE(f) { #f, f }
	static const struct {
		const char *name;
		void (*fn)(int, int);
	} cases[] = {
		CASE(freed), CASE(freed_of_zone), CASE(live),
		CASE(uninitialised)
	};

	for (size_t i = 0; i < nitems(cases); i++)
		if (strcmp(cases[i].name, name) == 0) {
			cases[i].fn(step, twin);
			return (0);
		}
	return (-1);
}
