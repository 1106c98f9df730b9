#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# kernlink.sh and finallink.sh by themselves, on objects of a few lines: what
# they make of odd input, and what they say of wrong input.
#
#   kernlink.sh PACKAGE SCRATCH SOURCE_DIR CC
set -eu
tmp=$2 root=$3 cc=$4
tools=$root/libvnet/cmake
names=$root/include/kern/kern_names.h
bad=0
rm -rf "$tmp"
mkdir -p "$tmp/with space"
cd "$tmp"

# compile FILE <<text; FILE is compiled to FILE.o
compile() {
	cat >"$1"
	"$cc" -x c -c "$1" -o "$1.o"
}
link() { sh "$tools/kernlink.sh" -o kernel.o -m manifest.c -n "$names" -- "$cc" "$@"; }
lto() {
	"$cc" -flto -c host.c -o host.lto.o
	case $cc in
	*clang*) link -flto -fuse-ld=lld host.lto.o ;;
	*) link -flto -flinker-output=nolto-rel host.lto.o ;;
	esac
}
# says TEXT COMMAND ...: it fails and TEXT is a line of what it says.
says() {
	text=$1
	shift
	if "$@" >out 2>&1; then
		echo "not refused: $text"
		bad=1
	elif ! grep -F -q -x -- "$text" out; then
		echo "expected: $text"
		sed 's/^/  said: /' out
		bad=1
	fi
}
# manifest TEXT: the manifest has a line that matches.
manifest() {
	grep -q -- "$1" manifest.c || {
		echo "the manifest lacks $1"
		cat manifest.c
		bad=1
	}
}

compile plain.c <<-'END'
	int plain(void) { return 1; }
END
link plain.c.o
manifest '{ 0, 0, 0, 0 }'
manifest 'vars\[\] = {'
"$cc" -I "$root/libvnet/seam" -c manifest.c -o manifest.o

# Paths with spaces; two static variables of one name; a set in two files.
compile "with space/a b.c" <<-'END'
	#define V(part) __attribute__((section("set_vnet.u.1." part), used))
	static int vnet_entry_same V("1") = 1;
	static char vnet_entry_odd[13] __attribute__((section("set_vnet.u.2.1"), used));
	static const void *const one __attribute__((section("set_things"), used)) = &vnet_entry_same;
END
compile "with space/c.c" <<-'END'
	static int vnet_entry_same __attribute__((section("set_vnet.v.1.1"), used)) = 2;
	static const void *const one __attribute__((section("set_things"), used)) = &vnet_entry_same;
END
link "with space/a b.c.o" "with space/c.c.o"
manifest '{ "set_things", __start_set_things, __stop_set_things, 16 },'
manifest '{ "odd", [0-9]*, 13 },'
[ "$(grep -c '{ "same", [0-9]*, 4 },' manifest.c)" = 2 ] || { echo "one of the two V_same is missing"; bad=1; }
printf '%s\n' "with space/a b.c.o" "with space/c.c.o" >list
link @list
manifest '{ "set_things", __start_set_things, __stop_set_things, 16 },'

# A guard that guards nothing.
compile unguarded.c <<-'END'
	static char vnet_guard_0[16] __attribute__((section("set_vnet.u.1.0"), used, aligned(8)));
	static int vnet_entry_a __attribute__((section("set_vnet.u.1.1"), used));
	static int vnet_entry_b __attribute__((section("set_vnet.u.1.1"), used));
END
says 'kernlink.sh: no gap before V_b: the compiler put nothing between it and V_a' link unguarded.c.o

# A host object.
compile host.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	void *host(void) { printf("%d\n", 1); return malloc(1); }
END
says "host.c calls libc's malloc" link host.c.o plain.c.o
says "host.c calls libc's printf" link plain.c.o host.c.o
says "an object calls libc's malloc printf" lto
[ ! -e kernel.o ] || { echo "kernel.o was made all the same"; bad=1; }

# The tools.
says 'kernlink.sh: no-such-readelf is missing (Debian: binutils); it reads what the linker made' \
    sh "$tools/kernlink.sh" -o kernel.o -m manifest.c -r no-such-readelf -- "$cc" plain.c.o
says 'kernlink.sh: unknown argument -z' sh "$tools/kernlink.sh" -z
says "kernlink.sh: $cc -r failed (above)" link missing.o

# The last link: who wants what is undefined.
compile wants.c <<-'END'
	int foo(void), bar(void);
	int start(void) { return foo() + bar(); }
END
compile also.c <<-'END'
	int foo(void);
	int also(void) { return foo(); }
END
compile host.c <<-'END'
	int start(void);
	int main(void) { return start(); }
END
link wants.c.o also.c.o
last() { sh "$tools/finallink.sh" -k "$tmp" -- "$cc" kernel.o host.c.o "$@" -o program; }
says '  undefined: foo (wanted by wants.c, also.c)' last
says '  undefined: bar (wanted by wants.c)' last
compile hosted.c <<-'END'
	int foo(void) { return 0; }
	int baz(void), bar(void);
	int bar(void) { return baz(); }
END
says '  undefined: baz (wanted by hosted.c)' last hosted.c.o
compile baz.c <<-'END'
	int baz(void) { return 0; }
END
last hosted.c.o baz.c.o || { echo "a sound program is not linked"; bad=1; }
./program || { echo "the program does not run"; bad=1; }

# A name that libc happens to have.
compile takes.c <<-'END'
	char *strerror(int), *strchr(const char *, int);
	int start(void) { return strerror(*strchr("x", 'x')) == 0; }
END
link takes.c.o
says "takes.c calls libc's strerror" last
says "libvnet: kernel world may not call libc's strerror: the kernel's own is missing here, or belongs in a HOST file" last
[ ! -e program ] || { echo "the program was made all the same"; bad=1; }

# It would be in place of the test runner's.
says "host.c defines main()" link host.c.o
says 'kernlink.sh: kernel world has no main(): give the file as HOST (libvnet-cc: --host) if it is a host file' link host.c.o takes.c.o
exit $bad
