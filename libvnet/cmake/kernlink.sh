#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Link kernel-world objects into one relocatable object, and write down what
# is in it: each linker set's size (boot compares, so that a lost member is
# noticed) and each V_ variable's place (for guards and access by name).
#
#   kernlink.sh -o OUT.o -m MANIFEST.c [-n NAMES.h] [-r READELF] [-k KNOWN] -- CC [FLAG ...] OBJECT ...
#
# An OBJECT may be @FILE, which lists objects, one a line.  CC is called with
# -r; link-time optimisation, if its flags ask for it,
# happens here and ends here.  NAMES.h is kern_names.h: an object that uses
# one of the names which it renames was not compiled as kernel world.
# KNOWN is a list of leaks that are known, see libvnet/host/known.c.
# OUT.o.objects lists the objects, for finallink.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
usage="usage: kernlink.sh -o OUT.o -m MANIFEST.c [-n NAMES.h] [-r READELF] [-k KNOWN] -- CC [FLAG ...] OBJECT ..."
readelf=readelf out= manifest= names= known=
say() { echo "kernlink.sh: $*" >&2; }
while [ $# -gt 0 ]; do
	case $1 in
	--) shift; break ;;
	-[omnrk]) [ $# -gt 1 ] || { echo "$usage" >&2; exit 2; } ;;
	*) say "unknown argument $1"; echo "$usage" >&2; exit 2 ;;
	esac
	case $1 in
	-o) out=$2 ;;
	-m) manifest=$2 ;;
	-n) names=$2 ;;
	-r) readelf=$2 ;;
	-k) known=$2 ;;
	esac
	shift 2
done
if [ -z "$out" ] || [ -z "$manifest" ] || [ $# -lt 2 ]; then
	echo "$usage" >&2
	exit 2
fi
command -v "$readelf" >/dev/null 2>&1 || {
	say "$readelf is missing (Debian: binutils); it reads what the linker made"
	exit 1
}
cc=$1
shift
i=$#
while [ "$i" -gt 0 ]; do
	i=$((i - 1))
	arg=$1
	shift
	case $arg in
	@*)
		while IFS= read -r object || [ -n "$object" ]; do
			[ -z "$object" ] || set -- "$@" "$object"
		done <"${arg#@}"
		;;
	*) set -- "$@" "$arg" ;;
	esac
done
scratch=$out.scratch
trap 'rm -f "$scratch" "$scratch".*' EXIT
rm -f "$out" "$manifest"

"$cc" -r -nostdlib "-Wl,-T,$here/kernlink.ld" -o "$scratch" "$@" || {
	say "$cc -r failed (above)"
	exit 1
}

# What remains of the arguments are the objects.
lto=no
i=$#
while [ "$i" -gt 0 ]; do
	i=$((i - 1))
	arg=$1
	shift
	case $arg in
	-flto*) lto=yes ;;
	-*) ;;
	*) set -- "$@" "$arg" ;;
	esac
done
printf '%s\n' "$@" >"$out.objects"

LC_ALL=C "$readelf" -SW "$scratch" >"$scratch.sections"
LC_ALL=C "$readelf" -sW "$scratch" >"$scratch.symbols"
awk -v known="$known" -f "$here/manifest.awk" "$scratch.sections" "$scratch.symbols" >"$scratch.manifest"

# It would take the place of the test runner's.
if awk '$5 == "GLOBAL" && $7 != "UND" && $8 == "main" { found = 1 } END { exit !found }' "$scratch.symbols"; then
	LC_ALL=C "$readelf" -sW "$@" 2>/dev/null | awk -v file="$1" '
	/^File: / { file = substr($0, 7) }
	$5 == "GLOBAL" && $7 != "UND" && $8 == "main" { sub(/.*\//, "", file); sub(/\.o$/, "", file); print file " defines main()" }' >&2
	say "kernel world has no main(): give the file as HOST (libvnet-cc: --host) if it is a host file"
	exit 1
fi

# Names that only libc can mean here.
if [ -n "$names" ]; then
	foreign=$(awk '
	NR == FNR { if ($2 == "redefine_extname") bad[$3]; next }
	$7 == "UND" && ($8 in bad || $8 ~ /^(stdin|stdout|stderr|puts|putchar|__errno_location|__error|pthread_.*|__.*_chk)$/) { print $8 }
	' "$names" "$scratch.symbols" | LC_ALL=C sort -u | tr '\n' ' ')
	foreign=${foreign% }
	if [ -n "$foreign" ]; then
		LC_ALL=C "$readelf" -sW "$@" 2>/dev/null |
		    awk -v names="$foreign" -v file="$1" -v verb="calls libc's" -f "$here/wanted.awk" >"$scratch.who"
		# LTO objects do not say.
		[ -s "$scratch.who" ] || echo "an object calls libc's $foreign" >"$scratch.who"
		cat "$scratch.who" >&2
		say "the above was not compiled as kernel world: give it to libvnet_add_kernel_objects(), or to HOST if it is a host file"
		exit 1
	fi
fi

# Each set must be as large as its parts.  LTO objects have no parts to see:
# for them the count of an ordinary link stands (test/integration).
if [ $lto = no ]; then
	LC_ALL=C "$readelf" -SW "$@" >"$scratch.parts"
	awk -v compare=1 -f "$here/manifest.awk" "$scratch.sections" "$scratch.parts" >&2
fi
mv "$scratch.manifest" "$manifest"
mv "$scratch" "$out"
