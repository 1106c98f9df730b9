#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# repeat.sh PROGRAM: runs it twice, from two folders, with environments of two
# sizes, and compares what it says by the byte.
set -eu
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/elsewhere"
run() {
	"$program" --verbose >"$scratch/$1" 2>&1 || {
		cat "$scratch/$1"
		exit 1
	}
}
(cd "$scratch" && run first)
(cd "$scratch/elsewhere" && MORE=$(printf '%4000s' x) && export MORE && run second)
cat "$scratch/first"
cmp "$scratch/first" "$scratch/second"
