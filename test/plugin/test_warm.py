"""The warm interpreter: a child is what a cold run would be, and nothing of the project is in it before."""

import json

THREE = "def test_a(): pass\ndef test_b(): assert 0\ndef test_c(): pass\n"

#: Writes down all that a test can see of the process that runs it.
LOOK = '''
import faulthandler, gc, io, json, locale, logging, os, signal, stat, sys, threading, warnings
def test_a(tmp_path):
    fds = {}
    for fd in sorted(map(int, os.listdir("/proc/self/fd"))):
        try:
            fds[fd] = oct(stat.S_IFMT(os.fstat(fd).st_mode))
        except OSError:
            pass
    seen = {
        "argv": sys.argv,
        "orig_argv": getattr(sys, "orig_argv", None),
        "cmdline": open("/proc/self/cmdline").read(),
        "environ": open("/proc/self/environ").read(),
        "os.environ": dict(os.environ),
        "path": sys.path,
        "flags": str(sys.flags),
        "cwd": os.getcwd(),
        "fds": fds,
        "leads": [os.getpid() == os.getsid(0), os.getpid() == os.getpgid(0)],
        "main": [sys.modules["__main__"].__file__, sys.modules["__main__"].__spec__.name],
        "threads": [len(os.listdir("/proc/self/task")), threading.active_count()],
        "meta_path": [type(f).__name__ for f in sys.meta_path],
        "hooks": [sys.excepthook.__name__, sys.displayhook.__name__, sys.gettrace(), sys.getprofile()],
        "filters": [repr(f) for f in warnings.filters],
        "signals": [str(signal.getsignal(n)) for n in range(1, signal.NSIG)],
        "locale": locale.setlocale(locale.LC_ALL),
        "encodings": [str(sys.stdout.encoding), sys.__stdout__.encoding, sys.__stdout__.line_buffering],
        "umask": os.umask(0o22),
        "gc": [gc.isenabled(), gc.get_threshold()],
        "logging": [str(h) for h in logging.getLogger().handlers],
        "faults": faulthandler.is_enabled(),
        "tmp": str(tmp_path),
        "hash": hash("a"),
        "main thread": threading.main_thread().ident == threading.get_ident(),
        "import lock": [n for n in dir(sys) if n.startswith("last_")],
    }
    json.dump(seen, open(os.environ["SEEN"], "w"))
'''


def see(project, run):
    run()
    seen = json.loads((project.root / "seen").read_text())
    seen["os.environ"].pop("COUNTERPROOF_SESSION")
    return seen


def test_a_child_reports_what_a_cold_run_reports(project, serve):
    project.write("test_a.py", THREE)
    cold = project.run()
    server = serve()
    assert server.opening["kind"] == "ready"
    warm = server.run(nonce="nonce")
    assert [plain(event) for event in warm] == [plain(event) for event in cold]
    assert project.exit == 1


def plain(event):
    passing = ("pid", "who", "spent", "session", "in")
    return {key: value for key, value in event.items() if key not in passing}


def test_a_test_sees_the_same_process_warm_and_cold(project, serve):
    project.write("test_a.py", LOOK)
    env = {"SEEN": str(project.root / "seen")}
    cold = see(project, lambda: project.run(env=env))
    server = serve(env=env)
    assert server.opening["kind"] == "ready"
    warm = see(project, lambda: server.run(nonce="nonce"))
    assert warm == cold
