#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# proof.sh PROGRAM FAULT REPORT [MORE]: the fault is reported, its twin is not.
# MORE must match in the report's lines taken as one.
prog=$1 fault=$2 report=$3 more=${4:-}
out=$("$prog" "$fault" 2>&1)
status=$?
[ $status -ne 77 ] || { printf '%s\n' "$out"; exit 77; }
if [ $status -eq 0 ] || ! printf '%s\n' "$out" | grep -qE "$report"; then
	printf '%s\n' "$out"
	echo "proof: $fault ended with status $status and without \"$report\""
	exit 1
fi
if ! printf '%s\n' "$out" | tr '\n' ' ' | grep -qE "$more"; then
	printf '%s\n' "$out"
	echo "proof: $fault was reported without \"$more\""
	exit 1
fi
out=$("$prog" "$fault" twin 2>&1)
status=$?
if [ $status -ne 0 ] || printf '%s\n' "$out" | grep -q Sanitizer; then
	printf '%s\n' "$out"
	echo "proof: the twin of $fault ended with status $status"
	exit 1
fi
echo "proof: $fault is reported, its twin is not"
