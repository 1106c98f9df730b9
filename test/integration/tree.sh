#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A kernel tree (test/kernel/tree, our own) through libvnet-cc and CMake: what
# works, and what is said of mistakes.
#
#   tree.sh BUILD SCRATCH SOURCE_DIR WHAT
#
# WHAT: gcc, clang (the wrapper with that compiler), asan, afl, fuzzer, lto, cmake,
# base, spaces
set -eu
build=$1 tmp=$2/$4 root=$3 what=$4
tree=$root/test/kernel/tree
bad=0
rm -rf "$tmp"
mkdir -p "$tmp"
sh "$tree/assemble.sh" "$root" "$tmp/src/sys"
cd "$tmp"
lvcc=$build/bin/libvnet-cc
LIBVNET_CACHE=$tmp/cache
export LIBVNET_CACHE
unset LIBVNET_SYSDIR CFLAGS CMAKE_GENERATOR
CC=$what
case $what in
asan | cmake | fuzzer) CC=clang ;;
lto | base | spaces) CC=gcc ;;
afl) CC=afl-clang-fast ;;
esac
command -v "$CC" >/dev/null || { echo "skip: there is no $CC"; exit 77; }
export CC
say() { echo "$*"; bad=1; }
# good NAME COMMAND ...: succeeds, and what it printed stays in out.
good() {
	name=$1
	shift
	"$@" >out 2>&1 || {
		say "$name: failed"
		tail -n 20 out | sed 's/^/  said: /'
	}
}
# refused NAME LINE COMMAND ...: fails, and its last line is LINE.
refused() {
	name=$1 line=$2
	shift 2
	if "$@" >out 2>&1; then
		say "$name: not refused"
	elif ! tail -n 1 out | grep -F -q -- "$line"; then
		say "$name: expected: $line"
		tail -n 20 out | sed 's/^/  said: /'
	fi
}
has() { grep -q -- "$2" out || { say "$1: expected $2"; tail -n 20 out | sed 's/^/  said: /'; }; }
cc() { "$lvcc" -O0 --sysdir src "$@"; }

isolated() {
	good "one file" cc netinet/quota.c "$tree/test_quota.c" -o t "$@"
	good "one file's test" ./t
	has "one file's test" '^ok 2 - quota_is_full_again_after_a_second'
	good "stubs" cc netinet/quota.c netinet/quota_input.c "$tree/test_input.c" -o t "$@"
	good "stubs' test" ./t
	good "a definition in place of a stub" \
	    cc netinet/quota.c netinet/quota_input.c "$tree/test_input.c" -DGIVEN=5 -o t "$@"
	good "its test" ./t
}

