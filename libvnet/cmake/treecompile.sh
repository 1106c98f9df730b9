#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Compiles a generated file as kernel world, unless that has been done.
#
#   treecompile.sh COMMAND_FILE SOURCE OBJECT
set -eu
command=$1 source=$2 object=$3
if [ -f "$object" ] && cat "$command" "$source" | cmp -s - "$object.from"; then
	exit 0
fi
set --
while IFS= read -r word; do
	set -- "$@" "$word"
done <"$command"
"$@" -w -fno-lto -c "$source" -o "$object" || {
	echo "libvnet: a generated file does not compile (above): $source" >&2
	exit 1
}
cat "$command" "$source" >"$object.from"
