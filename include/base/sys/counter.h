/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_COUNTER_H_
#define _SYS_COUNTER_H_

#include <sys/param.h>
#include <sys/kernel.h>

typedef uint64_t *counter_u64_t;

#include <machine/counter.h>

counter_u64_t counter_u64_alloc(int);
void	counter_u64_free(counter_u64_t);
void	counter_u64_zero(counter_u64_t);
uint64_t counter_u64_fetch(counter_u64_t);

#define COUNTER_ARRAY_ALLOC(a, n, wait) do {				\
	for (int _ci = 0; _ci < (int)(n); _ci++)			\
		(a)[_ci] = counter_u64_alloc(wait);			\
} while (0)
#define COUNTER_ARRAY_FREE(a, n) do {					\
	for (int _ci = 0; _ci < (int)(n); _ci++)			\
		counter_u64_free((a)[_ci]);				\
} while (0)
#define COUNTER_ARRAY_COPY(a, dst, n) do {				\
	for (int _ci = 0; _ci < (int)(n); _ci++)			\
		((uint64_t *)(dst))[_ci] = counter_u64_fetch((a)[_ci]);	\
} while (0)
#define COUNTER_ARRAY_ZERO(a, n) do {					\
	for (int _ci = 0; _ci < (int)(n); _ci++)			\
		counter_u64_zero((a)[_ci]);				\
} while (0)

struct counter_rate {
	counter_u64_t cr_rate;
	volatile int cr_lock;
	int cr_ticks;
	int cr_over;
};
int64_t	counter_ratecheck(struct counter_rate *, int64_t);

void	counter_u64_sysinit(void *);
void	counter_u64_sysuninit(void *);
#define COUNTER_U64_SYSINIT(c)						\
	SYSINIT(c##_counter_sysinit, SI_SUB_COUNTER, SI_ORDER_ANY,	\
	    counter_u64_sysinit, &c);					\
	SYSUNINIT(c##_counter_sysuninit, SI_SUB_COUNTER, SI_ORDER_ANY,	\
	    counter_u64_sysuninit, &c)
#define COUNTER_U64_DEFINE_EARLY(c)					\
	counter_u64_t c = EARLY_COUNTER;				\
	COUNTER_U64_SYSINIT(c)

#endif
