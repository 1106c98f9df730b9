#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# test/kernel/survey.sh on a kernel tree of our own (test/kernel/tree): right
# counts, failures, missing and foreign names; nothing but good on what is good.
#
#   survey.sh PACKAGE SCRATCH SOURCE_DIR CC
set -eu
tmp=$2 root=$3 cc=$4
bad=0
mkdir -p "$tmp"
sh "$root/test/kernel/tree/assemble.sh" "$root" "$tmp/sys"
# survey STATUS
survey() {
	want=$1 status=0
	sh "$root/test/kernel/survey.sh" -o "$tmp/out" "$tmp/sys" "$cc" >"$tmp/said" 2>&1 || status=$?
	[ $status -eq "$want" ] || {
		echo "exit status $status, not $want"
		cat "$tmp/said"
		bad=1
	}
}
# has LINE, but for its blanks
has() {
	tr -s ' ' <"$tmp/said" | sed 's/^ //; s/ $//' | grep -F -x -q -- "$1" || {
		echo "the survey lacks: $1"
		bad=1
	}
}
has_not() {
	! grep -F -q -- "$1" "$tmp/said" || {
		echo "the survey has: $1"
		bad=1
	}
}
survey 1
has 'folder files pass +option fail'
has 'net 1 1 0 0'
has 'netinet 8 3 0 5'
has 'all 10 5 0 5'
has 'netinet/wrong_option2.c: #error "one of two options"'
has 'Names that net, netinet, netinet6 and netpfil want and nobody has: 2'
has 'quota_log netinet/quota_input.c'
has 'vnet_entry_quota_verbose netinet/quota_input.c'
has 'Foreign names: 2'
has 'nowhere_call netinet/wrong_names.c'
has 'nowhere_data netinet/wrong_names.c'
[ "$(grep -c '^  netinet/wrong_' "$tmp/said")" = 5 ] || { echo "not 5 files of netinet fail"; bad=1; }

# Without what is wrong in it, and with what is missing.
rm "$tmp"/sys/netinet/wrong_*.c "$tmp/sys/kern/kern_hhook.c"
cat >"$tmp/sys/netinet/quota_log.c" <<-'END'
	#include <sys/param.h>
	#include <sys/systm.h>
	#include <net/vnet.h>
	#include <netinet/quota.h>
	VNET_DEFINE(int, quota_verbose);
	int
	quota_log(uint32_t addr, const char *what)
	{
		return (0);
	}
END
survey 0
has 'all 5 5 0 0'
has 'Files that fail: 0'
has 'Names that net, netinet, netinet6 and netpfil want and nobody has: 0'
has_not 'quota_log'

if sh "$root/test/kernel/survey.sh" -o "$tmp/out" "$root/test" "$cc" >"$tmp/said" 2>&1; then
	echo "a folder that is no tree is not refused"
	bad=1
fi
grep -q 'is not a FreeBSD kernel tree' "$tmp/said" || { cat "$tmp/said"; bad=1; }
exit $bad
