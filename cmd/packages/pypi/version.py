"""The version of the package: that of a release, which pack.py names, or else 0.0.0."""

import os

__version__ = os.environ.get("KUGIRI_VERSION", "0.0.0")
