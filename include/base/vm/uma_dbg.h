/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VM_UMA_DBG_H
#define VM_UMA_DBG_H

int	trash_ctor(void *, int, void *, int);
void	trash_dtor(void *, int, void *);
void	trash_fini(void *, int);
int	trash_init(void *, int, int);
int	mtrash_ctor(void *, int, void *, int);
void	mtrash_dtor(void *, int, void *);
void	mtrash_fini(void *, int);
int	mtrash_init(void *, int, int);

#endif
