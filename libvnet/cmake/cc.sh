#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# libvnet-cc: builds a program of kernel-world files as a compiler would.  It
# writes two small CMake projects into a cache: one for the runtime, which all
# programs with the same tree, options, compiler and flags share, and one for
# the program; so what is built is what libvnet_add_test() builds.
#
#   cc.sh PACKAGE VERSION [ARGUMENT ...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
package=$1 version=$2
shift 2
me=libvnet-cc
die() { echo "$me: $*" >&2; exit 1; }

usage() {
	cat <<END
usage: libvnet-cc [--sysdir DIR] [OPTION ...] FILE ... -o PROGRAM
       libvnet-cc --list-undefined | --providers [--sysdir DIR] FILE ...

Compiles FILEs as kernel world and links them with libvnet into a test program
(LIBVNET_TEST), a fuzz target (LLVMFuzzerTestOneInput) or, with a main() in a
--host file, any program.  A FILE that is not there is looked for in DIR.

  --sysdir DIR       FreeBSD's sys/ (or src/) whose headers and files are used;
                     default \$LIBVNET_SYSDIR, else libvnet's own few headers
  --option NAME[=V]  kernel option beside VIMAGE, INET and INET6, which are set;
                     NO_INET6 takes one out
  --kernel FILE      code under test; files inside DIR are that anyway
  --host FILE        host-world C, with libc's headers
  --include DIR      header folder in front of the tree's, as -I DIR
  --stack[=PART,...] link whole parts of DIR's network stack (no PART: all)
  --stubs[=HOW]      what nobody defines: yes, no, panic (no without --stack: yes)
  --tree-version N   take DIR for __FreeBSD_version N
  --list-undefined   per file: what is supplied, stubbed, unknown; no program
  --providers        per name: who supplies it; no program
  --version, --help  this
  -c                 compile one FILE to an object, which can be a FILE later
  -o -O -g -D -U -I -W -f -m -l -L -include -isystem -v -j, -fsanitize=address
  undefined, thread, memory, fuzzer, fuzzer-no-link, -flto, --coverage,
  -fuse-ld=bfd|lld: as a compiler's

CC names the compiler: gcc, clang, afl-clang-fast, afl-gcc-fast.  What is built
is kept in \$LIBVNET_CACHE, default \$XDG_CACHE_HOME/libvnet or ~/.cache/libvnet.
END
}

# ---- arguments ------------------------------------------------------------

