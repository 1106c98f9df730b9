#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Records captures/veth.pcap: real traffic between two hosts, each a network
# namespace, over one cable.  ARP and neighbour discovery, ping with payloads
# that need fragments, HTTP, unreachable ports and 802.1Q tagged frames, over
# IPv4 and IPv6, all in the address ranges that are set aside for examples.
#
#	sh record.sh [FILE]
#
# Needs root, ip(8), tcpdump(8), ping(8), curl(1) and python3.  Exit status:
# 0 recorded, 77 it cannot be done here (and why), 1 it went wrong.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/captures/veth.pcap}
snap=128			# octets kept of each frame

skip() {
	echo "record.sh: skipped: $1"
	exit 77
}
[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in ip tcpdump ping curl python3; do
	command -v "$tool" >/dev/null || skip "needs $tool"
done

a=hostcache_a_$$ b=hostcache_b_$$
work=$(mktemp -d)
dump= server=
cleanup() {
	[ -z "$server" ] || kill $server 2>/dev/null || :
	[ -z "$dump" ] || kill "$dump" 2>/dev/null || :
	ip netns del $a 2>/dev/null || :
	ip netns del $b 2>/dev/null || :
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

ip netns add $a 2>/dev/null || skip "cannot make a network namespace"
ip netns add $b
ip link add va netns $a type veth peer name vb netns $b 2>/dev/null ||
	skip "the kernel has no veth devices"

# NAMESPACE DEVICE MAC HOST-NUMBER: addresses, and frames as on a real cable.
host() {
	ip -n $1 link set lo up
	ip -n $1 link set $2 address $3 gso_max_segs 1
	ip netns exec $1 sysctl -qw net.ipv6.conf.$2.addr_gen_mode=0
	ip -n $1 link set $2 up
	ip -n $1 addr add 192.0.2.$4/24 dev $2
	ip -n $1 addr add 2001:db8::$4/64 dev $2 nodad
}
host $a va 02:00:00:00:00:01 1
host $b vb 02:00:00:00:00:02 2
for n in 11 12 13; do
	ip -n $a addr add 192.0.2.$n/24 dev va
	ip -n $a addr add 2001:db8::$n/64 dev va nodad
done

mkdir "$work/www"
echo hello >"$work/www/index.html"
dd if=/dev/zero of="$work/www/data.bin" bs=1000 count=60 2>/dev/null
for address in 192.0.2.2 2001:db8::2; do
	ip netns exec $b python3 -m http.server --bind $address \
		--directory "$work/www" 8080 >"$work/server.log" 2>&1 &
	server="$server $!"
done
ip netns exec $b tcpdump -Z root -q -n -U -s $snap -i vb -w "$work/veth.pcap" \
	2>"$work/tcpdump.log" &
dump=$!
i=0
until grep -q listening "$work/tcpdump.log" &&
    ip netns exec $a curl -gsf -o /dev/null --max-time 1 http://192.0.2.2:8080/ &&
    ip netns exec $a curl -gsf -o /dev/null --max-time 1 'http://[2001:db8::2]:8080/'; do
	i=$((i + 1))
	[ $i -lt 50 ] || { cat "$work"/*.log >&2; exit 1; }
	sleep 0.2
done

on_a() {
	ip netns exec $a "$@" >/dev/null 2>&1 || :
}
on_a ping -c 3 -i 0.2 192.0.2.2
on_a ping -c 3 -i 0.2 -s 4000 192.0.2.2		# three fragments each way
on_a ping -6 -c 3 -i 0.2 2001:db8::2
on_a ping -6 -c 3 -i 0.2 -s 4000 2001:db8::2
on_a ping -6 -c 2 -i 0.2 ff02::1%va		# all hosts on the link
for n in 11 12 13; do
	on_a ping -c 1 -I 192.0.2.$n 192.0.2.2
	on_a ping -6 -c 1 -I 2001:db8::$n 2001:db8::2
done
for url in 'http://192.0.2.2:8080/data.bin' 'http://[2001:db8::2]:8080/data.bin'; do
	on_a curl -gsf -o /dev/null "$url"
done
ip -n $a neigh flush dev va
on_a ping -c 1 192.0.2.2
on_a ping -6 -c 1 2001:db8::2
on_a ping -c 1 -W 1 192.0.2.99			# nobody there
cat >"$work/send.py" <<'PYTHON'
# Closed ports, and tagged frames: VLAN 10, VLAN 20, and 20 inside 100.
import socket, struct

for family, peer in ((socket.AF_INET, "192.0.2.2"), (socket.AF_INET6, "2001:db8::2")):
    s = socket.socket(family, socket.SOCK_DGRAM)
    s.sendto(b"closed", (peer, 9))

def ipv4(n, size):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28 + size, n, 0, 64, 17, 0,
        bytes((198, 51, 100, n)), bytes((192, 0, 2, 2)))
    words = struct.unpack("!10H", head)
    total = sum(words)
    total = (total & 0xffff) + (total >> 16)
    head = head[:10] + struct.pack("!H", ~total & 0xffff) + head[12:]
    return head + struct.pack("!HHHH", 4000 + n, 9, 8 + size, 0) + bytes(size)

def ipv6(n, size):
    src = socket.inet_pton(socket.AF_INET6, "2001:db8:1::%x" % n)
    dst = socket.inet_pton(socket.AF_INET6, "2001:db8::2")
    udp = struct.pack("!HHHH", 4000 + n, 9, 8 + size, 0xffff) + bytes(size)
    return struct.pack("!IHBB", 6 << 28, len(udp), 17, 64) + src + dst + udp

raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
raw.bind(("va", 0))
macs = bytes((2, 0, 0, 0, 0, 2)) + bytes((2, 0, 0, 0, 0, 1))
def send(tags, kind, packet):
    raw.send(macs + b"".join(struct.pack("!HH", *t) for t in tags) +
        struct.pack("!H", kind) + packet)
for n in range(1, 9):
    send([(0x8100, 10)], 0x0800, ipv4(n, 100 * n))
    send([(0x8100, 20)], 0x86dd, ipv6(n, 100 * n))
    send([(0x88a8, 100), (0x8100, 20)], 0x0800, ipv4(20 + n, 64))
PYTHON
on_a python3 "$work/send.py"
sleep 1
kill -INT "$dump"
wait "$dump" || :
dump=
name=$(uname -n)
if [ ${#name} -gt 3 ] && grep -aqF "$name" "$work/veth.pcap"; then
	echo "record.sh: this machine's name is in the capture" >&2
	exit 1
fi
mkdir -p "$(dirname "$out")"
cp "$work/veth.pcap" "$out"
tail -n 3 "$work/tcpdump.log"
ls -l "$out"
