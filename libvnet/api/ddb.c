/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_user.h"

int
libvnet_ddb(const char *command)
{
	int error = api_ready("libvnet_ddb");

	if (error != 0)
		return (error);
	if (command == NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_ddb: no command"));
	if (vnk_ddb(command) != 0)
		return (api_fail(LIBVNET_ENOENT, "libvnet_ddb: there is no "
		    "command \"%s\", or it is ambiguous", command));
	return (0);
}