nl='
'
sysdir=${LIBVNET_SYSDIR:-} options= kernel= files= host= includes= stack= stubs= tree_version=
mode=program output= flags= own= links= sanitize= fuzz= lto=OFF coverage=OFF ld= verbose=no jobs=
add() {	# LIST VALUE: one a line
	case $2 in
	*"$nl"*) die "an argument has a line break: $2" ;;
	esac
	eval "$1=\${$1:+\$$1\$nl}\$2"
}
absolute() {	# PATH [IN]: made absolute
	case $1 in
	/*) printf '%s\n' "$1" ;;
	*) printf '%s\n' "${2:-$PWD}/$1" ;;
	esac
}
sanitizers() {
	for s in $(printf '%s' "$1" | tr ',' ' '); do
		case $s in
		address) sanitize=address ;;
		undefined) [ -n "$sanitize" ] || sanitize=undefined ;;
		thread | memory) sanitize=$s ;;
		fuzzer) fuzz=libfuzzer ;;
		fuzzer-no-link) [ -n "$fuzz" ] || fuzz=no-link ;;
		*) die "-fsanitize=$s is not known here: there are address, undefined, thread, memory, fuzzer and fuzzer-no-link" ;;
		esac
	done
}
while [ $# -gt 0 ]; do
	case $1 in
	--sysdir | --option | --kernel | --host | --include | --tree-version | -o | -D | -U | -I | -L | -l | -j | -include | -isystem | -MF | -MT | -MQ)
		[ $# -gt 1 ] || die "no value after $1" ;;
	esac
	case $1 in
	--help | -h) usage; exit 0 ;;
	--version) echo "libvnet-cc $version"; exit 0 ;;
	--sysdir) sysdir=$2; shift ;;
	--sysdir=*) sysdir=${1#*=} ;;
	--option) add options "$2"; shift ;;
	--option=*) add options "${1#*=}" ;;
	--kernel) add kernel "$2"; shift ;;
	--kernel=*) add kernel "${1#*=}" ;;
	--host) add host "$(absolute "$2")"; shift ;;
	--host=*) add host "$(absolute "${1#*=}")" ;;
	--include | -I) add includes "$(absolute "$2")"; shift ;;
	--include=*) add includes "$(absolute "${1#*=}")" ;;
	-I*) add includes "$(absolute "${1#-I}")" ;;
	--stack) stack=ALL ;;
	--stack=*) stack=$(printf '%s' "${1#*=}" | tr ',' ';') ;;
	--stubs | --stubs=yes | --stubs=ON) stubs=ON ;;
	--stubs=no | --stubs=OFF | --no-stubs) stubs=OFF ;;
	--stubs=panic) stubs=panic ;;
	--stubs=*) die "$1: it can be yes, no or panic" ;;
	--tree-version) tree_version=$2; shift ;;
	--tree-version=*) tree_version=${1#*=} ;;
	--list-undefined) mode=undefined ;;
	--providers) mode=providers ;;
	--coverage | -fprofile-arcs | -ftest-coverage) coverage=ON ;;
	-c) mode=object ;;
	-o) output=$2; shift ;;
	-o*) output=${1#-o} ;;
	-j) jobs=$2; shift ;;
	-j*) jobs=${1#-j} ;;
	-v) verbose=yes ;;
	-fsanitize=*) sanitizers "${1#*=}" ;;
	-flto | -flto=*) lto=ON ;;
	-fno-lto | -pthread | -std=* | -MD | -MMD | -MP | -fPIC | -fPIE | -fpic | -fpie | -pie) ;;
	-MF | -MT | -MQ) shift ;;
	-fuse-ld=*) ld=${1#*=} ;;
	-D | -U) add own "$1$2"; shift ;;
	-include) add own "$1"; add own "$(absolute "$2")"; shift ;;
	-isystem) add includes "$(absolute "$2")"; shift ;;
	-D* | -U* | -W[!l]* | -Wl | -w | -pedantic) add own "$1" ;;
	-L | -l) add links "$1$2"; shift ;;
	-L* | -l* | -Wl,*) add links "$1" ;;
	-E | -S | -shared | -r | -static) die "$1 is not for kernel world: libvnet-cc makes programs and, with -c, objects" ;;
	-x) die "-x: kernel world is C" ;;
	-*) add flags "$1" ;;
	*.a | *.so) add links "$(absolute "$1")" ;;
	*.c | *.o) add files "$1" ;;
	*) die "$1: not a .c, .o or .a file, nor an option (--help lists them)" ;;
	esac
	shift
done

[ -n "$files$kernel" ] || die "no files (--help says more)"
[ "$mode" != object ] || [ -n "$output" ] || {
	output=${files##*/}
	output=${output%.c}.o
}
[ "$mode" != program ] || [ -n "$output" ] || output=a.out
[ -z "$output" ] || output=$(absolute "$output")

# The tree, as far as files are looked for in it; CMake judges it.
case $sysdir in
none | NONE) sysdir= ;;
esac
tree=
if [ -n "$sysdir" ]; then
	[ -d "$sysdir" ] || die "--sysdir $sysdir: there is no such folder"
	sysdir=$(cd "$sysdir" && pwd -P)
	tree=$sysdir
	[ -f "$tree/sys/systm.h" ] || [ ! -f "$tree/sys/sys/systm.h" ] || tree=$tree/sys
