"""What makes of a forked child the process that a cold step would be."""

import os
import sys

_MARK = b"COUNTERPROOF_RUN="


class Forget:
    """Keeps a child from clearing what it shares with the server as it ends.

    That would copy a third of all pages that a child ever copies, for nobody: the modules
    of the project, and all that hangs on them alone, are cleared as ever. Its handler is to be
    registered before those of any library, since the first that is registered is called last:
    theirs may import, and must find what they find in a cold run.
    """

    def __init__(self):
        import atexit

        #: Ids by name; set in a child.
        self.modules = None
        atexit.register(self.at_exit)

    def at_exit(self, modules=sys.modules, identity=id):
        for name, module in list(modules.items()) if self.modules else ():
            if self.modules.get(name) == identity(module) and getattr(module, "__file__", None):
                del modules[name]


def _environment_block():
    with open("/proc/self/environ", "rb") as file:
        return file.read()


def mark_address():
    """(address, length) of the run's mark in the memory that /proc shows as this process's environment.

    A forked child keeps the block that its parent was started with, and it is by this block that
    a process that left its group is found: so the child writes its own mark over the server's.
    None: it cannot be found.
    """
    with open("/proc/self/stat", "rb") as file:
        start = int(file.read().rpartition(b")")[2].split()[47])
    block = b"\0" + _environment_block()
    at = block.find(b"\0" + _MARK)
    if start == 0 or at < 0:
        return None
    value = block[at + 1 + len(_MARK) :].partition(b"\0")[0]
    return start + at + len(_MARK), len(value)


def put_mark(place, mark):
    address, length = place
    if len(mark) != length:
        raise ValueError("the mark has %d bytes, and %d are free" % (len(mark), length))
    memory = os.open("/proc/self/mem", os.O_RDWR)
    try:
        os.pwrite(memory, mark, address)
    finally:
        os.close(memory)
    if _MARK + mark not in _environment_block().split(b"\0"):
        raise ValueError("the mark is not where it was written")
