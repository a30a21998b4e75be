"""Unpacks what the module of tables needs of the package ansible: python3 unpack.py WHEEL."""

import re
import sys
import zipfile

WANTED = re.compile(r"ansible_collections/(amazon|community)/aws/"
                    r"(MANIFEST\.json|plugins/module_utils/.*|plugins/modules/dynamodb_table\.py)")

with zipfile.ZipFile(sys.argv[1]) as wheel:
    wheel.extractall(members=[name for name in wheel.namelist() if WANTED.fullmatch(name)])
