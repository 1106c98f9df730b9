/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_thread.h"

static __thread bool attached;

int
libvnet_thread_attach(void)
{
	if (!libvnet_booted())
		return (api_fail(LIBVNET_ENOTBOOTED,
		    "libvnet_thread_attach: call libvnet_boot() first"));
	if (vnk_thread_attached())
		return (api_fail(LIBVNET_EBUSY, "libvnet_thread_attach: this "
		    "thread is attached already"));
	host_thread_count(1);
	if (vnh_threads() > LIBVNET_ATTACH_MAX + 1) {
		host_thread_count(-1);
		return (api_fail(LIBVNET_ELIMIT, "libvnet_thread_attach: %d "
		    "threads are attached", LIBVNET_ATTACH_MAX));
	}
	vnk_thread_attach();
	attached = true;
	return (0);
}

int
libvnet_thread_detach(void)
{
	if (!vnk_thread_attached())
		return (api_fail(LIBVNET_ETHREAD, "libvnet_thread_detach: this "
		    "thread is not attached"));
	if (!attached)
		return (api_fail(LIBVNET_EBUSY, "libvnet_thread_detach: this "
		    "thread booted; call libvnet_shutdown()"));
	vnk_thread_detach();
	attached = false;
	host_thread_count(-1);
	return (0);
}

long
libvnet_thread_stack_used(const void *thread)
{
	int error = api_ready("libvnet_thread_stack_used");
	long n;

	if (error != 0)
		return (error);
	n = vnk_thread_stack_used(thread);
	if (n < 0)
		return (api_fail(LIBVNET_ENOTSUP, "libvnet_thread_stack_used: "
		    "the thread's stack is the host's"));
	return (n);
}
