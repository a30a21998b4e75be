"""Runs the binary: python -m kugiri serve."""

import os
import subprocess
import sys

from kugiri import binary


def main() -> None:
    command = [binary(), *sys.argv[1:]]
    if sys.platform == "win32":  # where exec returns to the shell at once
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
