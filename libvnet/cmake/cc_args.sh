# SPDX-License-Identifier: BSD-2-Clause
#
# What libvnet-cc understands; see cc.sh.
# shellcheck shell=sh

usage() {
	cat <<END
usage: libvnet-cc [--sysdir DIR] [OPTION ...] FILE ... -o PROGRAM
       libvnet-cc --list-undefined | --providers --sysdir DIR [--stack] FILE ...
       libvnet-cc --cache-info | --clean

Compiles FILEs as kernel world and links them with libvnet into a test program
(LIBVNET_TEST), a fuzz target (LLVMFuzzerTestOneInput) or, with a main() in a
--host file, any program.  A FILE is a .c or an .o that -c made; one that is not
there is looked for in DIR.  Libraries (.a, .so, -l) are host world's.

  --sysdir DIR       FreeBSD's sys/ (or src/) whose headers and files are used;
                     default \$LIBVNET_SYSDIR, else libvnet's own few headers
  --option NAME[=V]  kernel option beside VIMAGE, INET and INET6, which are set;
                     NO_INET6 takes one out
  --kernel FILE      code under test; files inside DIR are that anyway
  --host FILE        host-world C, with libc's headers
  --include DIR      header folder in front of the tree's, as -I DIR
  --stack[=PART,...] link whole parts of DIR's network stack (no PART: all)
  --stubs[=HOW]      what nobody defines: yes, no, panic (which is with
                     --stack; else yes)
  --wrap NAME        callers of the function come to the test's __wrap_NAME()
  --no-checks        without the checks of kernel rules (INVARIANTS), for speed
  --tree-version N   take DIR for __FreeBSD_version N
  --list-undefined   per file: what is supplied, stubbed, unknown; no program
  --providers        per name: who supplies it; no program (with --stack no
                     FILE is needed: the table of that tree)
  --cache-info       what the cache holds
  --clean            empties it, but for what somebody uses
  --version, --help  this
  -c                 compile one FILE to an object, which can be a FILE later
  -o -O -g -D -U -I -W -f -m -l -L -include -isystem -v -j, -fsanitize=address
  undefined, thread, memory, fuzzer, fuzzer-no-link, -flto, --coverage,
  -fuse-ld=bfd|lld: as a compiler's

CC names the compiler: gcc, clang, afl-clang-fast, afl-gcc-fast.  What is built
is kept in \$LIBVNET_CACHE, default \$XDG_CACHE_HOME/libvnet or ~/.cache/libvnet,
up to \$LIBVNET_CACHE_SIZE (500M, 5G; default 5G, 0 for no limit): what was used
longest ago goes first.
END
}

sysdir=${LIBVNET_SYSDIR:-} options= kernel= files= host= includes= stack= stubs= wraps= checks=ON tree_version=
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
# fit PATH: CMake keeps lists in one string, and takes a backslash for a slash.
fit() {
	case $1 in
	*[\;\\]*) die "$1: a path with a semicolon or a backslash cannot be handed to CMake" ;;
	esac
}
sanitizers() {
	[ -n "$1" ] || die "no value after -fsanitize="
	for s in $(printf '%s' "$1" | tr ',' ' '); do
		case $s in
		undefined) [ -n "$sanitize" ] || sanitize=undefined ;;
		address | thread | memory)
			case $sanitize in
			'' | undefined | "$s") sanitize=$s ;;
			*) die "-fsanitize=$sanitize and $s do not go together" ;;
			esac
			;;
		fuzzer) fuzz=libfuzzer ;;
		fuzzer-no-link) [ -n "$fuzz" ] || fuzz=no-link ;;
		*) die "-fsanitize=$s is not known here: there are address, undefined, thread, memory, fuzzer and fuzzer-no-link" ;;
		esac
	done
}
parse() {
	while [ $# -gt 0 ]; do
		case $1 in
		--sysdir) [ $# -gt 1 ] || die "no value after $1" ;;
		--option | --wrap | --kernel | --host | --include | --tree-version | -o | -D | -U | -I | -L | -l | -j | -include | -isystem | -MF | -MT | -MQ)
			[ $# -gt 1 ] && [ -n "$2" ] || die "no value after $1" ;;
		--sysdir=) ;;
		--*=) die "no value after $1" ;;
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
		--wrap) add wraps "$2"; shift ;;
		--wrap=*) add wraps "${1#*=}" ;;
		-Wl,--wrap=*) add wraps "${1#*=}" ;;
		--no-checks) checks=OFF ;;
		--tree-version) tree_version=$2; shift ;;
		--tree-version=*) tree_version=${1#*=} ;;
		--list-undefined) mode=undefined ;;
		--providers) mode=providers ;;
		--cache-info) mode=info ;;
		--clean) mode=clean ;;
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
		--param=* | --target=* | --sysroot=* | --gcc-toolchain=*) add flags "$1" ;;
		--*) die "there is no option $1 (--help lists them)" ;;
		-*) add flags "$1" ;;
		*.a | *.so)
			[ -f "$1" ] || die "there is no file $1"
			add links "$(absolute "$1")"
			;;
		*.c | *.o) add files "$1" ;;
		*) die "$1: not a .c, .o or .a file, nor an option (--help lists them)" ;;
		esac
		shift
	done
}

# Files of a list: FILE is one of ours or the tree's.
sort_files() {
	while IFS= read -r file; do
		[ -n "$file" ] || continue
		fit "$file"
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

# CC, which may have flags behind it, or ccache before it.
find_compiler() {
	afl= launcher=
	# shellcheck disable=SC2086
	set -- ${CC:-cc}
	case ${1##*/} in
	ccache | sccache)
		launcher=$(command -v "$1") || die "there is no $1, which CC names"
		shift
		;;
	esac
	[ $# -gt 0 ] || die "CC names no compiler behind $launcher"
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
}
