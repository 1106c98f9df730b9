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
                    need_world, seconds, static, symbol, text)

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


def contexts():
    """Every struct lvk_ctx; see libvnet/kern/lvk_sched.h."""
    head = symbol("lvk_contexts")
    if head is None:
        raise Complaint("this program has no kernel threads")
    context = need_memory(head)["tqh_first"]
    while int(context) != 0:
        yield context
        context = context["lc_link"]["tqe_next"]


def enum(value):
    """LVK_RUNNING as running."""
    return str(value).replace("LVK_", "").replace("VNH_", "").lower()


def waits_for(context):
    if int(context["lc_lock"]) != 0:
        return ', wants lock "%s"' % context["lc_lock"]["lo_name"].string()
    if not context["lc_asleep"]:
        return ""
    text_ = ", asleep"
    message = context["lc_td"]["td_wmesg"]
    if int(message) != 0:
        text_ += ' on "%s"' % message.string(errors="replace")
    if context["lc_timed"]:
        text_ += " until %s" % seconds(context["lc_deadline"])
    return text_


def say_thread(context, now):
    worn = context["lc_worn"].dereference()
    td = context["lc_td"].dereference()
    vnet = "-"
    if int(worn["td_vnet"]) != 0:
        try:
            vnet = str(int(worn["td_vnet"]["vnet_number"]))
        except gdb.error:
            vnet = "?"
    print("%s %-7d %-16s %s%s, vnet %s, locks %d, critical %d, at %#x" % (
        "*" if int(worn.address) == now else " ", int(td["td_tid"]),
        text(td["td_name"]), enum(context["lc_state"]), waits_for(context),
        vnet, int(worn["td_locks"]), int(worn["td_critnest"]),
        int(td.address)))
    if int(worn.address) != int(td.address):
        print("    in interrupt thread %s" % text(worn["td_name"]))


def waits(context):
    """Not on its stack now.  A panic leaves it for home without a word to
    the scheduler, so host world is asked first."""
    if enum(context["lc_state"]) in ("new", "dead"):
        return False
    on_it = static("coroutine.c", "current")
    try:
        if on_it is not None and int(on_it) != 0:
            return int(on_it) != int(context["lc_co"].address)
    except gdb.error:
        pass
    return enum(context["lc_state"]) != "running"


def say_flow(flow):
    """Where a struct vnh_co waits."""
    if int(flow["co_sp"]) == 0:
        raise Complaint("it never ran, or it is a host thread: see `thread "
                        "apply all backtrace'")
    for line in parked.frames(int(flow["co_sp"])):
        print(line)


@command("threads")
def list_threads(_arguments):
    """List kernel threads, those that wait with their backtraces.

* is the one that gdb's own thread carries: `backtrace' shows it."""
    need_world()
    td = current_thread()
    now = int(td) if td is not None else 0
    every = list(contexts())
    coroutines = enum(symbol("lvk_carrier")) == "coroutine"
    if not coroutines:
        print("(each kernel thread is a host thread: `thread apply all "
              "backtrace' shows their stacks)")
    for context in every:
        say_thread(context, now)
        if coroutines and waits(context):
            say_flow(context["lc_co"])


@command("coroutine")
def show_coroutine(arguments):
    """Backtrace of a kernel thread that waits: libvnet coroutine EXPRESSION.

EXPRESSION is a number that `libvnet threads' shows, or C for a struct
vnh_co, a struct thread, or a pointer to one."""
    need_world()
    if not arguments:
        raise Complaint("say: libvnet coroutine EXPRESSION")
    words = " ".join(arguments)
    if words.isdigit():
        for context in contexts():
            if int(context["lc_td"]["td_tid"]) == int(words):
                say_flow(context["lc_co"])
                return
        raise Complaint("there is no kernel thread %s" % words)
    flow = gdb.parse_and_eval(words)
    if flow.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        flow = flow.dereference()
    kind = str(flow.type.strip_typedefs().unqualified())
    if kind == "struct thread":
        context = gdb.lookup_type("struct lvk_ctx").pointer()
        flow = flow["td_pcb"].cast(context)["lc_co"]
    elif kind != "struct vnh_co":
        raise Complaint("that is a %s, neither a struct vnh_co nor a struct "
                        "thread" % kind)
    say_flow(need_memory(flow))
