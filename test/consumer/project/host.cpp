// SPDX-License-Identifier: BSD-2-Clause
// A host program in C++, with all headers of the API.
#include <libvnet/libvnet.h>
#include <libvnet/packet.h>
#include <cstdio>
#include <cstring>

int
main()
{
	struct vnet *v = nullptr;
	int64_t left = 0;

	if (libvnet_boot(nullptr) != 0 || libvnet_create(&v) != 0 ||
	    libvnet_sysctl_get(v, "net.quota_left", &left, nullptr) != 0) {
		std::fprintf(stderr, "%s\n", libvnet_error());
		return 1;
	}
	std::printf("libvnet %s: vnet %d has a quota of %d\n", LIBVNET_VERSION,
	    libvnet_number(v), static_cast<int>(left));
	if (std::strcmp(libvnet_drop_name(LIBVNET_DROP_NONE), "none") != 0)
		return 1;
	return libvnet_shutdown() != 0 || left != 10;
}
