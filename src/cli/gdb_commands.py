# Commands of gdb for the replay of a failing execution (heddle replay --gdb). Heddle gives this file to gdb.
#
# The process that gdb runs has a thread of the system for each thread of the program (runtime/carriers.h), and says where the replay
# stands in the words of `heddle_debugger` (runtime/debugger.h). It comes to heddle_debugger_stop right before the event where it was told to
# stop. There a second breakpoint is set, where the program's code goes on after the event: so the program stops in its own code, and gdb's
# commands for steps are of use. Only after what goes wrong nothing goes on.
# Heddle's own frames are left out of what is shown.

import re
import struct

import gdb

WORDS = ("event", "target", "last", "again", "events", "threads", "values", "valueCount", "code", "codeEnd")


class Replay:
    """The words of heddle_debugger."""

    def __init__(self):
        self.latest = None  # values of atomic locations, since the program has stopped

    def address(self, word):
        return int(gdb.parse_and_eval("(unsigned long)&heddle_debugger")) + 8 * WORDS.index(word)

    def memory(self, address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size))

    def __getitem__(self, word):
        return struct.unpack("<q", self.memory(self.address(word), 8))[0]

    def __setitem__(self, word, value):
        gdb.selected_inferior().write_memory(self.address(word), struct.pack("<q", value))

    def lines(self, word):
        address, text = self[word], b""
        while address and b"\0" not in text:
            begin = address + len(text)
            text += self.memory(begin, 64 - begin % 64)  # not beyond a page
        return text.split(b"\0")[0].decode(errors="replace").split("\n")[:-1]

    def text(self, event):
        lines = self.lines("events")
        if event == self["last"]:
            return "%d (the failure)  %s" % (event, lines[-1])
        return "%d of %d  %s" % (event, len(lines) - 1, lines[event - 1])

    def system_threads(self):
        count = len(self.lines("threads"))
        return struct.unpack("<%dq" % count, self.memory(self.address("codeEnd") + 8, 8 * count))

    def value_at(self, address):
        if self.latest is None:
            count = self["valueCount"]
            rows = self.memory(self["values"], 24 * count) if count else b""
            self.latest = {row[0]: row[1:] for row in struct.iter_unpack("<QQQ", rows)}
        return self.latest.get(address)

    def is_there(self):
        return gdb.selected_inferior().pid != 0 and self["events"] != 0


replay = Replay()


def is_of_program(frame):
    """Is it the program's code, or that of a header that it includes?"""
    if not replay.is_there():
        return False
    code = replay["code"]
    return code <= frame.pc() < replay["codeEnd"] and frame.find_sal().symtab is not None


def is_own(frame):
    """Is it in a file of the program's own?"""
    return is_of_program(frame) and not frame.find_sal().symtab.filename.startswith("/usr/")


def program_frame():
    """The newest frame of the program's own in the selected thread, or else the newest in a header."""
    frame, other = gdb.newest_frame(), None
    while frame is not None and not is_own(frame):
        other = other or (frame if is_of_program(frame) else None)
        frame = frame.older()
    return frame or other


class OnlyTheProgram:
    """In a thread of the program its own frames are shown, and none of heddle's."""

    def __init__(self):
        self.name = "heddle"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        frames = list(frames)
        for kind in (is_own, is_of_program):
            shown = [frame for frame in frames if kind(frame.inferior_frame())]
            if shown:
                return iter(shown)
        return iter(frames)


class NewestValue:
    """What was last written to an atomic location. Its memory has the initial value."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return self.value


def newest_value(value):
    try:
        kind = value.type.strip_typedefs().unqualified()
        if value.address is None or kind.sizeof > 8 or not replay.is_there():
            return None
        is_atomic = (kind.name or "").startswith(("std::atomic<", "std::__atomic_base<"))
        known = replay.value_at(int(value.address))
        if known is None and not is_atomic:
            return None
        if is_atomic:
            kind = kind.template_argument(0)
        size = kind.sizeof
        if known is None:
            data = replay.memory(int(value.address), size)
        elif known[0] != size or kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY):
            return None
        else:
            data = struct.pack("<Q", known[1])[:size]
        return NewestValue(gdb.Value(data, kind))
    except (gdb.error, RuntimeError):
        return None


class AfterEvent(gdb.Breakpoint):
    """Where the program's code goes on after an event."""

    def __init__(self, frame):
        super().__init__("*%d" % frame.pc(), internal=True, temporary=True)
        self.silent = True
        self.thread = gdb.selected_thread().global_num
        self.event = replay["event"]  # other events may come before this thread goes on


class BeforeEvent(gdb.Breakpoint):
    def __init__(self):
        super().__init__("heddle_debugger_stop", internal=True)
        self.silent = True
        self.after = None

    def stop(self):
        if replay["event"] == replay["last"]:
            return True
        frame, code, end = gdb.newest_frame(), replay["code"], replay["codeEnd"]
        while frame is not None and (frame.type() == gdb.INLINE_FRAME or not code <= frame.pc() < end):
            frame = frame.older()
        if frame is None:
            return True
        self.after = AfterEvent(frame)
        return False


