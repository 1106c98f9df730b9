/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pagetrack.h"

#ifdef __linux__
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "pagetrack_linux.h"

#define RUNS_MAX 256		/* runs of pages that one ioctl returns */

static int uffd = -1, pagemap = -1;
static pid_t owner;		/* process that started tracking */

/*
 * Two ways to notice a fork: the handler runs in children of fork(3), the
 * process number differs in those of a bare clone(2) as well.
 */
static void
forked(void)
{
	owner = -1;
}

static const char *
failed(const char *what)
{
	static char text[128];

	snprintf(text, sizeof(text), "%s: %s", what, strerror(errno));
	host_track_stop();
	return (text);
}

const char *
host_track_start(void)
{
	struct uffdio_api api = { .api = UFFD_API,
	    .features = UFFD_FEATURE_WP_ASYNC | UFFD_FEATURE_WP_UNPOPULATED };
	static bool noticed;

	host_track_stop();
	if (sysconf(_SC_PAGESIZE) != (long)HOST_PAGE)
		return ("pages are not of 4096 bytes");
	if (!noticed && pthread_atfork(NULL, NULL, forked) != 0)
		return ("pthread_atfork failed");
	noticed = true;
	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (uffd == -1)
		return (failed("userfaultfd"));
	if (ioctl(uffd, UFFDIO_API, &api) != 0)
		return (failed("asynchronous write-protection (Linux 6.7)"));
	pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (pagemap == -1)
		return (failed("/proc/self/pagemap"));
	owner = getpid();
	return (NULL);
}

void
host_track_stop(void)
{
	if (uffd != -1)
		(void)close(uffd);
	if (pagemap != -1)
		(void)close(pagemap);
	uffd = pagemap = -1;
	owner = 0;
}

bool
host_track_stale(void)
{
	return (uffd != -1 && owner != getpid());
}

bool
host_track_add(uintptr_t start, uintptr_t end)
{
	struct uffdio_register r = { .range = { start, end - start },
	    .mode = UFFDIO_REGISTER_MODE_WP };

	return (ioctl(uffd, UFFDIO_REGISTER, &r) == 0);
}

/* 0 or more: runs of pages in `vec'; a->walk_end is how far it came. */
static int
scan(struct pm_scan_arg *a, struct page_region *vec, size_t n)
{
	int runs;

	a->size = sizeof(*a);
	a->flags |= PM_SCAN_CHECK_WPASYNC;
	a->category_mask = PAGE_IS_WRITTEN;
	a->vec = (uintptr_t)vec;
	a->vec_len = n;
	a->return_mask = n != 0 ? PAGE_IS_WRITTEN : 0;
	do {
		runs = ioctl(pagemap, PAGEMAP_SCAN, a);
	} while (runs == -1 && errno == EINTR);
	return (runs);
}

bool
host_track_protect(uintptr_t start, uintptr_t end)
{
	struct pm_scan_arg a = { .start = start, .end = end,
	    .flags = PM_SCAN_WP_MATCHING };

	return (scan(&a, NULL, 0) == 0);
}

bool
host_track_scan(uintptr_t start, uintptr_t end, host_track_fn *fn, void *arg)
{
	static struct page_region vec[RUNS_MAX];
	struct pm_scan_arg a = { .start = start, .end = end };

	while (a.start < end) {
		int runs = scan(&a, vec, RUNS_MAX);

		if (runs < 0)
			return (false);
		for (int i = 0; i < runs; i++)
			fn(vec[i].start, vec[i].end, arg);
		a.start = a.walk_end;
	}
	return (true);
}

#else /* !__linux__ */

const char *
host_track_start(void)
{
	return ("this system does not tell which pages were written");
}

void host_track_stop(void) { }
bool host_track_stale(void) { return (false); }

bool
host_track_add(uintptr_t start, uintptr_t end)
{
	(void)start, (void)end;
	return (false);
}

bool
host_track_protect(uintptr_t start, uintptr_t end)
{
	return (host_track_add(start, end));
}

bool
host_track_scan(uintptr_t start, uintptr_t end, host_track_fn *fn, void *arg)
{
	(void)fn, (void)arg;
	return (host_track_add(start, end));
}
#endif
