/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>

struct nowhere;
extern struct nowhere nowhere_data;
int	nowhere_call(struct nowhere *);
int	wrong_names(void);

int
wrong_names(void)
{

	return (nowhere_call(&nowhere_data));
}
