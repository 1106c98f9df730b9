/* SPDX-License-Identifier: BSD-2-Clause */
/* Uses a type without including what defines it. */
#ifndef NO_INCLUDE_H
#define NO_INCLUDE_H
struct no_include {
	counter_u64_t count;
};
#endif
