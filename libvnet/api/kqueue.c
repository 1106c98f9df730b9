/* SPDX-License-Identifier: BSD-2-Clause */
#include <libvnet/socket.h>

#include "seam_socket.h"
#include "stack.h"

_Static_assert(sizeof(struct libvnet_kevent) == sizeof(struct vnk_kevent),
    "one layout");

static int
begin(const char *who, int *kerr)
{
	int error = api_ready(who);

	if (kerr != NULL)
		*kerr = 0;
	if (error == 0 && vnk_kqueue == NULL)
		error = api_no_stack(who);
	return (error);
}

static int
end(const char *who, int answer, int *kerr)
{
	if (kerr != NULL)
		*kerr = answer;
	if (answer == 0)
		return (0);
	return (api_fail(LIBVNET_EKERNEL, "%s: the kernel answers %d, %s", who,
	    answer, libvnet_kerr_text(answer)));
}

int
libvnet_kqueue(int *kerr)
{
	static const char who[] = "libvnet_kqueue";
	int fd = -1, error = begin(who, kerr);

	if (error == 0)
		error = end(who, vnk_kqueue(&fd), kerr);
	return (error != 0 ? error : fd);
}

int
libvnet_kqueue_close(int kq, int *kerr)
{
	static const char who[] = "libvnet_kqueue_close";
	int error = begin(who, kerr);

	return (error != 0 ? error : end(who, vnk_kqueue_close(kq), kerr));
}

int
libvnet_kevent(int kq, const struct libvnet_kevent *changes,
    unsigned nchanges, struct libvnet_kevent *events, unsigned nevents,
    int64_t timeout_ns, int *kerr)
{
	static const char who[] = "libvnet_kevent";
	int n = 0, error = begin(who, kerr);

	if (error == 0 && ((changes == NULL && nchanges != 0) ||
	    (events == NULL && nevents != 0) || timeout_ns < -1 ||
	    nchanges > LIBVNET_KEVENT_MAX || nevents > LIBVNET_KEVENT_MAX))
		error = api_fail(LIBVNET_EINVAL, "%s: give 0 to "
		    "LIBVNET_KEVENT_MAX changes and events, and -1 or more of "
		    "time", who);
	if (error == 0)
		error = end(who, vnk_kevent(kq, (const void *)changes, nchanges,
		    (void *)events, nevents, timeout_ns, &n), kerr);
	return (error != 0 ? error : n);
}
