/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The piece of Linux's interface that page tracking needs and that headers
 * before 6.7 lack: asynchronous write-protection of userfaultfd(2) and the
 * PAGEMAP_SCAN ioctl.  Numbers and layouts are those of Linux 6.7's
 * include/uapi/linux/userfaultfd.h and include/uapi/linux/fs.h, described in
 * Documentation/admin-guide/mm/{userfaultfd,pagemap}.rst.
 */
#ifndef LIBVNET_PAGETRACK_LINUX_H
#define LIBVNET_PAGETRACK_LINUX_H

#include <linux/fs.h>
#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/userfaultfd.h>

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1 << 13)
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif

#ifndef PAGEMAP_SCAN
#define PAGE_IS_WRITTEN (1 << 1)
#define PM_SCAN_WP_MATCHING (1 << 0)	/* write-protect what matches */
#define PM_SCAN_CHECK_WPASYNC (1 << 1)	/* fail where it is not in force */

struct page_region {
	__u64 start;
	__u64 end;
	__u64 categories;
};

struct pm_scan_arg {
	__u64 size;
	__u64 flags;
	__u64 start;
	__u64 end;
	__u64 walk_end;
	__u64 vec;
	__u64 vec_len;
	__u64 max_pages;
	__u64 category_inverted;
	__u64 category_mask;
	__u64 category_anyof_mask;
	__u64 return_mask;
};

#define PAGEMAP_SCAN _IOWR('f', 16, struct pm_scan_arg)
#endif

#endif /* LIBVNET_PAGETRACK_LINUX_H */
