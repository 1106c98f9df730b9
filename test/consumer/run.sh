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
set -eu
build=$1 out=$2 how=$3 compiler=${4:-cc}
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
# use PREFIX PROJECT BUILD [CMAKE_ARGUMENT ...]: nothing of PROJECT's surroundings is seen.
use() {
	prefix=$1 project=$2 dir=$3
	shift 3
	rm -rf "$project" "$dir"
	cp -R "$here/project" "$project"
	mkdir -p "$dir"
	quietly "$dir/log" cmake -S "$project" -B "$dir" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
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
	use "$out/prefix" "$out/$name.project" "$out/$name" "$@"
	;;
spaces)
	rm -rf "$out/with a space"
	mkdir -p "$out/with a space"
	quietly "$out/spaces.log" cmake --install "$build" --prefix "$out/with a space/prefix"
	use "$out/with a space/prefix" "$out/with a space/project" "$out/with a space/build"
	;;
make)
	command -v make >/dev/null || { echo "skip: there is no make"; exit 77; }
	rm -rf "$out/make" "$out/project"
	cp -R "$here/make" "$out/make"
	cp -R "$here/project" "$out/project"
	quietly "$out/make/log" make -C "$out/make" CC="$compiler" PREFIX="$out/prefix"
	tail -n 8 "$out/make/log"
	;;
*)
	echo "run.sh: unknown: $how" >&2
	exit 2
	;;
esac
