#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The names of counters out of a header: statistics.awk.
#
#   statistics.sh SCRATCH SOURCE_DIR
set -eu
tmp=$1/statistics awk=$2/libvnet/cmake/statistics.awk
rm -rf "$tmp"
mkdir -p "$tmp/a tree/net"
cd "$tmp"
cat >"a tree/net/x.h" <<'END'
struct inner {
	uint64_t in_one;	/* of two */
	uint64_t in_two;
};
struct xstat {
	uint32_t xs_version;		/* no counter */
	uint64_t xs_total;		/* one line */
	/* uint64_t xs_gone; */
	uint64_t xs_first, xs_second;	/*
					 * uint64_t xs_hidden;
					 */
	uint32_t xs_small;
#ifdef NEWER
	uint64_t xs_newer;
#define NOT_MINE 7
#endif
#define XS_MAX 32
	uint64_t xs_hist[XS_MAX];	/* many; */
	struct inner xs_inner;
	void (*xs_function)(int);
	char xs_name[16];
	uint64_t xs_spare[4];
};
struct other {
	uint64_t xs_other;
};
END
cat >table <<'END'
# a comment
x	net.x.stats	xstat	net/x.h	INET
y	net.y.stats	ystat	net/y.h	-
o	net.o.stats	other	net/x.h	-
END
awk -v "sysdir=$tmp/a tree" -v out=made.h -f "$awk" table
cat >expected <<'END'
#ifdef INET
#include <net/x.h>
static const struct lvn_field lvn_fields_x[] = {
	LVN_FIELD(xstat, xs_total, "xs_total"),
	LVN_FIELD(xstat, xs_first, "xs_first"),
	LVN_FIELD(xstat, xs_second, "xs_second"),
	LVN_FIELD(xstat, xs_small, "xs_small"),
#ifdef NEWER
	LVN_FIELD(xstat, xs_newer, "xs_newer"),
#endif
	LVN_ARRAY(xstat, xs_hist, "xs_hist"),
	LVN_FIELD(xstat, xs_inner.in_one, "in_one"),
	LVN_FIELD(xstat, xs_inner.in_two, "in_two"),
};
#endif
#include <net/x.h>
static const struct lvn_field lvn_fields_o[] = {
	LVN_FIELD(other, xs_other, "xs_other"),
};
static const struct lvn_protocol lvn_protocols[] = {
#ifdef INET
	{ "x", "net.x.stats", sizeof(struct xstat), lvn_fields_x, nitems(lvn_fields_x) },
#endif
	{ "o", "net.o.stats", sizeof(struct other), lvn_fields_o, nitems(lvn_fields_o) },
};
END
diff expected made.h
