#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Copy the three headers of the host that kernel world borrows (libbsd's
# queue.h and tree.h, cmocka.h) to a folder where nothing is beside them; for
# builds without CMake.
#
#   foreign.sh DIR
set -eu
[ $# -eq 1 ] || { echo "usage: foreign.sh DIR" >&2; exit 2; }
copy() {	# package, file, destination
	for root in $(pkg-config --cflags-only-I "$1" 2>/dev/null | tr ' ' '\n' | sed 's/^-I//') \
	    "$(pkg-config --variable=includedir "$1" 2>/dev/null)" /usr/include /usr/local/include; do
		[ -f "$root/$2" ] || continue
		mkdir -p "$3"
		cmp -s "$root/$2" "$3/${2##*/}" || cp "$root/$2" "$3/${2##*/}"
		return 0
	done
	echo "foreign.sh: $2 was not found: is $1 installed?" >&2
	exit 1
}
copy libbsd bsd/sys/queue.h "$1/libvnet_bsd"
copy libbsd bsd/sys/tree.h "$1/libvnet_bsd"
copy cmocka cmocka.h "$1/libvnet_cmocka"