case $what in
gcc)
	# Two at once, where no runtime is yet.
	cc netinet/quota.c "$tree/test_quota.c" -o t1 >out1 2>&1 &
	first=$!
	good "two at once" cc netinet/quota.c netinet/quota_input.c "$tree/test_input.c" -o t2
	cp out out2; wait $first || { say "two at once: the first failed"; cat out1; }
	good "the first of two" ./t1
	good "the second of two" ./t2
	[ "$(find cache -maxdepth 1 -name 'runtime-*' | wc -l)" -eq 1 ] || say "two at once: two runtimes"
	[ "$(cat out1 out2 | grep -c 'provider kern/kern_hhook.c')" -eq 1 ] || say "two at once: the provider's line"
	isolated
	# A part whole: what nobody defines panics.
	cp -R src whole
	rm whole/sys/netinet/wrong_*.c
	good "stack" "$lvcc" -O0 --sysdir whole --stack=netinet "$tree/test_input.c" -DWHOLE -o t
	good "stack's test" ./t
	refused "stack without stubs" 'libvnet: give the source that defines them' \
	    "$lvcc" -O0 --sysdir whole --stack=netinet --stubs=no "$tree/test_input.c" -DWHOLE
	good "stack's providers" "$lvcc" -O0 --sysdir whole --stack=netinet --providers
	has "stack's providers" '^quota_take  *netinet/quota.c  *wanted by netinet/quota_input.c'
	has "stack's providers" '^quota_log  *nobody, a stub '
	rm -r whole
	# Options, by the tree's conf/options and by name.
	good "options" cc --option QUOTA_STRICT --option QUOTA_LIMIT=7 --option QUOTA_TRACE=3 \
	    netinet/quota.c netinet/wrong_option.c "$tree/test_quota.c" -DSTRICT -DLIMIT=7 -o t
	good "options' test" ./t
	refused "option unknown" 'libvnet-cc: option QUOTA_LIMT=7 does nothing: this tree knows none of that name' \
	    cc --option QUOTA_LIMT=7 netinet/quota.c "$tree/test_quota.c"
	refused "option not supported" "libvnet-cc: option WITNESS is not supported: " \
	    cc --option WITNESS netinet/quota.c "$tree/test_quota.c"

	good "interface" cc net/quota_dev.c "$tree/test_dev.c" -DMETHODS=2 -o t
	good "interface's test" ./t

	good "undefined" cc --list-undefined netinet/quota.c netinet/quota_input.c
	has "undefined" '^netinet/quota_input.c .*stack  *quota_log  *function, stubbed'
	has "undefined" '^netinet/quota_input.c .*stack  *V_quota_verbose  *data, 4 bytes'
	has "undefined" '^netinet/quota.c .*interface  *_mtx_init  *libvnet/kern/kern_mutex.c'
	good "providers" cc --providers netinet/quota.c netinet/quota_input.c
	has "providers" '^quota_hash  *libkern/quota_hash.c  *wanted by netinet/quota.c'
	has "providers" '^uma_zcreate  *libvnet/kern/uma_zone.c '
	has "providers" '^quota_log  *nobody, a stub '
	has "providers" '^callout_schedule  *kern/kern_timeout.c '

	good "object" cc -c netinet/quota.c -o quota.o
	good "object linked" cc quota.o "$tree/test_quota.c" -o t
	good "object's test" ./t
	# An object wants stubs, whose data its source tells the size of.
	good "object that lacks" cc -c netinet/quota_input.c -o quota_input.o
	good "object of a test" cc -c "$tree/test_input.c" -o test_input.o
	good "objects" cc quota.o quota_input.o test_input.o -o t
	good "objects' test" ./t
	good "objects' undefined" cc --list-undefined quota.o quota_input.o
	has "objects' undefined" '^netinet/quota_input.c .*stack  *V_quota_verbose  *data, 4 bytes'
	# A host library's function is no stub.
	echo 'int helper(void); int helper(void) { return (41); }' >helper.c
	"$CC" -c helper.c
	ar rcs libhelper.a helper.o
	cat >test_helper.c <<'END'
