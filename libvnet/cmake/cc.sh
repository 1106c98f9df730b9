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
me=libvnet-cc
nl='
'
die() { echo "$me: $*" >&2; exit 1; }
lines() { printf '%s\n' "$@" | sed '/^$/d'; }
. "$here/cc_args.sh"
. "$here/cc_cache.sh"
. "$here/cc_limit.sh"

shift 2
parse "$@"
case $mode in
info) cache_info; exit 0 ;;
clean) cache_clean; exit 0 ;;
esac
most=$(limit)
case $mode:$stack in
providers:?* | undefined:?*) ;;		# of the stack alone
*) [ -n "$files$kernel$host" ] || die "no files (--help says more)" ;;
esac
[ "$mode" != object ] || [ -n "$output" ] || {
	output=${files##*/}
	output=${output%.c}.o
}
[ "$mode" != program ] || [ -n "$output" ] || output=a.out
[ -z "$output" ] || output=$(absolute "$output")
fit "$output"
[ ! -d "$output" ] || die "-o $output is a folder"
[ -z "$output" ] || { [ -d "${output%/*}/" ] && [ -w "${output%/*}/" ]; } || die "-o $output: that folder cannot be written to"
case $jobs in
*[!0-9]* | 0*) die "-j $jobs: it takes a number from 1" ;;
esac

# The tree, as far as files are looked for in it; CMake judges it.
case $sysdir in
none | NONE) sysdir= ;;
esac
tree=
if [ -n "$sysdir" ]; then
	[ -d "$sysdir" ] || die "--sysdir $sysdir: there is no such folder"
	fit "$sysdir"
	sysdir=$(cd "$sysdir" && pwd -P)
	tree=$sysdir
	[ -f "$tree/sys/systm.h" ] || [ ! -f "$tree/sys/sys/systm.h" ] || tree=$tree/sys
fi
under= test= objects=
sort_files under "$kernel"
sort_files test "$files"
case $output in
*.c | *.h) die "-o $output would overwrite a source" ;;
esac
lines "$host" | while IFS= read -r file; do
	fit "$file"
	[ -f "$file" ] || die "there is no file $file"
	case $file in
	*.c | *.o) ;;
	*) die "--host $file: give a .c, or the .o of what is not C" ;;
	esac
done
lines "$includes" | while IFS= read -r folder; do
	fit "$folder"
done
# mentions TEXT: one of the sources does.
mentions() {
	! lines "$test" "$under" | tr '\n' '\0' | xargs -0 grep -l -F -e "$1" >/dev/null 2>&1 || return 0
	return 1
}

find_compiler
command -v cmake >/dev/null 2>&1 || die "there is no cmake, which builds the runtime (Debian: cmake)"
generator=Ninja make=ninja
if [ "${CMAKE_GENERATOR:-}" = "Unix Makefiles" ] || ! command -v ninja >/dev/null 2>&1; then
	generator="Unix Makefiles" make=make
	command -v make >/dev/null 2>&1 || die "there is neither ninja nor make (Debian: ninja-build)"
fi
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
	*"$nl"NO_"$option$nl"*)
		case "$nl$options$nl" in
		*"$nl$option$nl"*) die "--option $option and --option NO_$option contradict each other" ;;
		esac
		[ "$option" != VIMAGE ] || chosen=NO_VIMAGE
		;;
	*) add chosen "$option" ;;
	esac
done
twice=$(lines "$options" | sort -u | sed -e 's/^opt_[a-z0-9_]*\.h://' -e 's/=.*//' | uniq -d | head -n 1)
[ -z "$twice" ] || die "--option $twice is given twice, with different values"
while IFS= read -r option; do
	case $option in
	'' | NO_VIMAGE | NO_INET | NO_INET6 | VIMAGE | INET | INET6) ;;
	*\;*) die "--option $option: a value with a semicolon cannot be handed to CMake" ;;
	*) add chosen "$option" ;;
	esac
done <<END
$options
END

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
set(LIBVNET_CHECKS $checks)
set(LIBVNET_LTO $lto)
set(LIBVNET_COVERAGE $coverage)
set(LIBVNET_LD$(q "$ld"))
set(LIBVNET_TREE_VERSION$(q "$tree_version"))
set(LIBVNET_EXPLAIN ON)
project(libvnet_cc C)
set(libvnet_DIR$(q "$package"))"
world="SYSDIR$(q "${sysdir:-NONE}") OPTIONS$(q "$chosen")"

compiler=$(ls -lL "$cc")
settings="# $generator$settings"
seed=$(printf '%s\n%s\n' "$settings" "$compiler" | folder compiler)
touch "$seed/used" 2>/dev/null || :

# The runtime.
exports=
[ -z "$stack" ] || exports=" STACK $stack"
enter runtime "$settings$nl$world$nl$stack$nl$compiler"
runtime=$entered
if [ -n "$afl" ] && [ ! -f "$runtime/ready" ]; then	# else every file would say it
	: >"$runtime/empty.c"
	AFL_CC=$cc AFL_QUIET=1 "$afl" -c "$runtime/empty.c" -o "$runtime/empty.o" >"$runtime/log" 2>&1 ||
	    die "$afl does not work: $(sed -n 's/.*\(PROGRAM ABORT\|error\)[^:]*: *//p' "$runtime/log" | sed 's/\x1b\[[0-9;]*m//g' | head -n 1)"
