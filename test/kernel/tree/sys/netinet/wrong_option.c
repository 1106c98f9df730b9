/* SPDX-License-Identifier: BSD-2-Clause */
#include "opt_quota_trace.h"
#include <sys/param.h>

#ifdef QUOTA_TRACE
int wrong_option = QUOTA_TRACE;
#else
#error "wrong_option.c is of no use without the tracer"
#endif
