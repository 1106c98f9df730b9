/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HEAP_REPEAT_H
#define HEAP_REPEAT_H
/* A hash of the addresses of so many allocations, mixed with frees. */
unsigned long heap_repeat(int allocations);
#endif
