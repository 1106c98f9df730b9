/* SPDX-License-Identifier: BSD-2-Clause */
/* See sys/libkern.h. */
#include <sys/libkern.h>
