/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>

/* A provider that this tree is too old, or too new, for. */
struct hhook_of_another_version hhook_head;