fi
under= test= objects=
sort_files() {
	while IFS= read -r file; do
		[ -n "$file" ] || continue
		path=$(absolute "$file")
		[ -f "$path" ] || [ -z "$tree" ] || [ ! -f "$tree/$file" ] || path=$tree/$file
		[ -f "$path" ] || die "there is no file $file"
		case $path in
		*.o) add objects "$path"; continue ;;
		esac
		folder=$(cd "${path%/*}" && pwd -P)
		path=$folder/${path##*/}
		case $folder/ in
		"${tree:-//}"/*) add under "$path" ;;
		*) add "$1" "$path" ;;
		esac
	done <<END
$2
END
}
sort_files under "$kernel"
sort_files test "$files"
case $output in
*.c | *.h) die "-o $output would overwrite a source" ;;
esac
for file in $host; do
	[ -f "$file" ] || die "there is no file $file"
done
fuzzer=no
if [ -n "$test$under" ]; then
	! printf '%s\n%s\n' "$test" "$under" | sed '/^$/d' | tr '\n' '\0' |
	    xargs -0 grep -l LLVMFuzzerTestOneInput >/dev/null 2>&1 || fuzzer=yes
fi

# ---- compiler -------------------------------------------------------------

afl= launcher=
# shellcheck disable=SC2086
set -- ${CC:-cc}
case ${1##*/} in
ccache | sccache) launcher=$1; shift ;;
esac
cc=$1
shift
for word; do
	case $word in
	-fsanitize=*) sanitizers "${word#*=}" ;;
	*) add flags "$word" ;;
	esac
done
command -v "$cc" >/dev/null 2>&1 || die "there is no compiler $cc; CC=gcc or CC=clang names another"
case ${cc##*/} in
afl-clang-fast | afl-clang-fast++ | afl-clang-lto | afl-cc) afl=$(command -v "$cc"); cc=${AFL_CC:-clang} ;;
afl-gcc-fast | afl-gcc) afl=$(command -v "$cc"); cc=${AFL_CC:-gcc} ;;
esac
if [ -n "$afl" ]; then
	fuzz=afl
	[ -z "${AFL_USE_ASAN:-}" ] || sanitize=address
	[ -z "${AFL_USE_UBSAN:-}" ] || [ -n "$sanitize" ] || sanitize=undefined
	[ -z "${AFL_USE_MSAN:-}" ] || sanitize=memory
	unset AFL_USE_ASAN AFL_USE_UBSAN AFL_USE_MSAN
fi
cc=$(command -v "$cc") || die "there is no compiler $cc, which $afl needs"
command -v cmake >/dev/null 2>&1 || die "there is no cmake, which builds the runtime (Debian: cmake)"
generator=Ninja make=ninja
command -v ninja >/dev/null 2>&1 || {
	generator="Unix Makefiles" make=make
	command -v make >/dev/null 2>&1 || die "there is neither ninja nor make (Debian: ninja-build)"
}
[ -n "$jobs" ] || jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
engine=
if [ "$fuzz" = no-link ]; then	# as OSS-Fuzz has it
	fuzz=libfuzzer
	engine=${LIB_FUZZING_ENGINE:-none}
	[ "$engine" != -fsanitize=fuzzer ] || engine=
fi
case "$nl$flags$nl" in
*"$nl"-O*) ;;
*) add flags -O1 ;;
esac

# The options in force.
default="VIMAGE INET INET6"
chosen=
for option in $default; do
	case "$nl$options$nl" in
	*"$nl"NO_"$option$nl"*) [ "$option" != VIMAGE ] || chosen=NO_VIMAGE ;;
	*) chosen="${chosen:+$chosen;}$option" ;;
	esac
done
for option in $options; do
	case $option in
	NO_VIMAGE | NO_INET | NO_INET6 | VIMAGE | INET | INET6) ;;
	*) chosen="$chosen;$option" ;;
	esac
done

# ---- the cache ------------------------------------------------------------

