"""Packs a wheel for each platform: python pack.py BINARIES VERSION OUT (see .ci/packages)."""

import os
import re
import subprocess
import sys
from pathlib import Path

# The tags of wheels by the platforms of Go. The Linux binary is static and needs no C library.
TAGS = {
    "linux_amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux_arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin_amd64": "macosx_12_0_x86_64",
    "darwin_arm64": "macosx_12_0_arm64",
    "windows_amd64": "win_amd64",
    "windows_arm64": "win_arm64",
}


def python_version(version):
    """Returns a version of Go as PEP 440 writes it."""
    release, _, suffix = version.partition("-")
    if not suffix:
        return release
    if candidate := re.fullmatch(r"(alpha|beta|rc)\.?(\d+)", suffix):
        return release + {"alpha": "a", "beta": "b", "rc": "rc"}[candidate[1]] + candidate[2]
    commit = re.search(r"\d{14}", suffix)
    return f"{release}.dev{commit[0] if commit else 0}"


def main():
    binaries, version, out = sys.argv[1:]
    for directory in sorted(Path(binaries).iterdir()):
        [binary] = directory.iterdir()
        environment = dict(os.environ, KUGIRI_BINARY=str(binary.resolve()), KUGIRI_PLATFORM=TAGS[directory.name],
                           KUGIRI_VERSION=python_version(version))
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(Path(out).resolve())],
                       cwd=Path(__file__).parent, env=environment, check=True)


main()