fi
project "$runtime" "$settings
find_package(libvnet REQUIRED)
_libvnet_cache_runtime(\${CMAKE_BINARY_DIR}/runtime.cmake $world$exports)"
configure "$runtime"
mkdir -p "$runtime/readers"
# Nobody may be linking what is about to be built anew.
need=all
[ $mode != object ] || need=libvnet_headers
if ! { [ $make = ninja ] && ninja -C "$runtime/b" -n $need 2>/dev/null | grep -q 'no work to do'; }; then
	for reader in "$runtime"/readers/*; do
		while [ -f "$reader" ] && kill -0 "${reader##*/}" 2>/dev/null; do
			sleep 0.1
		done
		rm -f "$reader"
	done
	built=yes
	build "$runtime" $need || built=no
	[ $built = yes ] || anew "$runtime" "$@"
	show "$runtime"
	measure "$runtime"
	[ $built = yes ] || die "libvnet's runtime could not be built (above; all that was said: $runtime/log)"
fi
reading=$runtime/readers/$$
: >"$reading"
unlock

# The program.
name=${output##*/}
case $name in
'' | -*) name=program$name ;;
esac
name=$(printf '%s' "${name%.o}" | tr -c 'A-Za-z0-9_.-' _)
parts=
! mentions '<libvnet/packet.h>' || parts=" packet"
text="$settings
find_package(libvnet REQUIRED COMPONENTS test replay$parts)
set(LIBVNET_TREE_MADE$(q "$runtime/b/libvnet-tree"))
include($(q "$runtime/b/runtime.cmake"))
enable_testing()"
libs=
if [ $mode = object ]; then
	case $test${under:+${test:+$nl}$under} in
	'' | *"$nl"*) die "-c compiles one .c file at a time" ;;
	esac
elif [ -n "$under" ]; then
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
file(GENERATE OUTPUT \${CMAKE_BINARY_DIR}/object.objects CONTENT \"\$<TARGET_OBJECTS:object>\n\")
libvnet_add_kernel_objects(object SOURCES$(q "$test$under") $world${includes:+ INCLUDES$(q "$includes")})"
	;;
*)
	kind=program
	! mentions '<libvnet/test.h>' || kind=test
	! mentions LLVMFuzzerTestOneInput || kind=fuzzer
	if [ $kind = program ] && [ -n "$objects" ] && [ -z "$host" ]; then
		kind=test
	fi
	if [ $kind = program ] && [ -z "$host" ] && [ $mode = program ]; then
		die "no test: a file that includes <libvnet/test.h>, one with LLVMFuzzerTestOneInput(), or a --host file with main()"
	fi
	adds=$kind part=
	if [ $kind = test ] && [ -z "$test" ]; then	# objects only
		adds=program part="
_libvnet_link_part(program test)"
	fi
	text="$text
set(LIBVNET_FUZZ_ENGINE$(q "$engine"))
libvnet_add_$adds(program SOURCES$(q "$test") KERNEL$libs HOST$(q "$host") INCLUDES$(q "$includes")
  $world${stack:+ STACK $stack}${stubs:+ STUBS $stubs}${wraps:+ WRAP$(q "$wraps")})
set_target_properties(program PROPERTIES OUTPUT_NAME$(q "$name"))$part
target_link_libraries(program PRIVATE$(q "$links")${parts:+ libvnet::packet})"
	;;
esac
text="$text
foreach(target under program_harness object)
  if(TARGET \${target})
    target_compile_options(\${target} PRIVATE$(q "$own" | sed 's/;/\\;/g'))
  endif()
endforeach()"
# What gcovr has to know for a report: where the counters are, and which of
# the lines are the tree's and the user's.
coverage_config() {
	case $cc in
	*clang*) echo "gcov-executable = llvm-cov gcov" ;;
	esac
	echo "root = ${sysdir:-$PWD}"
	for file in $(printf '%s\n' "$under" | tr ' ' '?'); do
		echo "filter = $file"
	done
	[ -z "$stack" ] || echo "filter = $sysdir/"
	echo "search-path = $runtime/b"
	echo "search-path = $program/b"
	echo "html-details = $output.coverage/index.html"
	echo "print-summary = yes"
}
enter program "$text"
program=$entered
project "$program" "$text"
configure "$program"
case $mode in
object) what=object ;;
program) what=program ;;
*)
	what=libvnet_kernel_program
	[ -n "$sysdir" ] || die "--list-undefined and --providers need a kernel tree: --sysdir DIR"
	;;
esac
built=yes
build "$program" $what || built=no
[ $built = yes ] || anew "$program" "$@"
show "$program"
measure "$program"
if [ $built = no ]; then
	grep -q '^libvnet' "$program/log" || die "could not be built (above; all that was said: $program/log)"
	exit 1
fi
case $mode in
object)
	cp "$(cat "$program/b/object.objects")" "$output.$$"
	mv "$output.$$" "$output"
	;;
program)
	cp "$program/b/$name" "$output.$$"
	mv "$output.$$" "$output"
	if [ $coverage = ON ]; then
		mkdir -p "$output.coverage"
		coverage_config >"$output.gcovr.cfg"
	fi
	;;
undefined) cat "$program/b/program.kernel/stubs/undefined.txt" ;;
*) sh "$here/providers.sh" "$program/b/program.kernel" ;;
esac
trim "$most"
