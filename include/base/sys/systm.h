/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SYSTM_H_
#define _SYS_SYSTM_H_

#include <sys/types.h>
#include <sys/param.h>
#include <sys/kassert.h>
#include <sys/callout.h>
#include <sys/queue.h>
#include <sys/stdint.h>
#include <machine/atomic.h>
#include <machine/stdarg.h>
#include <sys/pcpu.h>
#include <sys/libkern.h>

struct malloc_type;
extern int cold;
extern int bootverbose;
extern int maxusers;
extern int unmapped_buf_allowed;
extern u_long maxphys;
extern long physmem;
extern long realmem;
extern int ngroups_max;
extern const int osreldate;
extern char ostype[];
extern char osrelease[];
extern const char version[];
extern const char compiler_version[];
extern char kern_ident[];
extern bool panicked;
#define SCHEDULER_STOPPED() 0
#define SCHEDULER_STOPPED_TD(td) 0
#define KERNEL_PANICKED() (panicstr != NULL)

#define CRITICAL_ASSERT(td) \
	KASSERT((td)->td_critnest >= 1, ("Not in critical section"))
void	critical_enter(void);
void	critical_exit(void);
void	spinlock_enter(void);
void	spinlock_exit(void);

struct lock_object;
struct mtx;
int	_sleep(const void *, struct lock_object *, int, const char *,
	    sbintime_t, sbintime_t, int);
#define msleep(chan, mtx, pri, wmesg, timo)				\
	_sleep((chan), &(mtx)->lock_object, (pri), (wmesg),		\
	    tick_sbt * (timo), 0, 0)
#define tsleep(chan, pri, wmesg, timo) \
	_sleep((chan), NULL, (pri), (wmesg), tick_sbt * (timo), 0, 0)
int	msleep_spin_sbt(const void *, struct mtx *, const char *, sbintime_t,
	    sbintime_t, int);
#define msleep_spin(chan, mtx, wmesg, timo)				\
	msleep_spin_sbt((chan), (mtx), (wmesg), tick_sbt * (timo), 0,	\
	    C_HARDCLOCK)
#define msleep_sbt(chan, mtx, pri, wmesg, bt, pr, flags)		\
	_sleep((chan), &(mtx)->lock_object, (pri), (wmesg), (bt), (pr),	\
	    (flags))
#define tsleep_sbt(chan, pri, wmesg, bt, pr, flags) \
	_sleep((chan), NULL, (pri), (wmesg), (bt), (pr), (flags))
int	pause_sbt(const char *, sbintime_t, sbintime_t, int);
#define pause(wmesg, timo) pause_sbt((wmesg), tick_sbt * (timo), 0, 0)
void	wakeup(const void *);
void	wakeup_one(const void *);
void	wakeup_any(const void *);
void	DELAY(int);
int	poll_no_poll(int events);
struct cdev;
const char *devtoname(struct cdev *);
/* A callout of a CPU is due at `exact', and must not run after `latest'. */
void	cpu_new_callout(int cpu, sbintime_t latest, sbintime_t exact);

typedef uint64_t cpu_tick_f(void);
extern cpu_tick_f *cpu_ticks;
uint64_t cpu_tickrate(void);
uint64_t cputick2usec(uint64_t);

int	copyin(const void *, void *, size_t);
int	copyout(const void *, void *, size_t);
int	copyinstr(const void *, void *, size_t, size_t *);
int	copyin_nofault(const void *, void *, size_t);
int	copyout_nofault(const void *, void *, size_t);
int	fubyte(const volatile void *);
long	fuword(const volatile void *);
int	fuword16(const volatile void *);
int32_t	fuword32(const volatile void *);
int64_t	fuword64(const volatile void *);
int	fueword(const volatile void *, long *);
int	fueword32(const volatile void *, int32_t *);
int	fueword64(const volatile void *, int64_t *);
int	subyte(volatile void *, int);
int	suword(volatile void *, long);
int	suword16(volatile void *, int);
int	suword32(volatile void *, int32_t);
int	suword64(volatile void *, int64_t);
uint32_t casuword32(volatile uint32_t *, uint32_t, uint32_t);
u_long	casuword(volatile u_long *, u_long, u_long);
int	casueword32(volatile uint32_t *, uint32_t, uint32_t *, uint32_t);
int	casueword(volatile u_long *, u_long, u_long *, u_long);

void	*hashinit(int, struct malloc_type *, u_long *);
void	*hashinit_flags(int, struct malloc_type *, u_long *, int);
void	*phashinit(int, struct malloc_type *, u_long *);
void	hashdestroy(void *, struct malloc_type *, u_long);
#define HASH_NOWAIT 0x00000001
#define HASH_WAITOK 0x00000002

int	printf(const char *, ...) __printflike(1, 2);
int	vprintf(const char *, __va_list) __printflike(1, 0);
int	snprintf(char *, size_t, const char *, ...) __printflike(3, 4);
int	vsnprintf(char *, size_t, const char *, __va_list) __printflike(3, 0);
int	sprintf(char *, const char *, ...) __printflike(2, 3);
int	vsprintf(char *, const char *, __va_list) __printflike(2, 0);
int	asprintf(char **, struct malloc_type *, const char *, ...)
	    __printflike(3, 4);
void	log(int, const char *, ...) __printflike(2, 3);
void	vlog(int, const char *, __va_list) __printflike(2, 0);
#define uprintf printf

char	*kern_getenv(const char *);
void	freeenv(char *);
/* 0, or -1 where the name or value is too long, or there is no such name. */
int	kern_setenv(const char *, const char *);
int	kern_unsetenv(const char *);
int	getenv_int(const char *, int *);
int	getenv_uint(const char *, unsigned int *);
int	getenv_long(const char *, long *);
int	getenv_ulong(const char *, unsigned long *);
int	getenv_int64(const char *, int64_t *);
int	getenv_uint64(const char *, uint64_t *);
int	getenv_quad(const char *, quad_t *);
int	getenv_bool(const char *, bool *);
int	getenv_string(const char *, char *, int);
int	testenv(const char *);

struct _jmp_buf;
int	setjmp(struct _jmp_buf *) __returns_twice;
void	longjmp(struct _jmp_buf *, int) __dead2;

#endif /* _SYS_SYSTM_H_ */
