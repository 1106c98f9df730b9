/* SPDX-License-Identifier: BSD-2-Clause */
/* One machine's counter(9), to be called beside the others'. */
#ifndef FORM_H
#define FORM_H

#include <sys/param.h>
#include <sys/systm.h>

struct form {
	const char *name;
	bool critical;			/* its section is one */
	int fetch_calls, zero_calls;	/* of smp_rendezvous() */
	void (*add)(uint64_t *, int64_t);
	void (*add_protected)(uint64_t *, int64_t);
	void (*enter)(void);
	void (*exit)(void);
	uint64_t (*fetch)(uint64_t *);
	void (*zero)(uint64_t *);
};

extern const struct form form_amd64, form_i386, form_i386_nocx8, form_generic,
    form_generic32;

#endif
