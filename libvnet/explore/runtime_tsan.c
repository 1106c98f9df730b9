/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What code compiled with -fsanitize=thread calls, answered: each access goes
 * to xp_access() before it is made.  The atomics are made here.
 */
#include <stddef.h>
#include <string.h>

#include "xp.h"

#define PC ((uintptr_t)__builtin_return_address(0))

static inline __attribute__((always_inline)) void
seen(const void *addr, unsigned size, unsigned kind, uintptr_t pc)
{
	if (__builtin_expect(xp_on != 0, 0))
		xp_access((uintptr_t)addr, size, kind, pc);
}

void	__tsan_init(void);
void	__tsan_func_entry(void *);
void	__tsan_func_exit(void);
void	__tsan_read_range(void *, size_t);
void	__tsan_write_range(void *, size_t);
void	__tsan_vptr_update(void **, void *);
void	__tsan_vptr_read(void **);
void	__tsan_ignore_thread_begin(void);
void	__tsan_ignore_thread_end(void);

void __tsan_init(void) { }
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void) { }
void __tsan_ignore_thread_begin(void) { }
void __tsan_ignore_thread_end(void) { }

void
__tsan_read_range(void *p, size_t n)
{
	if (n != 0)
		seen(p, (unsigned)n, XP_READ, PC);
}

void
__tsan_write_range(void *p, size_t n)
{
	if (n != 0)
		seen(p, (unsigned)n, XP_WRITE, PC);
}

void
__tsan_vptr_update(void **p, void *v)
{
	(void)v;
	seen(p, sizeof(*p), XP_WRITE, PC);
}

void
__tsan_vptr_read(void **p)
{
	seen(p, sizeof(*p), XP_READ, PC);
}

#define ACCESS(name, size, kind)					\
void	__tsan_##name(void *);						\
void									\
__tsan_##name(void *p)							\
{									\
	seen(p, (size), (kind), PC);					\
}

#define SIZE(n)								\
ACCESS(read##n, n, XP_READ)						\
ACCESS(write##n, n, XP_WRITE)						\
ACCESS(read_write##n, n, XP_WRITE)					\
ACCESS(unaligned_read##n, n, XP_READ)					\
ACCESS(unaligned_write##n, n, XP_WRITE)					\
ACCESS(unaligned_read_write##n, n, XP_WRITE)				\
ACCESS(volatile_read##n, n, XP_READ | XP_ATOMIC)			\
ACCESS(volatile_write##n, n, XP_WRITE | XP_ATOMIC)			\
ACCESS(unaligned_volatile_read##n, n, XP_READ | XP_ATOMIC)		\
ACCESS(unaligned_volatile_write##n, n, XP_WRITE | XP_ATOMIC)

SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)

/* ---- libc's, by the names that explore_cc.sh gives them */

void	*lvx_memcpy(void *, const void *, size_t);
void	*lvx_memmove(void *, const void *, size_t);
void	*lvx_memset(void *, int, size_t);
int	 lvx_memcmp(const void *, const void *, size_t);
void	 lvx_bzero(void *, size_t);
void	 lvx_bcopy(const void *, void *, size_t);

static void
moves(void *to, const void *from, size_t n, uintptr_t pc)
{
	if (n == 0)
		return;
	seen(from, (unsigned)n, XP_READ, pc);
	seen(to, (unsigned)n, XP_WRITE, pc);
}

/*
 * What is copied is what was there at the read.  A larger piece is read and
 * written at one time, which is all one can know of the machine's way.
 */
#define COPY_MAX 256

void *
lvx_memmove(void *to, const void *from, size_t n)
{
	char piece[COPY_MAX];

	if (xp_on == 0 || n > sizeof(piece) || n == 0) {
		moves(to, from, n, PC);
		return (memmove(to, from, n));
	}
	seen(from, (unsigned)n, XP_READ, PC);
	memcpy(piece, from, n);
	seen(to, (unsigned)n, XP_WRITE, PC);
	return (memcpy(to, piece, n));
}

void *
lvx_memcpy(void *to, const void *from, size_t n)
{
	char piece[COPY_MAX];

	if (xp_on == 0 || n > sizeof(piece) || n == 0) {
		moves(to, from, n, PC);
		return (memcpy(to, from, n));
	}
	seen(from, (unsigned)n, XP_READ, PC);
	memcpy(piece, from, n);
	seen(to, (unsigned)n, XP_WRITE, PC);
	return (memcpy(to, piece, n));
}

void *
lvx_memset(void *to, int byte, size_t n)
{
	if (n != 0)
		seen(to, (unsigned)n, XP_WRITE, PC);
	return (memset(to, byte, n));
}

int
lvx_memcmp(const void *a, const void *b, size_t n)
{
	if (n != 0) {
		seen(a, (unsigned)n, XP_READ, PC);
		seen(b, (unsigned)n, XP_READ, PC);
	}
	return (memcmp(a, b, n));
}

void
lvx_bzero(void *to, size_t n)
{
	if (n != 0)
		seen(to, (unsigned)n, XP_WRITE, PC);
	memset(to, 0, n);
}

void
lvx_bcopy(const void *from, void *to, size_t n)
{
	moves(to, from, n, PC);
	memmove(to, from, n);
}

/* Under other names: one name is one to objcopy. */
#define ALIAS(name) __attribute__((alias(#name)))
int	 lvx_bcmp(const void *, const void *, size_t) ALIAS(lvx_memcmp);
void	*lvx_asan_memcpy(void *, const void *, size_t) ALIAS(lvx_memcpy);
void	*lvx_asan_memmove(void *, const void *, size_t) ALIAS(lvx_memmove);
void	*lvx_asan_memset(void *, int, size_t) ALIAS(lvx_memset);
