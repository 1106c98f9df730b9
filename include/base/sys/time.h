/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_TIME_H_
#define _SYS_TIME_H_

#include <sys/types.h>

struct timeval {
	time_t tv_sec;
	suseconds_t tv_usec;
};
struct timespec {
	time_t tv_sec;
	long tv_nsec;
};
struct bintime {
	time_t sec;
	uint64_t frac;
};

/* sbintime_t: 32.32 fixed point seconds. */
#define SBT_1S ((sbintime_t)1 << 32)
#define SBT_1M (SBT_1S * 60)
#define SBT_1MS (SBT_1S / 1000)
#define SBT_1US (SBT_1S / 1000000)
#define SBT_1NS (SBT_1S / 1000000000)
#define SBT_MAX 0x7fffffffffffffffLL

#ifdef _KERNEL

/* Fractions are split so that no product leaves 64 bits. */
static __inline sbintime_t
nstosbt(int64_t ns)
{
	int64_t s = ns / 1000000000, r = ns % 1000000000;

	return (s * SBT_1S + r * SBT_1S / 1000000000);
}

static __inline int64_t
sbttons(sbintime_t sbt)
{
	uint64_t s = (uint64_t)sbt;

	return ((int64_t)((s >> 32) * 1000000000 +
	    (((s & 0xffffffffU) * 1000000000) >> 32)));
}

static __inline sbintime_t
ustosbt(int64_t us)
{
	int64_t s = us / 1000000, r = us % 1000000;

	return (s * SBT_1S + r * SBT_1S / 1000000);
}

static __inline sbintime_t
mstosbt(int64_t ms)
{
	int64_t s = ms / 1000, r = ms % 1000;

	return (s * SBT_1S + r * SBT_1S / 1000);
}

#define sbttous(t) (sbttons(t) / 1000)
#define sbttoms(t) (sbttons(t) / 1000000)

extern volatile time_t time_second;
extern volatile time_t time_uptime;
extern sbintime_t tick_sbt;
extern int tc_tick;

sbintime_t sbinuptime(void);
sbintime_t getsbinuptime(void);
void	binuptime(struct bintime *);
void	nanouptime(struct timespec *);
void	microuptime(struct timeval *);
void	nanotime(struct timespec *);
void	microtime(struct timeval *);
void	getnanouptime(struct timespec *);
void	getmicrouptime(struct timeval *);
void	getnanotime(struct timespec *);
void	getmicrotime(struct timeval *);
int	tvtohz(struct timeval *);
void	timevaladd(struct timeval *, const struct timeval *);
void	timevalsub(struct timeval *, const struct timeval *);
int	ratecheck(struct timeval *, const struct timeval *);
int	ppsratecheck(struct timeval *, int *, int);

#define timevalclear(tvp) ((tvp)->tv_sec = (tvp)->tv_usec = 0)
#define timevalisset(tvp) ((tvp)->tv_sec || (tvp)->tv_usec)
#define timevalcmp(a, b, op)						\
	(((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec op (b)->tv_usec) :	\
	    ((a)->tv_sec op (b)->tv_sec))

#endif /* _KERNEL */
#endif /* _SYS_TIME_H_ */
