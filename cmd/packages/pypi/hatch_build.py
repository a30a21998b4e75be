"""Puts a binary into the wheel and its platform into the wheel's name: see pack.py."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Binary(BuildHookInterface):
    def initialize(self, version, build_data):
        path = os.environ["KUGIRI_BINARY"]
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["KUGIRI_PLATFORM"]
        build_data["force_include"][path] = "kugiri/bin/" + os.path.basename(path)
