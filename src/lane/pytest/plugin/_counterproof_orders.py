"""How the steps that a warm interpreter forks are ordered: by a socket to it, by a pipe to its child."""

import os
import sys


class Control:
    """The line to whoever asks for steps."""

    def __init__(self, folder):
        import _socket

        self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        self._socket.connect(os.path.join(folder, "control"))
        self._rest = b""

    def tell(self, **fields):
        import json

        self._socket.sendall(json.dumps(fields).encode() + b"\n")

    def next(self):
        """Ends this process once nobody is there any more."""
        import json

        while b"\n" not in self._rest:
            received = self._socket.recv(65536)
            if not received:
                os._exit(0)
            self._rest += received
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def tell_the_end_of(self, child):
        """Waits for it, and leaves its number its own."""
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        self.tell(kind="ended", status=ended.si_status, killed=ended.si_code != os.CLD_EXITED)

    def close(self):
        self._socket.close()


def fork():
    """The child's number and where to write its order; in the child 0 and where to read it."""
    orders, order_at = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(order_at)
        return 0, orders
    os.close(orders)
    return child, order_at
