/* SPDX-License-Identifier: BSD-2-Clause */
/* Of newbus only what an interrupt handler needs: there are no devices. */
#ifndef _SYS_BUS_H_
#define _SYS_BUS_H_

#include <sys/types.h>

enum intr_type {
	INTR_TYPE_TTY = 1,
	INTR_TYPE_BIO = 2,
	INTR_TYPE_NET = 4,		/* runs inside the net epoch */
	INTR_TYPE_CAM = 8,
	INTR_TYPE_MISC = 16,
	INTR_TYPE_CLK = 32,
	INTR_TYPE_AV = 64,
	INTR_EXCL = 256,
	INTR_MPSAFE = 512,		/* runs without Giant */
	INTR_ENTROPY = 1024
};

/* What a filter answers. */
#define FILTER_STRAY 0x01
#define FILTER_HANDLED 0x02
#define FILTER_SCHEDULE_THREAD 0x04

typedef int driver_filter_t(void *);
typedef void driver_intr_t(void *);

#endif /* _SYS_BUS_H_ */
