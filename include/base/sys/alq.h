/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_ALQ_H_
#define _SYS_ALQ_H_

#include <sys/types.h>

struct alq;
struct ucred;

/* A piece of the queue that was given out to be filled. */
struct ale {
	intptr_t ae_bytesused;
	char *ae_data;
	int ae_pad;
};

#define ALQ_NOWAIT 0x0001
#define ALQ_WAITOK 0x0002
#define ALQ_NOACTIVATE 0x0004
#define ALQ_ORDERED 0x0010
#define ALQ_DEFAULT_CMODE 0600

int	alq_open(struct alq **, const char *file, struct ucred *, int cmode,
	    int size, int count);
int	alq_open_flags(struct alq **, const char *file, struct ucred *,
	    int cmode, int size, int flags);
int	alq_write(struct alq *, void *, int flags);
int	alq_writen(struct alq *, void *, int len, int flags);
/* The queue stays locked from here to alq_post(). */
struct ale *alq_get(struct alq *, int flags);
struct ale *alq_getn(struct alq *, int len, int flags);
void	alq_post_flags(struct alq *, struct ale *, int flags);
#define alq_post(alq, ale) alq_post_flags((alq), (ale), 0)
void	alq_flush(struct alq *);
void	alq_close(struct alq *);

#endif /* _SYS_ALQ_H_ */
