/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_LIBKERN_H_
#define _SYS_LIBKERN_H_

#include <sys/types.h>

void	*memcpy(void *restrict, const void *restrict, size_t);
void	*memmove(void *, const void *, size_t);
void	*memset(void *, int, size_t);
int	memcmp(const void *, const void *, size_t);
void	*memchr(const void *, int, size_t);
#define bcopy(s, d, n) ((void)memmove((d), (s), (n)))
#define bzero(p, n) ((void)memset((p), 0, (n)))
#define bcmp(a, b, n) memcmp((a), (b), (n))
void	explicit_bzero(void *, size_t);

size_t	strlen(const char *);
size_t	strnlen(const char *, size_t);
int	strcmp(const char *, const char *);
int	strncmp(const char *, const char *, size_t);
int	strcasecmp(const char *, const char *);
int	strncasecmp(const char *, const char *, size_t);
char	*strcpy(char *restrict, const char *restrict);
char	*strncpy(char *restrict, const char *restrict, size_t);
char	*strcat(char *restrict, const char *restrict);
size_t	strlcpy(char *restrict, const char *restrict, size_t);
size_t	strlcat(char *restrict, const char *restrict, size_t);
struct malloc_type;
char	*strdup(const char *restrict, struct malloc_type *);
char	*strndup(const char *restrict, size_t, struct malloc_type *);
char	*strchr(const char *, int);
char	*strrchr(const char *, int);
char	*strstr(const char *, const char *);
char	*strsep(char **, const char *);
size_t	strspn(const char *, const char *);
size_t	strcspn(const char *, const char *);
long	strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
quad_t	strtoq(const char *, char **, int);
u_quad_t strtouq(const char *, char **, int);

void	qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void	*bsearch(const void *, const void *, size_t, size_t,
	    int (*)(const void *, const void *));

u_long	random(void);
void	srandom(u_long);
uint32_t arc4random(void);
void	arc4random_buf(void *, size_t);
uint32_t arc4random_uniform(uint32_t);
void	arc4rand(void *, u_int, int);
extern int arc4rand_iniseed_state;

#define ffs(x) __builtin_ffs(x)
#define ffsl(x) __builtin_ffsl(x)
#define ffsll(x) __builtin_ffsll(x)
static __inline int
fls(int x)
{
	return (x == 0 ? 0 : 32 - __builtin_clz((u_int)x));
}
static __inline int
flsl(long x)
{
	return (x == 0 ? 0 : (int)(8 * sizeof(x)) - __builtin_clzl((u_long)x));
}
static __inline int
flsll(long long x)
{
	return (x == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)x));
}
#define bitcount32(x) __builtin_popcount(x)
#define bitcount64(x) __builtin_popcountll(x)

static __inline int imax(int a, int b) { return (a > b ? a : b); }
static __inline int imin(int a, int b) { return (a < b ? a : b); }
static __inline long lmax(long a, long b) { return (a > b ? a : b); }
static __inline long lmin(long a, long b) { return (a < b ? a : b); }
static __inline u_int max(u_int a, u_int b) { return (a > b ? a : b); }
static __inline u_int min(u_int a, u_int b) { return (a < b ? a : b); }
static __inline quad_t qmax(quad_t a, quad_t b) { return (a > b ? a : b); }
static __inline quad_t qmin(quad_t a, quad_t b) { return (a < b ? a : b); }
static __inline u_quad_t uqmax(u_quad_t a, u_quad_t b) { return (a > b ? a : b); }
static __inline u_quad_t uqmin(u_quad_t a, u_quad_t b) { return (a < b ? a : b); }
static __inline u_long ulmax(u_long a, u_long b) { return (a > b ? a : b); }
static __inline u_long ulmin(u_long a, u_long b) { return (a < b ? a : b); }
static __inline int abs(int a) { return (a < 0 ? -a : a); }

#define isspace(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#define isdigit(c) ((c) >= '0' && (c) <= '9')
#define isxdigit(c) (isdigit(c) || ((c) >= 'A' && (c) <= 'F') || \
	((c) >= 'a' && (c) <= 'f'))
#define isupper(c) ((c) >= 'A' && (c) <= 'Z')
#define islower(c) ((c) >= 'a' && (c) <= 'z')
#define isalpha(c) (isupper(c) || islower(c))
#define isprint(c) ((c) >= ' ' && (c) <= '~')
#define toupper(c) (islower(c) ? (c) - 'a' + 'A' : (c))
#define tolower(c) (isupper(c) ? (c) - 'A' + 'a' : (c))

#define LIBKERN_INLINE
#define HAVE_INLINE_FFS 1

#endif /* _SYS_LIBKERN_H_ */
