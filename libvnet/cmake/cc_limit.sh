# SPDX-License-Identifier: BSD-2-Clause
#
# How large the cache of libvnet-cc may become: of its folders those that were
# used longest ago go first, and none that somebody uses; see cc_cache.sh.
# shellcheck shell=sh

# limit: $LIBVNET_CACHE_SIZE in KiB, 0 for none.
limit() {
	given=${LIBVNET_CACHE_SIZE:-5G}
	case $given in
	*[!0-9]?* | [!0-9]*) number= ;;
	*[kK]) number=${given%?} unit=1 ;;
	*[mM]) number=${given%?} unit=1024 ;;
	*[gG]) number=${given%?} unit=1048576 ;;
	*) number=$given unit=1048576 ;;
	esac
	case $number in
	'' | *[!0-9]* | ????????*) die "LIBVNET_CACHE_SIZE=$given: write a number with K, M or G behind it; 0 is no limit" ;;
	esac
	echo $((number * unit))
}
# measure DIR: its size, kept beside it.
measure() {
	du -sk "$1" 2>/dev/null | cut -f 1 >"$1/size" || :
}
shown() {	# KIB
	awk -v n="$1" 'BEGIN {
		if (n < 10240) printf "%d KiB", n
		else if (n < 2097152) printf "%d MiB", n / 1024
		else printf "%.1f GiB", n / 1048576
	}'
}
# sizes: "KIB FOLDER" of each, used longest ago first.
sizes() (
	cd "$cache"
	{
		for dir in compiler-* runtime-* program-*; do
			[ ! -d "$dir" ] || [ -f "$dir/used" ] || echo "$dir/used"
		done
		ls -tr -- compiler-*/used runtime-*/used program-*/used 2>/dev/null || :
	} | while IFS= read -r used; do
		dir=${used%/used}
		[ -f "$dir/key" ] || continue	# not one of ours
		[ -s "$dir/size" ] || { [ -f "$dir/lock" ] || measure "$dir"; }
		size=$(cat "$dir/size" 2>/dev/null || :)
		echo "${size:-0} $dir"
	done
)
total() {
	sizes | awk '{ n += $1 } END { print n + 0 }'
}
# discard FOLDER: unless somebody uses it.
discard() {
	trylock "$cache/$1" || return 1
	for reader in "$cache/$1"/readers/*; do
		if [ -f "$reader" ] && kill -0 "${reader##*/}" 2>/dev/null; then
			rm -f "$cache/$1/lock"
			return 1
		fi
	done
	rm -rf "$cache/gone-$$"
	mv "$cache/$1" "$cache/gone-$$" 2>/dev/null || { rm -f "$cache/$1/lock"; return 1; }
	rm -rf "$cache/gone-$$"
}
# What one that died was throwing away.
sweep() {
	for gone in "$cache"/gone-*; do
		[ ! -d "$gone" ] || kill -0 "${gone##*-}" 2>/dev/null || rm -rf "$gone"
	done
}
# trim KIB: to that size.  One at a time is enough.
trim() {
	[ "$1" -gt 0 ] || return 0
	over=$(($(total) - $1))
	[ "$over" -gt 0 ] && trylock "$cache" || return 0
	sweep
	sizes | while read -r size dir && [ "$over" -gt 0 ]; do
		discard "$dir" || continue
		over=$((over - size))
	done
	rm -f "$cache/lock"
}
cache_info() {
	kib=$(limit)
	of="no limit"
	[ "$kib" -eq 0 ] || of="at most $(shown "$kib")"
	echo "folder    $cache"
	echo "size      $(shown "$(total)"), $of (LIBVNET_CACHE_SIZE)"
	for kind in runtime program; do
		sizes | awk -v kind=$kind '
		index($2, kind "-") == 1 { n++; size += $1 }
		END { printf "%-9s %d, %d MiB\n", kind "s", n, (size + 1023) / 1024 }'
	done
}
cache_clean() {
	sweep
	sizes | {
		count=0 freed=0 used=0
		while read -r size dir; do
			if discard "$dir"; then
				count=$((count + 1)) freed=$((freed + size))
			else
				used=$((used + 1))
			fi
		done
		echo "removed   $count folders, $(shown $freed)"
		[ $used -eq 0 ] || echo "in use    $used folders, which stay"
	}
}
