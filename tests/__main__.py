"""Every check of the project: `python -m tests`, which `sabot test` runs.

Format, lint, types, import contracts, spelling, all tests; every failure is reported, not the first. Installs
the Debian packages of `tests/debian-packages` where they are missing and may be installed.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

CHECKS = (
    ("format", ["ruff", "format", "--check", "--quiet", "."]),
    ("lint", ["ruff", "check", "--quiet", "."]),
    ("types", ["mypy"]),
    ("imports", ["lint-imports", "--no-cache"]),
    ("spelling", ["codespell"]),
    ("tests", ["pytest", "-q", "-m", "not browser"]),
    ("screens", ["pytest", "-q", "-m", "browser"]),
)
"""Name and command of every check; the tools are those of the lock file."""


def debian() -> str | None:
    """Install what the tests need of Debian; the reason why not, if it cannot be had."""
    wanted = (ROOT / "tests" / "debian-packages").read_text().split()
    asked = subprocess.run(["dpkg-query", "-W", *wanted], capture_output=True, text=True, check=False)
    if asked.returncode == 0:
        return None
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return f"install them first: apt-get install {' '.join(wanted)}"
    print(f"installing {' '.join(wanted)} (once)", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *wanted]):
        done = subprocess.run(
            ["apt-get", "-qq", *command], env=environment, check=False, capture_output=True, text=True
        )
        if done.returncode != 0:
            return f"apt-get {command[0]} failed: {done.stderr.strip()[-400:]}"
    return None


def main() -> int:
    """Run all checks; 1 when any failed."""
    failed = []
    problem = debian()
    if problem:
        print(f"debian packages: {problem}", flush=True)
        failed.append("debian packages")
    for name, command in CHECKS:
        print(f"\n== {name}", flush=True)
        began = time.monotonic()
        done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, check=False)
        print(f"== {name}: {'good' if done.returncode == 0 else 'FAILED'} ({time.monotonic() - began:.0f} s)")
        if done.returncode != 0:
            failed.append(name)
    print("\nall good" if not failed else f"\nFAILED: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