#include <sys/param.h>
#include <sys/systm.h>
#include <libvnet/test.h>
int helper(void);
LIBVNET_TEST(helper_is_called) { assert_int_equal(helper(), 41); }
END
	good "host library" cc test_helper.c libhelper.a -o t
	good "host library's test" ./t
	echo 'int main(void); int main(void) { return (0); }' >main.c
	refused "main" 'libvnet-cc: could not be built' cc netinet/quota.c "$tree/test_quota.c" main.c -o t
	has "main" '^kernlink.sh: kernel world has no main()'
	refused "objects at once" 'libvnet-cc: -c compiles one .c file at a time' cc -c netinet/quota.c "$tree/test_quota.c"

	# A file of one's own in place of the tree's provider.
	sed 's/addr ^ addr >> 16/addr/' src/sys/libkern/quota_hash.c >quota_hash.c
	good "own file wins" cc --providers netinet/quota.c --kernel quota_hash.c "$tree/test_quota.c"
	has "own file wins" "^quota_hash  *.*$what/quota_hash.c "

	# Nothing to do, and an edit of the tree.
	good "again" cc netinet/quota.c "$tree/test_quota.c" -o t
	before=$(cksum <t)
	echo '#error edited' >>src/sys/netinet/quota.h
	refused "edited header" 'libvnet: netinet/quota.h refuses these options (#error edited' \
	    cc netinet/quota.c "$tree/test_quota.c" -o t
	[ "$before" = "$(cksum <t)" ] || say "edited header: the program is not the old one"
	sed '$d' src/sys/netinet/quota.h >new
	mv new src/sys/netinet/quota.h
	sed 's/addr ^ addr >> 16/7/' src/sys/libkern/quota_hash.c >new
	mv new src/sys/libkern/quota_hash.c
	# An option header that is new, and a provider that is edited.
	awk '{ print } NR == 1 { print "#include \"opt_quota_new.h\"" }' src/sys/netinet/quota.c >new
	mv new src/sys/netinet/quota.c
	good "edited tree" cc netinet/quota.c "$tree/test_quota.c" -o t
	[ "$before" != "$(cksum <t)" ] || say "edited tree: the program is the old one"
	good "edited tree's test" ./t

	;;
