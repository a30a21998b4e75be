"""Puts a binary into the wheel and its platform into the wheel's name.

A release names both: see pack.py. In a clone, as with "pip install ./cmd/packages/pypi", the binary is
that of $KUGIRI_BINARY, or what Go builds from the clone. Without either the wheel has none, and takes
the command "kugiri" on the PATH when it is used.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "kugiri.exe" if sys.platform == "win32" else "kugiri"


class Binary(BuildHookInterface):
    scratch = None

    def initialize(self, version, build_data):
        path = self.given() or self.build()
        if path is None:
            self.app.display_warning("kugiri: no Go builds the server's binary, and KUGIRI_BINARY names none: "
                                     "the package uses the command kugiri on the PATH")
            return
        platform = os.environ.get("KUGIRI_PLATFORM") or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + platform
        # A release packs the binaries of other systems, too.
        name = path.name if "KUGIRI_PLATFORM" in os.environ else NAME
        build_data["force_include"][str(path)] = "kugiri/bin/" + name

    def finalize(self, version, build_data, artifact_path):
        if self.scratch:
            shutil.rmtree(self.scratch)

    def given(self):
        """Returns the binary that $KUGIRI_BINARY names, or None."""
        path = os.environ.get("KUGIRI_BINARY")
        if path and not Path(path).is_file():
            sys.exit(f"KUGIRI_BINARY names {path}, which is not a file: name the binary of kugiri")
        return path and Path(path).resolve()

    def build(self):
        """Builds the binary of the clone, outside of it. Returns None without a clone or without Go."""
        clone, go = Path(self.root, "../../..").resolve(), shutil.which("go")
        if not go or not (clone / "cmd/kugiri/main.go").is_file():
            return None
        self.scratch = tempfile.mkdtemp(prefix="kugiri-")
        path = Path(self.scratch, NAME)
        command = [go, "build", "-mod=readonly", "-buildvcs=false", "-ldflags=-s -w", "-o", str(path),
                   "./cmd/kugiri"]
        environment = dict(os.environ, GOWORK="")
        built = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True)
        if built.returncode:
            sys.exit(f"{' '.join(command)} fails in {clone}:\n{built.stderr}\n"
                     "kugiri needs the Go that go.mod names to build its binary: install it, or name a binary with KUGIRI_BINARY")
        return path
