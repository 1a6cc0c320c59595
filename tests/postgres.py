"""A real PostgreSQL server in a throw-away folder, on loopback only; one per process of the tests."""

import atexit
import os
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest


def program(name):
    """Where a program of PostgreSQL is; packages put them off the path."""
    beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(beside[-1]) if beside else None)


def free_port():
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


@dataclass(frozen=True)
class Server:
    """A server that runs; `reason` says why it does not."""

    folder: str
    port: int
    reason: str = ""
    watch: subprocess.Popen | None = None

    @property
    def owner(self):
        return f"postgresql://owner@127.0.0.1:{self.port}/postgres"

    @classmethod
    def start(cls):
        folder, port = tempfile.mkdtemp(prefix="structlearn-pg-"), free_port()
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        if as_whom():
            shutil.chown(folder, "nobody")
        made = f"initdb -D {folder}/data -U owner -A trust -E UTF8 --no-locale --no-sync".split()
        if (reason := _done(folder, *made)) or (reason := cls._begin(folder, port)):
            return cls(folder, port, f"PostgreSQL cannot start: {reason}")
        # If these tests are killed, what they hold of this closes, and the server stops.
        watch = f"read _; exec {program('pg_ctl')} -D {folder}/data -m immediate -w stop >/dev/null"
        started = subprocess.Popen(
            ["/bin/sh", "-c", watch], stdin=subprocess.PIPE, start_new_session=True, **as_whom()
        )
        server = cls(folder, port, watch=started)
        atexit.register(server.stop)
        return server

    @staticmethod
    def _begin(folder, port):
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
        return _done(folder, *f"pg_ctl -D {folder}/data -l {folder}/log -w start -o".split(), options)

    def stop(self):
        self.watch.stdin.close()
        self.watch.wait()


def as_whom():
    """The server refuses to run as root; somebody without rights of their own will do."""
    return {"user": "nobody"} if os.geteuid() == 0 else {}


def _done(folder, name, *words):
    """Run a program; what it said if it failed."""
    command = [program(name), *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, **as_whom())
    return (done.stderr or done.stdout).strip()[-200:] if done.returncode else ""


def started():
    """A server of one's own, to stop as one likes; skips with the reason where there is none."""
    pytest.importorskip("psycopg")
    if program("initdb") is None:
        pytest.skip("PostgreSQL is not installed: no initdb")
    server = Server.start()
    if server.reason:
        pytest.skip(server.reason)
    return server


@cache
def _shared():
    return started()


def shared_server():
    """The one server that all tests of this process use."""
    return _shared()
