/* SPDX-License-Identifier: BSD-2-Clause */
#include "opt_quota_trace.h"
#include <sys/param.h>

#if !defined(QUOTA_TRACE) && !defined(QUOTA_GLOBAL)
#error "one of two options"
#endif
