"""Tools that misbehave in ways bad_tools does not: each is called once, and the server must go on."""

import asyncio
import builtins
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import AsyncIterator, Iterator


def fine(x: str) -> str:
    return x


async def fine_async(x: str) -> str:
    await asyncio.sleep(0)
    return x


def prints(x: str) -> str:
    print("POLLUTION")
    sys.stderr.write("to stderr\n")
    return x


# -- output


def thread_after_return(x: str) -> str:
    def later() -> None:
        for _ in range(200):
            print("POLLUTION")
            os.write(1, b"POLLUTION\n")
            time.sleep(0.002)

    threading.Thread(target=later).start()
    return x


def stderr_flood(x: str) -> str:
    for _ in range(2_000):
        os.write(2, b"y" * 1_000 + b"\n")
    return x


def stdout_flood(x: str) -> str:
    for _ in range(2_000):
        print("POLLUTION" * 100)
    return x


def binary_stdout(x: str) -> str:
    sys.stdout.buffer.write(b"\xff\xfe\x00POLLUTION\n")
    sys.stdout.flush()
    return x


def dunder_stdout(x: str) -> str:
    sys.__stdout__.write("POLLUTION\n")
    sys.__stdout__.close()
    return x


def opens_proc_stdout(x: str) -> str:
    with open("/proc/self/fd/1", "w", encoding="utf-8") as stream:
        stream.write("POLLUTION\n")
    return x


def closes_standard_three(x: str) -> str:
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    return x


def closes_many(x: str) -> str:
    os.closerange(3, 100)
    return x


def closes_streams(x: str) -> str:
    sys.stdout.close()
    sys.stderr.close()
    sys.stdin.close()
    return x


def streams_none(x: str) -> str:
    sys.stdout = sys.stderr = sys.stdin = None
    return x


def streams_raise(x: str) -> str:
    class Angry:
        def __getattr__(self, name: str) -> object:
            raise RuntimeError("no stream")

    sys.stdout = sys.stderr = Angry()
    return x


# -- processes


def daemon_holds_pipes(x: str) -> str:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(8)"], close_fds=False)
    return x


def shell_background(x: str) -> str:
    os.system("(echo POLLUTION; sleep 8) &")
    return x


def double_fork(x: str) -> str:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(8)
        os._exit(0)
    return x


def fork_raises(x: str) -> str:
    if os.fork() == 0:
        raise RuntimeError("in the child")
    return x


def fork_exits(x: str) -> str:
    if os.fork() == 0:
        sys.exit(0)
    return x


def fork_in_thread(x: str) -> str:
    def go() -> None:
        if os.fork() == 0:
            print("POLLUTION")

    thread = threading.Thread(target=go)
    thread.start()
    thread.join()
    return x


def multiprocess_fork(x: str) -> str:
    worker = multiprocessing.get_context("fork").Process(target=print, args=("POLLUTION",))
    worker.start()
    worker.join(5)
    return x


def new_session(x: str) -> str:
    try:
        os.setsid()
    except OSError:
        pass
    return x


def masks_signals(x: str) -> str:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT])
    return x


# -- the interpreter


def traces(x: str) -> str:
    def tracer(*_: object) -> object:
        raise RuntimeError("traced")

    sys.settrace(tracer)
    return x


def profiles(x: str) -> str:
    def profiler(*_: object) -> None:
        raise RuntimeError("profiled")

    sys.setprofile(profiler)
    threading.setprofile(profiler)
    return x


def slow_switch(x: str) -> str:
    sys.setswitchinterval(100)
    return x


def deletes_many_builtins(x: str) -> str:
    for name in ("len", "isinstance", "getattr", "type", "open", "str", "dict", "list", "Exception", "BaseException"):
        delattr(builtins, name)
    return x


def nulls_builtins(x: str) -> str:
    builtins.len = builtins.isinstance = builtins.hasattr = builtins.__import__ = None
    return x


def clears_modules(x: str) -> str:
    sys.modules.clear()
    return x


def clears_path(x: str) -> str:
    sys.path.clear()
    sys.meta_path.clear()
    sys.path_hooks.clear()
    return x


def poisons_modules(x: str) -> str:
    for name in ("json", "re", "asyncio", "select", "time", "difflib", "traceback"):
        sys.modules[name] = None
    return x


def patches_time(x: str) -> str:
    time.time = time.monotonic = time.sleep = lambda *_: 1 / 0
    return x


