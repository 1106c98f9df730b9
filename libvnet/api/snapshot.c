/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "coroutine.h"
#include "seam_snapshot.h"
#include "snapshot.h"

struct libvnet_snapshot {
	struct host_snapshot *host;
	struct libvnet_snapshot *next;
	size_t	console;	/* bytes printed */
};

static struct libvnet_snapshot *snapshots, *first;
static bool begun;
static struct vnk_local local;	/* the thread's, around a take or restore */

static int
busy(const char *who, bool flow)
{
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (vnh_threads() > 1)
		return (api_fail(LIBVNET_EBUSY, "%s: %d other threads are "
		    "attached; let them detach first", who, vnh_threads() - 1));
	if (!host_home_here())
		return (api_fail(LIBVNET_EBUSY, "%s: called from a kernel "
		    "thread", who));
	if (flow && !vnk_thread_main())
		return (api_fail(LIBVNET_EBUSY, "%s: an interrupt context or "
		    "a kernel thread is at work; call it from the test's own "
		    "flow", who));
	return (0);
}

static int
mode_wanted(enum host_mode *mode)
{
	const char *text = getenv("LIBVNET_SNAPSHOT");

	*mode = HOST_AUTO;
	if (text == NULL || *text == '\0')
		return (0);
	if (strcmp(text, "copy") == 0)
		*mode = HOST_COPY;
	else if (strcmp(text, "track") == 0)
		*mode = HOST_TRACK;
	else
		return (api_fail(LIBVNET_EINVAL, "LIBVNET_SNAPSHOT is \"%s\"; "
		    "it can be copy or track", text));
	return (0);
}

bool
api_snapshot_possible(void)
{
	struct host_range heap[HOST_HEAP_RANGES];

	return (host_co_carrier == VNH_COROUTINE && host_heap_ranges(heap) > 0);
}

/* The world as a list of ranges, once a boot. */
static int
begin(const char *who)
{
	struct host_range ranges[HOST_RANGES_MAX];
	enum host_mode mode;
	const char *why;
	size_t size;
	void *enter;
	int error;

	if (begun)
		return (0);
	error = mode_wanted(&mode);
	if (error != 0)
		return (error);
	if (!api_snapshot_possible())
		return (api_fail(LIBVNET_ENOTSUP, "%s: %s", who,
		    host_co_carrier != VNH_COROUTINE ? "kernel threads are "
		    "host threads and cannot be saved; boot with "
		    "LIBVNET_THREADS_COROUTINE" : "the kernel heap's items "
		    "are the host allocator's and cannot be saved; choose the "
		    "region backend"));
	enter = api_enter_state(&size);
	why = host_world_begin(ranges, host_ranges(ranges, &local, enter,
	    size), mode);
	if (why != NULL)
		return (api_fail(LIBVNET_ENOTSUP, "%s: LIBVNET_SNAPSHOT=track, "
		    "but %s", who, why));
	if (host_console_echoes() && *host_world_why() != '\0')
		fprintf(stderr, "libvnet: snapshots are copied whole: %s\n",
		    host_world_why());
	begun = true;
	return (0);
}

static bool
live(const struct libvnet_snapshot *s)
{
	const struct libvnet_snapshot *i = snapshots;

	while (i != NULL && i != s)
		i = i->next;
	return (i != NULL);
}

static int
wanted(const char *who, const struct libvnet_snapshot *s)
{
	if (s != NULL && live(s))
		return (0);
	return (api_fail(LIBVNET_EINVAL, "%s: %p is not a snapshot of this "
	    "boot, or was freed", who, (const void *)s));
}

int
libvnet_snapshot_take(struct libvnet_snapshot **snapshot)
{
	static const char who[] = "libvnet_snapshot_take";
	struct libvnet_snapshot *s;
	int error = busy(who, true);

	if (error == 0 && snapshot == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: give a place for the "
		    "handle, not NULL", who);
	if (error == 0)
		error = begin(who);
	if (error != 0)
		return (error);
	s = calloc(1, sizeof(*s));
	vnk_local_save(&local);
	if (s == NULL || (s->host = host_snapshot_take()) == NULL) {
		free(s);
		return (api_fail(LIBVNET_ELIMIT, "%s: no memory for the copy",
		    who));
	}
	(void)host_console_text(&s->console);
	s->next = snapshots;
	snapshots = s;
	*snapshot = s;
	return (0);
}

int
libvnet_snapshot_restore(struct libvnet_snapshot *s)
{
	int error = busy("libvnet_snapshot_restore", true);

	return (error != 0 ? error : api_snapshot_restore(s));
}

int
api_snapshot_restore(struct libvnet_snapshot *s)
{
	static const char who[] = "libvnet_snapshot_restore";
	int error = busy(who, false);

	if (error == 0)
		error = wanted(who, s);
	if (error != 0)
		return (error);
	host_snapshot_restore(s->host);
	vnk_local_load(&local);
	host_co_restored();
	host_console_cut(s->console);
	return (0);
}

static void
drop(struct libvnet_snapshot *s)
{
	struct libvnet_snapshot **link = &snapshots;

	while (*link != s)
		link = &(*link)->next;
	*link = s->next;
	if (s == first)
		first = NULL;
	host_snapshot_free(s->host);
	free(s);
}

int
libvnet_snapshot_free(struct libvnet_snapshot *s)
{
	int error = wanted("libvnet_snapshot_free", s);

	if (error == 0)
		drop(s);
	return (error);
}

int
libvnet_snapshot_reset(void)
{
	if (first != NULL)
		return (libvnet_snapshot_restore(first));
	return (libvnet_snapshot_take(&first));
}

int
libvnet_snapshot_digest(uint64_t *digest)
{
	static const char who[] = "libvnet_snapshot_digest";
	int error = busy(who, true);

	if (error == 0 && digest == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: give a place for the "
		    "digest, not NULL", who);
	if (error == 0)
		error = begin(who);
	if (error != 0)
		return (error);
	vnk_local_save(&local);
	*digest = host_world_digest();
	return (0);
}

int
libvnet_snapshot_stats(const struct libvnet_snapshot *s,
    struct libvnet_snapshot_stats *stats)
{
	static const char who[] = "libvnet_snapshot_stats";
	struct host_snapshot_stats h;
	int error = wanted(who, s);

	if (error != 0)
		return (error);
	if (stats == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a place for them, "
		    "not NULL", who));
	host_snapshot_stats(s->host, &h);
	*stats = (struct libvnet_snapshot_stats){ .bytes = h.bytes,
	    .pages = h.pages, .compared = h.compared, .copied = h.copied,
	    .restores = h.restores, .tracking = host_world_tracks() };
	return (0);
}

void
api_snapshot_free_others(struct libvnet_snapshot *const *keep, int n)
{
	struct libvnet_snapshot *s, *next;
	int i;

	for (s = snapshots; s != NULL; s = next) {
		next = s->next;
		for (i = 0; i < n && keep[i] != s; i++)
			;
		if (i == n)
			drop(s);
	}
}

void
api_snapshot_forget(void)
{
	api_snapshot_free_others(NULL, 0);
	host_world_end();
	begun = false;
}
