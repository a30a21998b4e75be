"""Prints the version of SAM's translator, and then the template that it makes of sam.yaml."""

import json

import samtranslator
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse


class Policies:
    def load(self):
        return {}


with open("sam.yaml") as template:
    print(samtranslator.__version__)
    print(json.dumps(transform(yaml_parse(template.read()), {}, Policies())))