clang)
	good "provider" cc netinet/quota.c "$tree/test_quota.c" -o t
	has "provider" '^libvnet: provider kern/kern_hhook.c does not compile in this tree and is left out: '
	isolated
	refused "syntax" 'libvnet: netinet/wrong_syntax.c does not compile (above)' cc -c netinet/wrong_syntax.c
	has "syntax" "src/sys/netinet/wrong_syntax.c:8:[0-9]*: error: "
	refused "header" 'libvnet: netinet/wrong_header.c includes <netinet/nowhere.h>, which neither the tree nor libvnet has' \
	    cc -c netinet/wrong_header.c
	refused "interface" 'libvnet: netinet/wrong_interface.c includes "nowhere_if.h", and there is no nowhere_if.m' \
	    cc -c netinet/wrong_interface.c
	refused "option" 'libvnet: netinet/wrong_option.c needs an option that is not set, QUOTA_TRACE (#error' \
	    cc -c netinet/wrong_option.c
	refused "options" 'needs an option that is not set, QUOTA_TRACE or QUOTA_GLOBAL (#error' cc -c netinet/wrong_option2.c
	refused "names" 'libvnet: give the source that defines them' cc netinet/wrong_names.c net/quota_dev.c "$tree/test_dev.c" -DMETHODS=2
	has "names" '^  undefined: nowhere_data (wanted by wrong_names.c)'
	refused "no stubs" 'libvnet: give the source that defines them' \
	    cc --stubs=no netinet/quota.c netinet/quota_input.c "$tree/test_input.c"
	has "no stubs" '^  undefined: quota_log (wanted by quota_input.c)'

	refused "no folder" 'libvnet-cc: --sysdir nowhere: there is no such folder' "$lvcc" --sysdir nowhere "$tree/test_dev.c"
	mkdir -p other/sys
	refused "no tree" 'other is not a FreeBSD kernel tree: it has no sys/param.h; give the folder sys of' \
	    "$lvcc" --sysdir other "$tree/test_dev.c"
	cp -R src/sys other
	sed 's/\(__FreeBSD_version[ 	]*\)[0-9]*/\12100000/' src/sys/sys/param.h >other/sys/sys/param.h
	refused "version" "is of version 2100000, which this libvnet does not know" "$lvcc" --sysdir other "$tree/test_dev.c"
	has "version" "libvnet-cc: --tree-version"
	rm -r other/sys/amd64 other/sys/arm64
	refused "no arch" "is not a whole kernel tree: it has no a" "$lvcc" --sysdir other --tree-version 1400500 "$tree/test_dev.c"
	refused "no file" 'libvnet-cc: there is no file nowhere.c' cc nowhere.c
	refused "no library" 'libvnet-cc: there is no file nowhere.a' cc netinet/quota.c nowhere.a
	refused "no files" 'libvnet-cc: no files' cc
	refused "no test" 'libvnet-cc: no test: ' cc netinet/quota.c
	refused "no compiler" 'libvnet-cc: there is no compiler nowhere-cc' env CC=nowhere-cc "$lvcc" --sysdir src "$tree/test_dev.c"
	refused "flag" 'libvnet-cc: -fsanitize=everything is not known here' cc -fsanitize=everything "$tree/test_dev.c"
	refused "mistyped" 'libvnet-cc: there is no option --stakc' cc --stakc "$tree/test_dev.c"
	refused "empty" 'libvnet-cc: no value after --option' cc --option '' "$tree/test_dev.c"
	refused "contradiction" 'libvnet-cc: --option INET6 and --option NO_INET6 contradict each other' \
	    cc --option INET6 --option NO_INET6 "$tree/test_dev.c"
	refused "twice" 'libvnet-cc: --option QUOTA_LIMIT is given twice, with different values' \
	    cc --option QUOTA_LIMIT=7 --option QUOTA_LIMIT=8 "$tree/test_dev.c"
	good "a value with spaces" cc --option 'QUOTA_LIMIT=(3 + "a" [0])' -c netinet/quota.c -o q.o
	refused "sanitizers" 'libvnet-cc: -fsanitize=address and thread do not go together' \
	    cc -fsanitize=address,thread "$tree/test_dev.c"
	refused "jobs" 'libvnet-cc: -j 0: it takes a number from 1' cc -j 0 "$tree/test_dev.c"
	refused "output" 'is a folder' cc "$tree/test_dev.c" -o src
	refused "output's folder" 'that folder cannot be written to' cc "$tree/test_dev.c" -o nowhere/t
	refused "flags" "-fno-such-flag does not compile a simple program: " cc -fno-such-flag "$tree/test_dev.c"
	refused "launcher" 'libvnet-cc: there is no ccache, which CC names' env PATH=/bin:/usr/bin/nowhere CC="ccache $CC" /bin/sh "$lvcc" "$tree/test_dev.c"
	good "a definition with a semicolon" cc -c netinet/quota.c '-DLIMIT=a b;c' -o q.o
	echo 'int x;' >x.cpp
	refused "host C++" 'x.cpp: give a .c, or the .o of what is not C' cc --host x.cpp "$tree/test_dev.c"
	mkdir 'a;b'
	cp "$tree/test_dev.c" 'a;b'
	refused "semicolon" 'a path with a semicolon or a backslash cannot be handed to CMake' cc 'a;b/test_dev.c'
	refused "no cache" 'cannot be made; LIBVNET_CACHE names another folder' env LIBVNET_CACHE=/dev/null/cache "$lvcc" "$tree/test_dev.c"
	cp "$tree/test_dev.c" .
	LIBVNET_CACHE=another good "relative cache" cc -c netinet/quota.c -o q.o
	[ -d another ] || say "relative cache: it is not there"
	refused "part" 'libvnet-cc: STACK nowhere: there is no such part; there are net' cc --stack=nowhere "$tree/test_dev.c"
	good "help" "$lvcc" --help
	good "version" "$lvcc" --version
	has "version" '^libvnet-cc [0-9]'
	;;
asan)
	isolated -fsanitize=address
	sed 's/^	quota_take(1, LIMIT);/	memset(\&V_quota_verbose, 0, 8);/' "$tree/test_quota.c" >overrun.c
	good "overrun" cc -fsanitize=address netinet/quota.c netinet/quota_input.c --include "$tree" overrun.c -o t
	if ./t >out 2>&1; then say "overrun: not found"; fi
	has "overrun" 'AddressSanitizer'
	;;
