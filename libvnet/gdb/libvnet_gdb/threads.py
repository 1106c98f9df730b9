# SPDX-License-Identifier: BSD-2-Clause
"""Kernel threads and the stacks of those that wait.

A parked coroutine is a stack pointer: host_co_swap() pushed the registers
that a callee must preserve, and the return address lies behind them.  gdb is
told that the newest frame was called from there; nothing is written into the
program, so that a core file serves as well.
"""
import gdb
import gdb.unwinder

from .world import (Complaint, command, current_thread, need_memory,
                    need_world, symbol, text)

FRAMES = 30  # of one backtrace

# For each machine what host_co_swap() leaves: registers by their offset from
# the saved stack pointer, and how many bytes that makes.
SAVED = {
    "i386:x86-64": ("rsp", "rip", 56, {
        "r15": 0, "r14": 8, "r13": 16, "r12": 24, "rbx": 32, "rbp": 40,
        "rip": 48}),
    "aarch64": ("sp", "pc", 160, {
        "x%d" % (19 + i): 8 * i for i in range(12)}),
}


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


class Parked(gdb.unwinder.Unwinder):
    """While `sp' is set, the newest frame's caller is the parked flow."""

    def __init__(self):
        super().__init__("libvnet parked threads")
        self.sp = None
        self.top = None

    def __call__(self, pending):
        if self.sp is None:
            return None
        sp, pc, size, registers = SAVED[pending.architecture().name()]
        if int(pending.read_register(sp)) != self.top:
            return None
        # Below all of that stack, or gdb thinks it goes backwards.
        info = pending.create_unwind_info(
            FrameId(gdb.Value(self.sp), pending.read_register(pc)))
        word = gdb.lookup_type("unsigned long").pointer()
        for name, offset in registers.items():
            place = gdb.Value(self.sp + offset).cast(word)
            info.add_saved_register(name, place.dereference())
            if name == "x30":
                info.add_saved_register(pc, place.dereference())
        info.add_saved_register(sp, gdb.Value(self.sp + size))
        return info

    def frames(self, sp):
        """The frames of the flow that was parked at `sp', as texts."""
        newest = gdb.newest_frame()
        arch = newest.architecture().name()
        if arch not in SAVED:
            raise Complaint("the stacks of waiting threads are not known "
                            "for %s" % arch)
        self.top = int(newest.read_register(SAVED[arch][0]))
        self.sp = sp
        try:
            gdb.invalidate_cached_frames()
            return list(describe(gdb.newest_frame().older()))
        finally:
            self.sp = None
            gdb.invalidate_cached_frames()


def describe(frame):
    for level in range(FRAMES):
        if frame is None:
            return
        where = frame.find_sal()
        name = frame.name() or "%#x" % frame.pc()
        if where.symtab is not None:
            name += " at %s:%d" % (where.symtab.filename, where.line)
        yield "    #%-2d %s" % (level, name)
        try:
            frame = frame.older()
        except gdb.error as error:
            yield "    (%s)" % error
            return


parked = Parked()
gdb.unwinder.register_unwinder(None, parked, replace=True)


# ---- kernel threads


def threads():
    """Every struct thread that is in use."""
    boot = symbol("thread0_st")
    if boot is None:
        raise Complaint("this program has no kernel threads")
    yield need_memory(boot)["t0st_thread"]
    intr = symbol("intr_thread")
    if intr is not None and int(intr["td_tid"]) != 0:
        yield intr
    attached, used = symbol("attached"), symbol("attached_used")
    if attached is None or used is None:
        return
    low, high = used.type.range()
    for i in range(low, high + 1):
        if int(used[i]) != 0:
            yield attached[i]


def say_thread(td, now):
    vnet = "-"
    if int(td["td_vnet"]) != 0:
        try:
            vnet = str(int(td["td_vnet"]["vnet_number"]))
        except gdb.error:
            vnet = "?"
    print("%s %-7d %-16s vnet %-4s locks %d critical %d at %#x" % (
        "*" if int(td.address) == now else " ", int(td["td_tid"]),
        text(td["td_name"]), vnet, int(td["td_locks"]),
        int(td["td_critnest"]), int(td.address)))


def say_flow(flow):
    """Where a struct vnh_co waits."""
    if int(flow["co_sp"]) == 0 or int(flow["co_stack"]) == 0:
        print("    (its stack is a host thread's: see `thread apply all bt')")
        return
    for line in parked.frames(int(flow["co_sp"])):
        print(line)


@command("threads")
def list_threads(_arguments):
    """List kernel threads; * is the one that gdb's thread carries."""
    need_world()
    td = current_thread()
    now = int(td) if td is not None else 0
    for each in threads():
        say_thread(each, now)


@command("coroutine")
def show_coroutine(arguments):
    """Backtrace of a parked flow: libvnet coroutine EXPRESSION.

EXPRESSION is a struct vnh_co or points to one."""
    need_world()
    if not arguments:
        raise Complaint("say: libvnet coroutine EXPRESSION")
    flow = gdb.parse_and_eval(" ".join(arguments))
    if flow.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        flow = flow.dereference()
    if str(flow.type.strip_typedefs().unqualified()) != "struct vnh_co":
        raise Complaint("that is a %s, not a struct vnh_co" % flow.type)
    say_flow(need_memory(flow))
