#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What stubs.sh makes and says.
#
#   made.sh SOURCE_DIR DIR, where DIR has command, provided, linked, and objects
#   of flow_input.c, test_stubs.c and flow_odd.c, in this order.
set -eu
root=$1 dir=$2
tmp=$dir/scratch
bad=0
rm -rf "$tmp"
mkdir -p "$tmp"
flow=$(sed -n 1p "$dir/objects") test=$(sed -n 2p "$dir/objects") odd=$(sed -n 3p "$dir/objects")
command=$dir/command provided=$dir/provided linked=$dir/linked
stubs() {
	sh "$root/libvnet/cmake/stubs.sh" -o "$tmp" -p "$provided" -n "$root/include/kern/kern_names.h" -c "$command" \
	    -k "$linked" "$@"
}
# lists PATTERN: a line of undefined.txt, its columns apart by one blank.
lists() {
	tr -s ' ' <"$tmp/undefined.txt" | grep -q -x -- "$1" || {
		echo "undefined.txt lacks: $1"
		bad=1
	}
}
# says TEXT ARGUMENT ...: it fails and TEXT is what it says.
says() {
	text=$1
	shift
	if stubs "$@" >"$tmp.out" 2>&1; then
		echo "not refused: $text"
		bad=1
	elif ! grep -F -q -x -- "$text" "$tmp.out"; then
		echo "expected: $text"
		sed 's/^/  said: /' "$tmp.out"
		bad=1
	fi
}
# object NAME <<text: a kernel-world object of a few lines.
object() {
	cat >"$tmp.$1.c"
	eval "set -- $(tr '\n' ' ' <"$command") -I'$root/test/stubs' -fno-lto -c '$tmp.$1.c' -o '$tmp.$1.o'"
	"$@"
}

stubs -- "$flow" "$test" "$odd" || bad=1
lists 'test/stubs/flow_input.c interface malloc kern_malloc.c'
lists 'test/stubs/flow_input.c given flow_lookup test/stubs/test_stubs.c'
lists 'test/stubs/test_stubs.c given flow_input test/stubs/flow_input.c'
lists 'test/stubs/flow_input.c stack flow_output function, stubbed (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack flow_admit function, stubbed (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack flow_name data, 24 bytes aligned to 1 (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack flow_table data, 64 bytes aligned to 64 (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack flow_hook data, 8 bytes aligned to 8 (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack V_flow_count data, 4 bytes aligned to 4, in each vnet (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack V_flow_own data, 64 bytes aligned to 64, in each vnet (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack V_flowstat counters, 24 bytes, in each vnet (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack M_FLOW malloc type, made (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack flow_mtx mtx, made (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack flow_epoch epoch, made (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack sysctl___net_flow_table sysctl node, made (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_input.c stack pcpu_entry_flow_runs data, 4 bytes aligned to 4, on each CPU (test/stubs/flow.h:[0-9]*)'
lists 'test/stubs/flow_odd.c unknown odd_no_header declared nowhere, not stubbed'
lists 'test/stubs/flow_odd.c unknown flow_opaque type not complete, not stubbed (test/stubs/flow.h:[0-9]*)'
cp "$tmp/undefined.txt" "$tmp/first"
stubs -- "$flow" "$test" "$odd" || bad=1
cmp "$tmp/first" "$tmp/undefined.txt" || bad=1
! grep -q '__asan\|__ubsan\|__tsan\|__msan\|__start_\|libvnet_\|vnh_\|cmocka\|_assert' "$tmp/undefined.txt" ||
    { echo "undefined.txt speaks of the host side's names"; bad=1; }

# From here on what is linked too is only a list of names.
linked=/dev/null
tr '\n' '\0' <"$dir/linked" | xargs -0 "${READELF:-readelf}" -sW 2>/dev/null |
    awk '/^File: / { n = split($2, f, "/"); sub(/\.o$/, "", f[n]); file = f[n] }
    $5 == "GLOBAL" && $7 != "UND" { print $8, file }' >"$tmp.provided"
provided=$tmp.provided

# Defaults of what is no stub, and a wrap that wraps nothing.
default() {
	object "$1" <<-END
		#include "flow.h"
		#include <libvnet/stub.h>
		LIBVNET_STUB_RETURN($2, 0);
	END
}
default a flow_lookup
says "stubs.sh: scratch.a.c says what the stub of flow_lookup shall do, but flow_lookup is no stub: it is defined in test_stubs.c" \
    -- "$flow" "$test" "$tmp.a.o"
default b malloc
says "stubs.sh: scratch.b.c says what the stub of malloc shall do, but malloc is no stub: it is supplied by kern_malloc.c" \
    -- "$flow" "$test" "$tmp.b.o"
default c flow_limit
says "stubs.sh: scratch.c.c says what the stub of flow_limit shall do, but flow_limit is no stub: it is data of 4 bytes" \
    -- "$flow" "$test" "$tmp.c.o"
default d flow_never
says "stubs.sh: scratch.d.c says what the stub of flow_never shall do, but flow_never is no stub: it is called by none of the program's files" \
    -- "$flow" "$test" "$tmp.d.o"
says "stubs.sh: flow_never is to be wrapped, but no file calls it but the one that defines it" -w flow_never -- "$flow" "$test"
says "stubs.sh: malloc is to be wrapped: define __wrap_lvk_malloc in a test file" -w malloc -- "$flow" "$test"
object e <<-'END'
	#include "flow.h"
	void *__real_lvk_malloc(size_t, struct malloc_type *, int);
	void *__wrap_lvk_malloc(size_t, struct malloc_type *, int);
	void *__wrap_lvk_malloc(size_t n, struct malloc_type *t, int how) { return (__real_lvk_malloc(n, t, how)); }
END
stubs -w malloc -- "$flow" "$test" "$tmp.e.o" || bad=1
lists 'test/stubs/flow_input.c wrapped malloc __wrap_lvk_malloc'

# For a whole stack a panic is enough.
stubs -m panic -- "$flow" "$test" || bad=1
grep -q 'whole = 1' "$tmp/stubs.c" || { echo "stubs.c of -m panic is not for a whole stack"; bad=1; }

# An object for link-time optimisation, which says nothing to readelf.
(
	eval "set -- $(tr '\n' ' ' <"$command") -I'$root/test/stubs' -fno-sanitize=all -flto -c '$root/test/stubs/flow_input.c' -o '$tmp.lto.o'"
	"$@"
)
printf '%s\t%s\n' "$tmp.lto.o" "$root/test/stubs/flow_input.c" >"$tmp.list"
if stubs -- "@$tmp.list"; then
	lists 'test/stubs/flow_input.c stack flow_output function, stubbed (test/stubs/flow.h:[0-9]*)'
	lists 'test/stubs/flow_input.c stack V_flow_count data, 4 bytes aligned to 4, in each vnet (test/stubs/flow.h:[0-9]*)'
else
	bad=1
fi

# A mode, files and commands that are none.
says 'stubs.sh: -m is fail or panic, not perhaps' -m perhaps -- "$flow"
says "stubs.sh: there is no object $tmp/nothing.o" -- "$tmp/nothing.o"
sed 's|-I.*/test/stubs.*||' "$command" >"$tmp.command"
echo "'-DFLOW_H'" >>"$tmp.command"
(command=$tmp.command; says "stubs.sh: $root/test/stubs/flow_input.c does not compile once more, with the command in $tmp.command" \
    -- "$flow" "$test"; exit $bad) || bad=1
exit $bad
