/* SPDX-License-Identifier: BSD-2-Clause */
/* Static probes are compiled out. */
#ifndef _SYS_SDT_H_
#define _SYS_SDT_H_
#define SDT_PROVIDER_DEFINE(p) struct __hack
#define SDT_PROVIDER_DECLARE(p) struct __hack
#define SDT_PROBE_DECLARE(...) struct __hack
#define SDT_PROBE_DEFINE0(...) struct __hack
#define SDT_PROBE_DEFINE1(...) struct __hack
#define SDT_PROBE_DEFINE2(...) struct __hack
#define SDT_PROBE_DEFINE3(...) struct __hack
#define SDT_PROBE_DEFINE4(...) struct __hack
#define SDT_PROBE_DEFINE5(...) struct __hack
#define SDT_PROBE0(...) (void)0
#define SDT_PROBE1(...) (void)0
#define SDT_PROBE2(...) (void)0
#define SDT_PROBE3(...) (void)0
#define SDT_PROBE4(...) (void)0
#define SDT_PROBE5(...) (void)0
#endif