def patches_os(x: str) -> str:
    os.write = os.read = os.getpid = os.fstat = os.close = None
    return x


def warnings_are_errors(x: str) -> str:
    warnings.simplefilter("error")
    return x


def no_collector(x: str) -> str:
    gc.disable()
    gc.set_threshold(0)
    return x


def clears_environment(x: str) -> str:
    os.environ.clear()
    return x


def deep_limit(x: str) -> str:
    sys.setrecursionlimit(10**6)
    return x


def low_digits(x: str) -> str:
    sys.set_int_max_str_digits(640)
    return x


def umask_and_locale(x: str) -> str:
    import locale

    os.umask(0o777)
    locale.setlocale(locale.LC_ALL, "C")
    return x


def exit_handlers(x: str) -> str:
    import atexit

    atexit.register(time.sleep, 3600)
    atexit.register(lambda: 1 / 0)
    return x


def unraisable(x: str) -> str:
    sys.unraisablehook = sys.excepthook = threading.excepthook = None
    threading.Thread(target=lambda: 1 / 0).start()
    return x


# -- resources


def exhausts_threads(x: str) -> str:
    stop = threading.Event()
    try:
        for _ in range(50_000):
            threading.Thread(target=stop.wait, args=(3,), daemon=True).start()
    finally:
        globals()["_kept"] = stop
    return x


def exhausts_memory(x: str) -> str:
    kept = []
    try:
        while True:
            kept.append(bytearray(1 << 20))
    except MemoryError:
        globals()["_hoard"] = kept
        raise


def exhausts_descriptors(x: str) -> str:
    kept = []
    try:
        while True:
            kept.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        globals()["_descriptors"] = kept
        return x


# -- exceptions


class Hostile(Exception):
    def __str__(self) -> str:
        raise SystemExit(1)

    __repr__ = __str__
    __eq__ = __hash__ = __str__

    def __getattribute__(self, name: str) -> object:
        raise KeyboardInterrupt


def raises_hostile(x: str) -> str:
    raise Hostile


def raises_long_chain(x: str) -> str:
    error: Exception = ValueError("first")
    for number in range(5_000):
        following = ValueError(str(number))
        following.__cause__ = error
        error = following
    raise error


def raises_huge(x: str) -> str:
    raise ValueError("z" * 50_000_000)


def raises_group(x: str) -> str:
    raise BaseExceptionGroup("many", [KeyboardInterrupt(), SystemExit(2), ValueError("one")])


def raises_class_lie(x: str) -> str:
    class Lie(Exception):
        __class__ = property(lambda self: 1 / 0)
        __mcp_tool_error__ = property(lambda self: 1 / 0)

    raise Lie("x")


def raises_surrogate(x: str) -> str:
    raise ValueError("\ud800 \x00 \x1b[2J")


def raises_odd_args(x: str) -> str:
    raise KeyError(object(), {}, [])


class Strange(BaseException):
    def __init_subclass__(cls) -> None:
        raise RuntimeError


def raises_strange(x: str) -> str:
    raise Strange


def raises_timeout(x: str) -> str:
    raise TimeoutError("mine")


def raises_cancelled(x: str) -> str:
    raise asyncio.CancelledError


async def araises_cancelled(x: str) -> str:
    raise asyncio.CancelledError


async def araises_exit(x: str) -> str:
    sys.exit(5)


async def araises_kbd(x: str) -> str:
    raise KeyboardInterrupt


async def araises_stopiter(x: str) -> str:
    raise StopAsyncIteration


# -- results


class Grim:
    """Every question about it raises."""

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError("ask not")

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no eq")

    def __hash__(self) -> int:
        raise RuntimeError("no hash")

    def __bool__(self) -> bool:
        raise RuntimeError("no bool")

    def __len__(self) -> int:
        raise RuntimeError("no len")

    def __iter__(self) -> Iterator[int]:
        raise RuntimeError("no iter")

    def __del__(self) -> None:
        raise RuntimeError("no del")


def returns_grim(x: str) -> object:
    return Grim()


def returns_list_of_grim(x: str) -> object:
    return [Grim(), {"a": Grim()}]


def returns_lying_class(x: str) -> object:
    class Lie:
        __class__ = dict

    return Lie()


def returns_metaclass_lie(x: str) -> object:
    class Meta(type):
        def __getattribute__(cls, name: str) -> object:
            raise SystemExit(9)

        def __instancecheck__(cls, other: object) -> bool:
            raise SystemExit(9)

    class Thing(metaclass=Meta):
        pass

    return Thing()


