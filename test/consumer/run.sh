#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Install a build of libvnet and use the installed copy.
#
#   run.sh BUILD OUT install              into OUT/prefix
#   run.sh BUILD OUT cmake COMPILER [CMAKE_ARGUMENT ...]
#                                         a CMake project builds and runs with it
#   run.sh BUILD OUT spaces COMPILER      prefix and project under a path with spaces
#   run.sh BUILD OUT make COMPILER        pkg-config and make
#   run.sh BUILD OUT readme COMPILER      the first test of README.md, as printed
set -eu
build=$1 out=$2 how=$3 compiler=${4:-cc}
generator=Ninja
here=$(cd "$(dirname "$0")" && pwd)
command -v "$compiler" >/dev/null || { echo "skip: there is no $compiler"; exit 77; }
mkdir -p "$out"
# quietly LOG COMMAND ...
quietly() {
	log=$1
	shift
	"$@" >>"$log" 2>&1 || {
		tail -n 40 "$log"
		exit 1
	}
}
copy() {
	rm -rf "$1"
	cp -R "$here/project" "$1"
}
# use PREFIX PROJECT BUILD [CMAKE_ARGUMENT ...]: nothing of PROJECT's surroundings is seen.
use() {
	prefix=$1 project=$2 dir=$3
	shift 3
	case $compiler in
	*clang) set -- -DCMAKE_CXX_COMPILER="$compiler++" "$@" ;;
	esac
	rm -rf "$dir"
	mkdir -p "$dir"
	quietly "$dir/log" cmake -S "$project" -B "$dir" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" \
	    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@"
	quietly "$dir/log" cmake --build "$dir" -j 2
	( cd "$dir" && ctest --output-on-failure --no-tests=error )
}
case $how in
install)
	rm -rf "$out/prefix"
	quietly "$out/install.log" cmake --install "$build" --prefix "$out/prefix"
	;;
cmake)
	shift 4
	name=${compiler##*/}$(printf '%s' "$*" | tr -c 'A-Za-z0-9' _)
	copy "$out/$name.project"
	use "$out/prefix" "$out/$name.project" "$out/$name" "$@"
	;;
spaces)
	rm -rf "$out/with a space"
	mkdir -p "$out/with a space"
	quietly "$out/spaces.log" cmake --install "$build" --prefix "$out/with a space/prefix"
	copy "$out/with a space/project"
	# The other generator, where there is a make for it.
	! command -v make >/dev/null || generator="Unix Makefiles"
	use "$out/with a space/prefix" "$out/with a space/project" "$out/with a space/build"
	;;
make)
	command -v make >/dev/null || { echo "skip: there is no make"; exit 77; }
	case $out in
	*" "*) echo "skip: make and pkg-config take no space in a path"; exit 77 ;;
	esac
	rm -rf "$out/make"
	cp -R "$here/make" "$out/make"
	copy "$out/project"
	quietly "$out/make/log" make -C "$out/make" CC="$compiler" PREFIX="$out/prefix"
	tail -n 8 "$out/make/log"
	;;
readme)
	rm -rf "$out/readme.project"
	mkdir -p "$out/readme.project"
	# The first block of each language.
	for block in c:test_hits.c cmake:CMakeLists.txt; do
		awk -v start="\140\140\140${block%%:*}" '
		$0 == start { inside = 1; next }
		inside && /^\140\140\140/ { exit }
		inside
		' "$here/../../README.md" >"$out/readme.project/${block#*:}"
	done
	use "$out/prefix" "$out/readme.project" "$out/readme"
	;;
*)
	echo "run.sh: unknown: $how" >&2
	exit 2
	;;
esac
