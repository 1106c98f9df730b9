/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_UNISTD_H_
#define _SYS_UNISTD_H_

/* Of the flags of rfork(2), the one that kthread(9) looks at. */
#define RFSTOPPED (1 << 17)

#endif /* _SYS_UNISTD_H_ */
