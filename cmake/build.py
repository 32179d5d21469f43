#!/usr/bin/env python3
"""Runs ninja for ./run and says on standard error how far it is and how much longer it takes: on a terminal in one line
that is rewritten, elsewhere in a line every few seconds. A build that is over at once says nothing; one that fails
shows the failed commands' output. Everything that ninja wrote is in BUILD_DIR/build.log.

Usage: build.py BUILD_DIR [TARGET...]
"""

import fcntl
import os
import re
import selectors
import signal
import subprocess
import sys
import time

QUIET_SECONDS = 2  # builds that are shorter need no words
LINE_SECONDS = 10  # between two lines when there is no terminal
SHOWN_LINES = 80  # of what failed

# Every status line of ninja's begins with finished and all steps; nothing else begins so.
STATUS = "tessera-step %f %t "
STATUS_LINE = re.compile(r"tessera-step (\d+) (\d+) (.*)")
FAILURE = re.compile(r"FAILED: |ninja: (error|fatal)")


def duration(seconds):
    seconds = int(seconds + 0.5)
    return f"{seconds // 60} min {seconds % 60:02} s" if seconds >= 60 else f"{seconds} s"


class Progress:
    """What is said while steps finish."""

    def __init__(self, name):
        self.name = name
        self.terminal = sys.stderr.isatty()
        self.began = self.phase_began = time.monotonic()
        self.last_line = self.began + QUIET_SECONDS - LINE_SECONDS
        self.finished = self.total = 0

    def step(self, finished, total):
        # CMake running anew is a phase of its own, with its own steps.
        if total != self.total and finished < self.finished:
            self.phase_began = time.monotonic()
        self.finished, self.total = finished, total

    def show(self):
        """Says how far it is if it is time to."""
        now = time.monotonic()
        if self.total == 0 or now - self.began < QUIET_SECONDS:
            return
        if self.terminal:
            line = self.line(now)[:(os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1]
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
        elif now - self.last_line >= LINE_SECONDS:
            self.last_line = now
            print(self.line(now), file=sys.stderr, flush=True)

    def line(self, now):
        line = f"tessera: {self.name} {self.finished}/{self.total} ({100 * self.finished // self.total} %)"
        line += f", {duration(now - self.began)}"
        if self.finished >= self.total / 20:  # fewer say little about the rest
            elapsed = now - self.phase_began
            line += f", about {duration(elapsed * (self.total - self.finished) / self.finished)} left"
        return line

    def end(self, how):
        now = time.monotonic()
        if self.terminal and now - self.began >= QUIET_SECONDS:
            sys.stderr.write("\r\033[K")
        if how != "built" or (self.total > 0 and now - self.began >= QUIET_SECONDS):
            print(f"tessera: {how} {self.name} in {duration(now - self.began)}", file=sys.stderr, flush=True)


def lock(build, name):
    """Two ninjas in one directory would undo each other's work. Held until the process ends."""
    held = open(f"{build}/.build_lock", "w")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"tessera: another build of {name} is under way: waiting for it", file=sys.stderr, flush=True)
        fcntl.flock(held, fcntl.LOCK_EX)
    return held


def run_ninja(build, targets, progress):
    """Ninja's exit status and the lines from the first failure on."""
    failure = []
    with open(f"{build}/build.log", "w") as log, subprocess.Popen(
            ["ninja", "-C", build, *targets], env={**os.environ, "NINJA_STATUS": STATUS}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as ninja, selectors.DefaultSelector() as selector:
        selector.register(ninja.stdout, selectors.EVENT_READ)
        rest = b""
        try:
            while True:
                if selector.select(timeout=1):
                    read = os.read(ninja.stdout.fileno(), 65536)
                    if not read:
                        return ninja.wait(), failure
                    *lines, rest = (rest + read).split(b"\n")
                    for line in (line.decode(errors="replace") for line in lines):
                        status = STATUS_LINE.match(line)
                        if status:
                            progress.step(int(status[1]), int(status[2]))
                            line = f"[{status[1]}/{status[2]}] {status[3]}"
                        elif failure or FAILURE.match(line):
                            failure.append(line)
                        log.write(line + "\n")
                progress.show()
        except KeyboardInterrupt:
            ninja.send_signal(signal.SIGINT)
            ninja.wait()
            raise


def main():
    build, targets = sys.argv[1], sys.argv[2:]
    name = f"build/{os.path.basename(build)}"
    held = lock(build, name)
    progress = Progress(name)
    try:
        status, failure = run_ninja(build, targets, progress)
    except KeyboardInterrupt:
        progress.end("stopped building")
        print("tessera: what is built stays; the next call goes on from there", file=sys.stderr)
        return 130
    finally:
        held.close()
    if status == 0:
        progress.end("built")
        return 0
    progress.end("failed to build")
    print("\n".join(failure[:SHOWN_LINES]), file=sys.stderr)
    print(f"tessera: all of it is in {name}/build.log", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