cache=${LIBVNET_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/libvnet}
mkdir -p "$cache" || die "the cache $cache cannot be made; LIBVNET_CACHE names another folder"
# folder KIND <KEY: one of its own for each key.
folder() {
	key=$(cat)
	sum=$(printf '%s' "$key" | cksum | tr ' ' -)
	n=0
	while :; do
		dir=$cache/$1-$sum$n
		mkdir -p "$dir"
		[ -f "$dir/key" ] || { printf '%s' "$key" >"$dir/key.$$" && ln "$dir/key.$$" "$dir/key" 2>/dev/null || :; rm -f "$dir/key.$$"; }
		[ "$(cat "$dir/key")" != "$key" ] || break
		n=$((n + 1))
	done
	printf '%s\n' "$dir"
}
held=
unlock() { for lock in $held; do rm -rf "$lock"; done; held=; }
trap 'rm -f "${reading:-}"; unlock' EXIT
trap 'exit 130' HUP INT TERM
# lock DIR: one at a time; one that died holding it does not count.
lock() {
	while ! mkdir "$1/lock" 2>/dev/null; do
		owner=$(cat "$1/lock/pid" 2>/dev/null || :)
		if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
			# Only one of those that wait may take it away.
			! mv "$1/lock" "$1/lock.$$" 2>/dev/null || rm -rf "$1/lock.$$"
			continue
		fi
		sleep 0.1
	done
	echo $$ >"$1/lock/pid"
	held="$held $1/lock"
}
q() {	# a string in CMake; a list's elements come one a line
	[ -z "$1" ] || printf '%s\n' "$1" | sed 's/.*/ [=[&]=]/'
}
# project DIR TEXT: written if it is new.
project() {
	printf '%s\n' "$2" >"$1/CMakeLists.new"
	if cmp -s "$1/CMakeLists.new" "$1/CMakeLists.txt"; then
		rm -f "$1/CMakeLists.new"
	else
		mv "$1/CMakeLists.new" "$1/CMakeLists.txt"
		rm -f "$1/ready"
	fi
}
# configure DIR: by CMake, unless that is done.
configure() {
	[ ! -f "$1/ready" ] || [ ! -f "$1/b/CMakeCache.txt" ] || return 0
	if cmake -S "$1" -B "$1/b" -G "$generator" >"$1/log" 2>&1; then
		: >"$1/ready"
		return 0
	fi
	[ $verbose = no ] || cat "$1/log" >&2
	awk -v me="$me" '
	/^CMake Error: / && !found { sub(/^CMake Error: /, ""); text = $0; found = 1; exit }
	/^CMake Error/ && !found { found = 1; next }
	found && /^  / { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
	found && text != "" { exit }
	END {
		sub(/^libvnet: /, "", text)
		print me ": " (text != "" ? text : "cmake failed")
	}' "$1/log" >&2
	exit 1
}
# build DIR TARGET: what make and ninja say of themselves is left out.
build() {
	status=0
	cmake --build "$1/b" --target "$2" -j "$jobs" -- ${3:-} >"$1/log" 2>&1 || status=$?
	if [ $verbose = yes ]; then
		cat "$1/log" >&2
	else
		awk '
		/^FAILED: / { command = 1; next }
		command { command = 0; next }
		/^\[[0-9]+\/[0-9]+\]|^\[ *[0-9]+%\]|^ninja: |^g?make(\[[0-9]+\])?: |^-- |^Consolidate |^Scanning /  { next }
		{ print }' "$1/log" >&2
	fi
	return $status
}

settings="
cmake_minimum_required(VERSION 3.25)
set(CMAKE_C_COMPILER$(q "$cc"))
set(CMAKE_C_COMPILER_LAUNCHER$(q "$launcher"))
set(CMAKE_BUILD_TYPE None)
string(JOIN \" \" CMAKE_C_FLAGS$(q "$flags"))
set(CMAKE_SUPPRESS_REGENERATION OFF)
set(LIBVNET_SANITIZE $sanitize)
set(LIBVNET_FUZZ $fuzz)
set(LIBVNET_AFL_CC$(q "$afl"))
set(LIBVNET_LTO $lto)
set(LIBVNET_COVERAGE $coverage)
set(LIBVNET_LD$(q "$ld"))
set(LIBVNET_TREE_VERSION$(q "$tree_version"))
set(LIBVNET_EXPLAIN ON)
project(libvnet_cc C)
set(libvnet_DIR$(q "$package"))"
world="SYSDIR$(q "${sysdir:-NONE}") OPTIONS $chosen"

# The runtime.
runtime=$(printf '%s\n%s\n%s\n%s\n' "$settings" "$world" "$stack" "$(ls -lL "$cc")" | folder runtime)
exports=
[ -z "$stack" ] || exports=" STACK $stack"
lock "$runtime"
project "$runtime" "$settings
find_package(libvnet REQUIRED)
_libvnet_cache_runtime(\${CMAKE_BINARY_DIR}/runtime.cmake $world$exports)"
configure "$runtime"
mkdir -p "$runtime/readers"
# Nobody may be linking what is about to be built anew.
if ! { [ $make = ninja ] && ninja -C "$runtime/b" -n 2>/dev/null | grep -q 'no work to do'; }; then
	for reader in "$runtime"/readers/*; do
		while [ -f "$reader" ] && kill -0 "${reader##*/}" 2>/dev/null; do
			sleep 0.1
		done
		rm -f "$reader"
	done
	build "$runtime" all || die "libvnet's runtime could not be built (above; all that was said: $runtime/log)"
fi
reading=$runtime/readers/$$
: >"$reading"
unlock

# The program.
name=${output##*/}
[ -n "$name" ] || name=program
name=$(printf '%s' "${name%.o}" | tr -c 'A-Za-z0-9_.-' _)
parts=
! printf '%s\n%s\n' "$test" "$under" | sed '/^$/d' | tr '\n' '\0' | xargs -0 grep -l '<libvnet/packet.h>' >/dev/null 2>&1 ||
    parts=" packet"
text="$settings
find_package(libvnet REQUIRED COMPONENTS test replay$parts)
set(LIBVNET_TREE_MADE$(q "$runtime/b/libvnet-tree"))
include($(q "$runtime/b/runtime.cmake"))
enable_testing()"
libs=
if [ -n "$under" ]; then
	libs=" under"
	text="$text
libvnet_add_kernel_objects(under SOURCES$(q "$under") $world${includes:+ INCLUDES$(q "$includes")})"
fi
if [ -n "$objects" ]; then
	libs="$libs given"
	text="$text
_libvnet_given_objects(given $world OBJECTS$(q "$objects"))"
fi
case $mode in
object)
	text="$text
libvnet_add_kernel_objects(object SOURCES$(q "$test") $world${includes:+ INCLUDES$(q "$includes")})"
	;;
*)
	kind=program
	! printf '%s\n%s\n' "$test" "$under" | sed '/^$/d' | tr '\n' '\0' | xargs -0 grep -l '<libvnet/test.h>' >/dev/null 2>&1 || kind=test
	[ $fuzzer = no ] || kind=fuzzer
	if [ $kind = program ] && [ -n "$objects" ] && [ -z "$host" ]; then
		kind=test
	fi
	if [ $kind = program ] && [ -z "$host" ] && [ $mode = program ]; then
		die "no test: a file that includes <libvnet/test.h>, one with LLVMFuzzerTestOneInput(), or a --host file with main()"
	fi
	text="$text
