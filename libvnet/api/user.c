/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_user.h"

_Static_assert(LIBVNET_USER_CHANGE == VNK_CHANGE_MAX, "one is the other");

int
libvnet_user_bad(const void *start, size_t bytes)
{
	int error = api_ready("libvnet_user_bad");

	if (error != 0)
		return (error);
	if (start == NULL || bytes == 0)
		return (api_fail(LIBVNET_EINVAL, "libvnet_user_bad: give an "
		    "address and how many bytes"));
	if (!vnk_user_bad(start, bytes))
		return (api_fail(LIBVNET_ELIMIT, "libvnet_user_bad: %d ranges "
		    "are bad already; libvnet_user_good(NULL, 0) forgets "
		    "them", LIBVNET_USER_BAD));
	return (0);
}

int
libvnet_user_good(const void *start, size_t bytes)
{
	int error = api_ready("libvnet_user_good");

	if (error == 0)
		vnk_user_good(start, bytes);
	return (error);
}

int
libvnet_user_fail(uint64_t n)
{
	int error = api_ready("libvnet_user_fail");

	if (error == 0)
		vnk_user_fail(n);
	return (error);
}

uint64_t
libvnet_user_count(void)
{
	return (vnk_user_count());
}

int
libvnet_user_watch(bool on)
{
	int error = api_ready("libvnet_user_watch");

	if (error == 0)
		vnk_user_watch(on);
	return (error);
}

int
libvnet_user_change(void *at, const void *bytes, size_t n)
{
	int error = api_ready("libvnet_user_change");

	if (error != 0)
		return (error);
	if (at == NULL || bytes == NULL || n == 0 || n > LIBVNET_USER_CHANGE)
		return (api_fail(LIBVNET_EINVAL, "libvnet_user_change: give "
		    "1 to %d bytes, and where they go", LIBVNET_USER_CHANGE));
	vnk_user_change(at, bytes, n);
	return (0);
}