def show_frame():
    """Choose the program's newest frame, and say where it is. Its number among heddle's frames says nothing."""
    frame = program_frame()
    if frame is not None:
        frame.select()
    print(re.sub(r"^#\d+ +(0x[0-9a-f]+ in )?", "", gdb.execute("frame", to_string=True)), end="")


def name_threads():
    for name, number in zip(replay.lines("threads"), replay.system_threads()):
        for thread in gdb.selected_inferior().threads():
            if number != 0 and thread.ptid[1] == number:
                thread.name = name


def on_stop(stop):
    replay.latest = None
    if not replay.is_there():
        return
    name_threads()
    if not isinstance(stop, gdb.BreakpointEvent) or not {before_event, before_event.after} & set(stop.breakpoints):
        return
    after, before_event.after = before_event.after, None
    print("event " + replay.text(after.event if after in stop.breakpoints else replay["event"]))
    show_frame()


def go_to(event):
    event = max(1, min(event, replay["last"]))
    back = event <= replay["event"]
    replay["target"] = event
    replay["again"] = 1 if back else 0
    # On the way back the program passes places that it has passed already.
    passed = [b for b in gdb.breakpoints() if back and b.visible and b.enabled]
    for breakpoint in passed:
        breakpoint.enabled = False
    try:
        gdb.execute("continue")
    finally:
        for breakpoint in passed:
            if breakpoint.is_valid():
                breakpoint.enabled = True


def count(argument):
    return int(gdb.parse_and_eval(argument)) if argument else 1


def require_program():
    if not replay.is_there():
        raise gdb.GdbError("The program is not being run: start it with `run`.")


class Next(gdb.Command):
    """Go on to the next event of any thread. heddle-next N: to the N-th from here."""

    def __init__(self):
        super().__init__("heddle-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        require_program()
        if replay["event"] == replay["last"]:
            raise gdb.GdbError("This is the failure. heddle-back goes back.")
        go_to(replay["event"] + count(argument))


class Back(gdb.Command):
    """Go back to the event before this one. heddle-back N: to the N-th before it. The program is run again up to there."""

    def __init__(self):
        super().__init__("heddle-back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        require_program()
        if replay["event"] <= 1:
            raise gdb.GdbError("This is the first event.")
        go_to(replay["event"] - count(argument))


class GoTo(gdb.Command):
    """Go to the event with this number, forwards or backwards. heddle-goto without a number: to the failure."""

    def __init__(self):
        super().__init__("heddle-goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        require_program()
        go_to(count(argument) if argument else replay["last"])


class Events(gdb.Command):
    """List the events that lead to the failure. An arrow shows the newest one."""

    def __init__(self):
        super().__init__("heddle-events", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        require_program()
        lines, now = replay.lines("events"), replay["event"]
        for number, line in enumerate(lines, 1):
            mark = "->" if number == now or (number == len(lines) and now >= number) else "  "
            print("%s %3s  %s" % (mark, number if number < len(lines) else "!", line))


class Threads(gdb.Command):
    """List the program's threads: gdb's number, the name, and where each is."""

    def __init__(self):
        super().__init__("heddle-threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        require_program()
        chosen = gdb.selected_thread()
        selected = gdb.selected_frame()
        by_number = {thread.ptid[1]: thread for thread in gdb.selected_inferior().threads()}
        for name, number in zip(replay.lines("threads"), replay.system_threads()):
            thread = by_number.get(number)
            if thread is None:
                continue  # it has not begun
            thread.switch()
            frame = program_frame()
            place = "in no code of the program"
            if frame is not None:
                where = frame.find_sal()
                place = "%s at %s:%d" % (frame.name(), where.symtab.filename, where.line)
            print("%s %3d  %-30s %s" % ("*" if thread.num == chosen.num else " ", thread.num, name, place))
        chosen.switch()
        selected.select()


class Thread(gdb.Command):
    """Choose one of the program's threads by its number in the report (0: main), and its newest frame of the program."""

    def __init__(self):
        super().__init__("heddle-thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        require_program()
        numbers = replay.system_threads()
        which = count(argument) if argument else 0
        found = [t for t in gdb.selected_inferior().threads() if which < len(numbers) and t.ptid[1] == numbers[which] != 0]
        if not found:
            raise gdb.GdbError("There is no such thread, or it has not begun: see heddle-threads.")
        found[0].switch()
        show_frame()


OnlyTheProgram()
before_event = BeforeEvent()
gdb.events.stop.connect(on_stop)
gdb.pretty_printers.insert(0, newest_value)
for command in (Next, Back, GoTo, Events, Threads, Thread):
    command()
gdb.execute("set print thread-events off")
gdb.execute("set breakpoint pending on")
gdb.execute("set startup-with-shell off")
gdb.execute("handle SIGURG nostop noprint pass", to_string=True)
gdb.execute("skip -rfunction ^heddle_", to_string=True)
gdb.execute("skip -rfunction ^heddle::", to_string=True)
gdb.execute("skip -rfunction ^std::", to_string=True)