afl | fuzzer | lto)
	case $what in
	afl | fuzzer)
		cat >fuzz.c <<'END'
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <net/vnet.h>
#include <netinet/quota.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t a;

	if (size >= sizeof(a)) {
		memcpy(&a, data, sizeof(a));
		if (quota_hash(a) == 7)
			panic("seven");
	}
	return (0);
}
END
		if [ $what = fuzzer ]; then	# whose target's own branches it sees
			good "fuzzer" cc -fsanitize=fuzzer --kernel src/sys/libkern/quota_hash.c fuzz.c -o f
			if ./f -runs=1000000 -seed=1 >out 2>&1; then say "fuzzer: seven is not found"; fi
			has "fuzzer" 'panic: seven'
			exit $bad
		fi
		good "fuzzer" cc --kernel src/sys/libkern/quota_hash.c fuzz.c -o f
		echo abcdefgh >seed
		good "its run" ./f seed
		good "its coverage" afl-showmap -q -o map -- ./f seed
		;;
	lto)
		cc() { "$lvcc" -O1 -flto --sysdir src "$@"; }
		isolated
		;;
	esac
	;;
cmake)
	mkdir project
	cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(quota C)
enable_testing()
find_package(libvnet REQUIRED)
set(LIBVNET_SYSDIR $tmp/src)
libvnet_add_kernel_objects(quota SOURCES \${LIBVNET_SYSDIR}/sys/netinet/quota.c OPTIONS QUOTA_STRICT)
libvnet_add_test(test_quota SOURCES $tree/test_quota.c KERNEL quota)
target_compile_options(test_quota_harness PRIVATE -DSTRICT)
libvnet_add_test(test_input SOURCES $tree/test_input.c \${LIBVNET_SYSDIR}/sys/netinet/quota_input.c KERNEL quota)
libvnet_add_kernel_objects(base SOURCES base.c SYSDIR NONE OPTIONS NO_VIMAGE)
END
	echo 'int base;' >project/base.c
	good "configure" cmake -S project -B b -G Ninja -Dlibvnet_DIR="$build/package" -DCMAKE_C_COMPILER="$CC"
	good "build" cmake --build b -j 2
	good "tests" ctest --test-dir b --output-on-failure --no-tests=error
	echo "libvnet_add_test(mixed SOURCES $tree/test_dev.c KERNEL base SYSDIR $tmp/src)" >>project/CMakeLists.txt
	if cmake -S project -B b >out 2>&1; then say "mixed: not refused"; fi
	tr -s '\n ' '  ' <out >out2
	mv out2 out
	has "mixed" 'libvnet: mixed and base have different SYSDIR'
	;;
base)
	! command -v make >/dev/null || CMAKE_GENERATOR="Unix Makefiles"
	export CMAKE_GENERATOR
	good "base" "$lvcc" -O0 "$root/test/kernel/test_mutex.c" -o t
	good "base's test" ./t
	good "base's header" "$lvcc" -O0 --option QUOTA=1 -c src/sys/libkern/quota_hash.c --include src/sys || :
	echo '#include <net/if.h>' >h.c
	refused "base's missing header" 'libvnet: h.c includes <net/if.h>, which libvnet has not; ' "$lvcc" -c h.c
	refused "stack in base" 'libvnet-cc: --stack needs a kernel tree: give --sysdir' "$lvcc" --stack "$root/test/kernel/test_mutex.c"
	;;
spaces)
	mkdir "a prefix"
	good "install" cmake --install "$build" --prefix "$tmp/a prefix"
	mkdir "a tree" "a test"
	mv src "a tree"
	cp "$tree/test_quota.c" "a test"
	lvcc="$tmp/a prefix/bin/libvnet-cc"
	LIBVNET_CACHE="$tmp/a cache"
	good "spaces" "$lvcc" -O0 --sysdir "a tree/src" netinet/quota.c "a test/test_quota.c" -o "a test/t"
	good "spaces' test" "a test/t"
	;;
*)
	echo "tree.sh: unknown: $what" >&2
	exit 2
	;;
esac
exit $bad
