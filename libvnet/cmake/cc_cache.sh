# SPDX-License-Identifier: BSD-2-Clause
#
# The cache of libvnet-cc: a folder for each key, with a CMake project and its
# build; see cc.sh.
# shellcheck shell=sh

cache=${LIBVNET_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/libvnet}
case $cache in
*"$nl"*) die "the cache's name has a line break" ;;
*[\;\\]*) die "the cache's name, $cache, has a semicolon or a backslash, which CMake cannot take; LIBVNET_CACHE names another folder" ;;
/*) ;;
*) cache=$PWD/$cache ;;
esac
mkdir -p "$cache" 2>/dev/null || die "the cache $cache cannot be made; LIBVNET_CACHE names another folder"
[ -w "$cache" ] || die "the cache $cache cannot be written to; LIBVNET_CACHE names another folder"
# folder KIND <KEY: one of its own for each key.
folder() {
	key=$(cat)
	sum=$(printf '%s' "$key" | cksum | tr ' ' -)
	n=0
	while :; do
		dir=$cache/$1-$sum$n
		mkdir -p "$dir"
		[ -f "$dir/key" ] || { printf '%s' "$key" >"$dir/key.$$" && ln "$dir/key.$$" "$dir/key" || :; rm -f "$dir/key.$$"; } 2>/dev/null
		# Another may be throwing it away just now.
		there=$(cat "$dir/key" 2>/dev/null) || continue
		[ "$there" != "$key" ] || break
		n=$((n + 1))
	done
	printf '%s\n' "$dir"
}
# Held are paths, one a line.
held=
unlock() {
	printf '%s\n' "$held" | while IFS= read -r lock; do
		[ -z "$lock" ] || rm -f "$lock"
	done
	held=
}
trap 'rm -f "${reading:-}"; unlock' EXIT
trap 'exit 130' HUP INT TERM
# trylock DIR: one at a time; one that died holding it does not count.
trylock() {
	echo $$ 2>/dev/null >"$1/lock.$$" || return 1
	for try in 1 2; do
		! ln "$1/lock.$$" "$1/lock" 2>/dev/null || break
		owner=$(cat "$1/lock" 2>/dev/null || :)
		if [ $try = 2 ] || [ -z "$owner" ] || kill -0 "$owner" 2>/dev/null; then
			rm -f "$1/lock.$$"
			return 1
		fi
		mv "$1/lock" "$1/dead.$$" 2>/dev/null || continue
		# Unless another had done so before and holds it now.
		[ "$(cat "$1/dead.$$")" = "$owner" ] || ln "$1/dead.$$" "$1/lock" 2>/dev/null || :
		rm -f "$1/dead.$$"
	done
	rm -f "$1/lock.$$"
}
# enter KIND KEY: that folder, locked; its path becomes $entered.
enter() {
	tries=0
	while :; do
		entered=$(printf '%s\n' "$2" | folder "$1")
		if trylock "$entered"; then
			[ ! -f "$entered/key" ] || break
			rm -f "$entered/lock"
		elif [ -d "$entered" ]; then
			# Not where nothing can be written, or for ever in silence.
			{ echo $$ >"$entered/try.$$" && rm -f "$entered/try.$$"; } 2>/dev/null ||
			    die "the cache cannot be written to, or its disk is full: $entered"
			tries=$((tries + 1))
			[ $((tries % 100)) -ne 50 ] ||
			    echo "$me: waiting for process $(cat "$entered/lock" 2>/dev/null || :), which uses $entered" >&2
			sleep 0.1
		fi
	done
	add held "$entered/lock"
	: >"$entered/used"
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
# configure DIR: by CMake, unless that is done.  What it finds out of the
# compiler and the libraries is kept in $seed for the next project.
configure() {
	[ ! -f "$1/ready" ] || [ ! -f "$1/b/CMakeCache.txt" ] ||
	    { [ ! -f "$1/b/build.ninja" ] && [ ! -f "$1/b/Makefile" ]; } || return 0
	if [ ! -f "$1/b/CMakeCache.txt" ] && [ -d "$seed/found" ]; then
		mkdir -p "$1/b"
		cp -R "$seed/found/." "$1/b" 2>/dev/null || rm -rf "$1/b"
	fi
	if cmake -S "$1" -B "$1/b" -G "$generator" >"$1/log" 2>&1; then
		: >"$1/ready"
		[ -d "$seed/found" ] || keep "$1/b"
		return 0
	fi
	[ $verbose = no ] || cat "$1/log" >&2
	if grep -q 'is not able to compile a simple test program' "$1/log"; then
		die "$cc$(lines "$flags" | sed 's/^/ /' | tr -d '\n') does not compile a simple program: $(
			sed -n 's/^ *\(.*[Ee]rror: .*\|.*\<ld: .*\)/\1/p' "$1/log" | head -n 1 | grep . || echo "see $1/log")"
	fi
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
keep() {	# unless somebody throws it away meanwhile
	found=$seed/found.$$
	if mkdir -p "$found/CMakeFiles" && cp -R "$1"/CMakeFiles/[0-9]* "$found/CMakeFiles" &&
	    sed -e '/^\/\//d' -e '/^$/d' -e '/^CMAKE_HOME_DIRECTORY:/d' -e '/^CMAKE_CACHEFILE_DIR:/d' \
	    -e '/_\(BINARY\|SOURCE\)_DIR:/d' -e '/^libvnet_DIR:/d' "$1/CMakeCache.txt" >"$found/CMakeCache.txt" &&
	    [ ! -d "$seed/found" ] && mv "$found" "$seed/found"; then
		touch "$seed/used" || :
		measure "$seed"
	else
		rm -rf "$found"
	fi
} 2>/dev/null
# build DIR TARGET: all that is said goes into DIR/log.
build() {
	cmake --build "$1/b" --target "$2" -j "$jobs" >"$1/log" 2>&1
}
# show DIR: the log, without what make and ninja say of themselves.
show() {
	if [ $verbose = yes ]; then
		cat "$1/log" >&2
		return
	fi
	awk -v here="$PWD/" '
	/^FAILED: / { command = 1; next }
	command { command = 0; next }
	/^\[[0-9]+\/[0-9]+\]|^\[ *[0-9]+%\]|^ninja: |^g?make(\[[0-9]+\])?: |^-- |^Consolidate |^Scanning / { next }
	{	# as the files were named
		while ((i = index($0, here)) > 0)
			$0 = substr($0, 1, i - 1) substr($0, i + length(here))
		print
	}' "$1/log" >&2
}
# anew DIR ARGUMENT ...: where a source includes an option header that was not
# there when CMake looked, once more from the start.
anew() {
	grep -q 'which is new here: run cmake again' "$1/log" || return 0
	[ -z "${LIBVNET_CC_ANEW:-}" ] || return 0
	shift
	rm -f "$runtime/ready" "${program:-$runtime}/ready" "${reading:-}"
	unlock
	LIBVNET_CC_ANEW=1 exec sh "$here/cc.sh" "$package" "$version" "$@"
}
