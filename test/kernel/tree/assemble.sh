#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Makes a kernel tree: the pieces in sys/, and libvnet's base headers and
# sources in the places where a tree has its own.
#
#   assemble.sh ROOT DEST
#
# ROOT is libvnet's source folder, DEST the tree's sys/.
set -eu
root=$1 dest=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$dest"
mkdir -p "$dest"
cp -R "$root/include/base/." "$dest"
for arch in amd64 arm64; do
	mkdir -p "$dest/$arch"
	cp -R "$dest/machine" "$dest/$arch/include"
done
rm -r "$dest/machine"
cp -R "$here/sys/." "$dest"
# What base is split into has no place in a real tree: with the library.
for file in "$root"/libvnet/base/*.c; do
	name=${file##*/}
	if grep -q "^kern/$name" "$root/libvnet/cmake/providers"; then
		cp "$file" "$dest/kern"
	else
		cp "$file" "$dest/libkern"
	fi
done
for dir in kern libkern; do
	cp "$root"/libvnet/base/*.h "$root"/libvnet/kern/*.h "$root"/libvnet/seam/*.h "$dest/$dir"
done
cp "$root"/libvnet/kern/*.h "$root"/libvnet/seam/*.h "$dest"
