# SPDX-License-Identifier: BSD-2-Clause
#
# For stubs.sh and treelink.sh, which set $readelf.
# shellcheck shell=sh

# source_of OBJECT: as its debug information has it.  LLVM's readelf does not
# read that.
source_of() {
	for dump in "$readelf" readelf; do
		"$dump" --debug-dump=info --dwarf-depth=1 "$1" 2>/dev/null && break
	done | awk '
	/DW_AT_name|DW_AT_comp_dir/ {
		key = $0
		sub(/ *:.*/, "", key)
		sub(/.*DW_AT_/, "", key)
		value = $0
		sub(/^[^:]*: */, "", value)
		sub(/^\((indirect|alt|indexed)[^)]*\): /, "", value)
		if (!(key in at)) at[key] = value
	}
	END { if ("name" in at) print (at["name"] ~ /^\// ? "" : at["comp_dir"] "/") at["name"] }'
}
