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

struct timezone {
	int tz_minuteswest;
	int tz_dsttime;
};

static __inline void
bintime_addx(struct bintime *bt, uint64_t x)
{
	uint64_t old = bt->frac;

	bt->frac += x;
	if (bt->frac < old)
		bt->sec++;
}

static __inline void
bintime_add(struct bintime *bt, const struct bintime *other)
{
	bintime_addx(bt, other->frac);
	bt->sec += other->sec;
}

static __inline void
bintime_sub(struct bintime *bt, const struct bintime *other)
{
	uint64_t old = bt->frac;

	bt->frac -= other->frac;
	if (bt->frac > old)
		bt->sec--;
	bt->sec -= other->sec;
}

static __inline void
bintime_mul(struct bintime *bt, u_int x)
{
	unsigned __int128 t = ((unsigned __int128)(uint64_t)bt->sec << 64 |
	    bt->frac) * x;

	bt->sec = (time_t)(t >> 64);
	bt->frac = (uint64_t)t;
}

/* By 2^exp, which may be negative. */
static __inline void
bintime_shift(struct bintime *bt, int exp)
{
	unsigned __int128 t = (unsigned __int128)(uint64_t)bt->sec << 64 |
	    bt->frac;

	t = exp >= 0 ? t << exp : t >> -exp;
	bt->sec = (time_t)(t >> 64);
	bt->frac = (uint64_t)t;
}

#define bintime_clear(a) ((a)->sec = (a)->frac = 0)
#define bintime_isset(a) ((a)->sec || (a)->frac)
#define bintime_cmp(a, b, cmp)						\
	(((a)->sec == (b)->sec) ? ((a)->frac cmp (b)->frac) :		\
	    ((a)->sec cmp (b)->sec))

#define sbintime_getsec(sbt) ((int)((sbt) >> 32))

static __inline sbintime_t
bttosbt(struct bintime bt)
{
	return ((sbintime_t)(((uint64_t)bt.sec << 32) | bt.frac >> 32));
}

static __inline struct bintime
sbttobt(sbintime_t sbt)
{
	struct bintime bt = { sbt >> 32, (uint64_t)sbt << 32 };

	return (bt);
}

static __inline void
bintime2timespec(const struct bintime *bt, struct timespec *ts)
{
	ts->tv_sec = bt->sec;
	ts->tv_nsec = (long)(((uint64_t)1000000000 *
	    (uint32_t)(bt->frac >> 32)) >> 32);
}

static __inline uint64_t
bintime2ns(const struct bintime *bt)
{
	return ((uint64_t)bt->sec * 1000000000 + (((uint64_t)1000000000 *
	    (uint32_t)(bt->frac >> 32)) >> 32));
}

static __inline void
timespec2bintime(const struct timespec *ts, struct bintime *bt)
{
	bt->sec = ts->tv_sec;
	bt->frac = (uint64_t)ts->tv_nsec * (uint64_t)18446744073LL;
}

static __inline void
bintime2timeval(const struct bintime *bt, struct timeval *tv)
{
	tv->tv_sec = bt->sec;
	tv->tv_usec = (suseconds_t)(((uint64_t)1000000 *
	    (uint32_t)(bt->frac >> 32)) >> 32);
}

static __inline void
timeval2bintime(const struct timeval *tv, struct bintime *bt)
{
	bt->sec = tv->tv_sec;
	bt->frac = (uint64_t)tv->tv_usec * (uint64_t)18446744073709LL;
}

static __inline struct timespec
sbttots(sbintime_t sbt)
{
	struct bintime bt = sbttobt(sbt);
	struct timespec ts;

	bintime2timespec(&bt, &ts);
	return (ts);
}

static __inline sbintime_t
tstosbt(struct timespec ts)
{
	struct bintime bt;

	timespec2bintime(&ts, &bt);
	return (bttosbt(bt));
}

static __inline struct timeval
sbttotv(sbintime_t sbt)
{
	struct bintime bt = sbttobt(sbt);
	struct timeval tv;

	bintime2timeval(&bt, &tv);
	return (tv);
}

static __inline sbintime_t
tvtosbt(struct timeval tv)
{
	struct bintime bt;

	timeval2bintime(&tv, &bt);
	return (bttosbt(bt));
}

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
extern struct bintime tick_bt;
extern sbintime_t tc_tick_sbt;
extern struct bintime tc_tick_bt;
extern int tc_precexp;
extern int tc_timepercentage;
extern struct bintime bt_timethreshold;
extern struct bintime bt_tickthreshold;
extern sbintime_t sbt_timethreshold;
extern sbintime_t sbt_tickthreshold;
extern volatile int rtc_generation;

void	inittodr(time_t);
void	resettodr(void);

void	binuptime(struct bintime *);
void	bintime(struct bintime *);
void	getbinuptime(struct bintime *);
void	getbintime(struct bintime *);
void	getboottime(struct timeval *);
void	getboottimebin(struct bintime *);

static __inline sbintime_t
sbinuptime(void)
{
	struct bintime bt;

	binuptime(&bt);
	return (bttosbt(bt));
}

static __inline sbintime_t
getsbinuptime(void)
{
	struct bintime bt;

	getbinuptime(&bt);
	return (bttosbt(bt));
}
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
int	eventratecheck(struct timeval *, int *, int);
#define ppsratecheck(last, count, max) eventratecheck(last, count, max)

#define timevalclear(tvp) ((tvp)->tv_sec = (tvp)->tv_usec = 0)
#define timevalisset(tvp) ((tvp)->tv_sec || (tvp)->tv_usec)
#define timevalcmp(a, b, op)						\
	(((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec op (b)->tv_usec) :	\
	    ((a)->tv_sec op (b)->tv_sec))

#endif /* _KERNEL */
#endif /* _SYS_TIME_H_ */
