# SPDX-License-Identifier: BSD-2-Clause
"""Core files without the part of the kernel's region that nobody used."""
import gdb

from .world import Complaint, command, need_world, static, symbol

DONTDUMP, DODUMP = 16, 17  # Linux, madvise(2)


def call(expression):
    """In the program itself."""
    try:
        return int(gdb.parse_and_eval(expression))
    except gdb.error as error:
        raise Complaint("cannot call a function in the program: %s" % error)


def unused():
    """(address, bytes) of what lies behind the heap and behind the stacks."""
    base = static("region.c", "region")
    total = symbol("host_region_bytes")
    stacks = symbol("host_region_stacks")
    if base is None or total is None or stacks is None or int(base) == 0:
        return
    base, total, stacks = int(base), int(total), int(stacks)
    for start, end, used in (
            (0, stacks, call("(unsigned long)vnk_region_used()")),
            (stacks, total, call("(unsigned long)vnk_stacks_used()"))):
        start += (used + 0xffff) & ~0xffff
        if start < end:
            yield base + start, end - start


def advise(parts, advice):
    for address, size in parts:
        call("((int (*)(void *, unsigned long, int))madvise)"
             "((void *)%#x, %#x, %d)" % (address, size, advice))


def linked(function):
    try:
        return int(gdb.parse_and_eval("(unsigned long)&" + function)) != 0
    except gdb.error:
        return False


@command("core")
def make_core(arguments):
    """Write a core file of the running program: libvnet core FILE.

As generate-core-file, which takes gigabytes where the kernel's memory is
reserved and not used."""
    need_world()
    if len(arguments) != 1:
        raise Complaint("say: libvnet core FILE")
    for sanitizer in ("__asan_init", "__msan_init", "__tsan_init"):
        if linked(sanitizer):
            raise Complaint("a sanitizer's shadow memory would make the core "
                            "file huge; look at the program while it runs")
    parts = list(unused())
    advise(parts, DONTDUMP)
    try:
        gdb.execute("generate-core-file " + arguments[0])
    finally:
        advise(parts, DODUMP)