set(LIBVNET_FUZZ_ENGINE$(q "$engine"))
libvnet_add_$kind(program SOURCES$(q "$test") KERNEL$libs HOST$(q "$host") INCLUDES$(q "$includes")
  $world${stack:+ STACK $stack}${stubs:+ STUBS $stubs})
set_target_properties(program PROPERTIES OUTPUT_NAME$(q "$name"))
target_link_libraries(program PRIVATE$(q "$links")${parts:+ libvnet::packet})"
	;;
esac
text="$text
foreach(target under program_harness object)
  if(TARGET \${target})
    target_compile_options(\${target} PRIVATE$(q "$own"))
  endif()
endforeach()"
program=$(printf '%s\n' "$text" | folder program)
lock "$program"
project "$program" "$text"
configure "$program"
failed() {
	grep -q '^libvnet' "$program/log" || die "could not be built (above; all that was said: $program/log)"
	exit 1
}
case $mode in
object)
	build "$program" object || failed
	cp "$(cat "$program/b/object.objects")" "$output.$$"
	mv "$output.$$" "$output"
	;;
program)
	build "$program" program || failed
	cp "$program/b/$name" "$output.$$"
	mv "$output.$$" "$output"
	;;
*)
	build "$program" libvnet_kernel_program || failed
	if [ -z "$sysdir" ]; then
		die "--list-undefined and --providers need a kernel tree: --sysdir DIR"
	elif [ $mode = undefined ]; then
		cat "$program/b/program.kernel/stubs/undefined.txt"
	else
		sh "$here/providers.sh" "$program/b/program.kernel"
	fi
	;;
esac