def returns_evil_str(x: str) -> object:
    class Text(str):
        def __str__(self) -> str:
            raise SystemExit(3)

        def __len__(self) -> int:
            return -5

        def encode(self, *_: object) -> bytes:
            raise SystemExit(3)

        def isprintable(self) -> bool:
            raise SystemExit(3)

    return [Text("abc"), {Text("k"): Text("v")}]


def returns_evil_int(x: str) -> object:
    class Number(int):
        def __repr__(self) -> str:
            return "NaN, \n"

        __str__ = __repr__

    class Fraction(float):
        def __repr__(self) -> str:
            return "NaN"

    return [Number(5), Fraction(1.5)]


def returns_evil_dict(x: str) -> object:
    class Table(dict):
        def items(self) -> object:
            raise SystemExit(3)

        def __iter__(self) -> Iterator[str]:
            while True:
                yield "k"

        def keys(self) -> object:
            return iter(self)

    return Table(a=1)


def returns_evil_list(x: str) -> object:
    class Row(list):
        def __iter__(self) -> Iterator[int]:
            while True:
                yield 1

        def __len__(self) -> int:
            return 3

    return Row([1, 2, 3])


def returns_growing(x: str) -> object:
    class Growing(list):
        def __getitem__(self, index: object) -> object:
            return [self]

    return Growing([1])


def returns_shared(x: str) -> object:
    value: object = "leaf"
    for _ in range(60):
        value = [value, value]
    return value


def returns_big_int(x: str) -> object:
    return 10**10_000


def returns_negative_zero(x: str) -> object:
    return [-0.0, 1e308 * 10, -1e308 * 10, 5e-324]


def returns_wide(x: str) -> object:
    return list(range(3_000_000))


def returns_many_keys(x: str) -> object:
    return {str(number): number for number in range(400_000)}


def returns_module(x: str) -> object:
    return sys


def returns_function(x: str) -> object:
    return print


def returns_file(x: str) -> object:
    return open(os.devnull, encoding="utf-8")


def returns_lock(x: str) -> object:
    return threading.Lock()


def returns_exception(x: str) -> object:
    return ValueError("as a value")


def returns_type(x: str) -> object:
    return int


def returns_notimplemented(x: str) -> object:
    return [NotImplemented, ..., None]


def generator_raises(x: str) -> object:
    yield 1
    raise RuntimeError("half way")


def generator_exits(x: str) -> object:
    yield 1
    sys.exit(4)


def generator_blocks(x: str) -> object:
    while True:
        time.sleep(0.01)
        yield 1


def generator_ignores_close(x: str) -> object:
    while True:
        try:
            yield "y" * 1_000_000
        except GeneratorExit:
            pass


async def agenerator_endless(x: str) -> AsyncIterator[int]:
    while True:
        yield 1


async def agenerator_slow(x: str) -> AsyncIterator[int]:
    while True:
        await asyncio.sleep(0.01)
        yield 1


async def blocks_loop(x: str) -> str:
    time.sleep(3600)
    return x


async def leaves_tasks(x: str) -> str:
    async def forever() -> None:
        while True:
            await asyncio.sleep(3600)

    globals()["_tasks"] = [asyncio.create_task(forever()) for _ in range(10)]

    async def fails() -> None:
        raise RuntimeError("nobody looks")

    asyncio.create_task(fails())
    return x


async def ignores_cancel(x: str) -> str:
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            pass


async def stops_loop(x: str) -> str:
    asyncio.get_running_loop().stop()
    await asyncio.sleep(0)
    return x


async def closes_loop(x: str) -> str:
    asyncio.get_running_loop().call_soon(asyncio.get_running_loop().close)
    return x


async def runs_nested(x: str) -> str:
    return asyncio.run(fine_async(x))


async def cancels_itself(x: str) -> str:
    asyncio.current_task().cancel()
    await asyncio.sleep(0)
    return x


async def cancels_all(x: str) -> str:
    for task in asyncio.all_tasks():
        task.cancel()
    return x


def runs_loop(x: str) -> str:
    return asyncio.run(fine_async(x))


def kills_main_thread(x: str) -> str:
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(threading.main_thread().ident), ctypes.py_object(SystemExit)
    )
    return x


def raises_in_del(x: str) -> str:
    class Thing:
        def __del__(self) -> None:
            raise SystemExit(1)

    Thing()
    return x
