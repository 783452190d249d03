"""The template as the tests read it: parsed, transformed by SAM, and resolved with the parameters' defaults."""

import os
import re
from copy import deepcopy
from functools import cache
from pathlib import Path

os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
os.environ.setdefault("SAM_CLI_TELEMETRY", "0")

from samcli.yamlhelper import yaml_parse
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

ROOT = Path(__file__).resolve().parents[2]

PSEUDO = {
    "AWS::StackName": "wadi",
    "AWS::StackId": "arn:aws:cloudformation:us-east-1:123456789012:stack/wadi/51af3dc0-da77-11e4-872e-1234567db123",
    "AWS::AccountId": "123456789012",
    "AWS::Region": "us-east-1",
    "AWS::Partition": "aws",
}

# Parameters without a default.
GIVEN = {"Access": "off", "OriginSecret": "0123456789abcdef0123456789abcdef"}

ABSENT = object()


def text(path):
    """A file of the project."""
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def template():
    """The template as it is written, with intrinsics in their long form."""
    return yaml_parse(text("template.yaml"))


@cache
def defaults():
    """The parameters' values, of all that have a default."""
    return GIVEN | {name: p["Default"] for name, p in template()["Parameters"].items() if "Default" in p}


@cache
def transformed():
    """What SAM hands to CloudFormation, once it has put the code of the functions into a bucket."""
    packaged = deepcopy(template())
    for found in packaged["Resources"].values():
        if found["Type"] == "AWS::Serverless::Function":
            found["Properties"]["CodeUri"] = "s3://packages/code"
    return Translator(managed_policy_map={}, sam_parser=Parser()).translate(packaged, parameter_values=dict(defaults()))


def resource(name, **parameters):
    """The properties of a resource, resolved."""
    return resolve(transformed()["Resources"][name]["Properties"], **parameters)


def environment(function, **parameters):
    """The environment variables of a function."""
    return resource(function, **parameters)["Environment"]["Variables"]


def resolve(value, **parameters):
    """A value with its intrinsics evaluated; attributes of resources become `<Resource.Attribute>`."""
    return _Resolver(defaults() | parameters).value(value)


class _Resolver:
    def __init__(self, parameters):
        self.parameters = parameters

    def value(self, value):
        if isinstance(value, list):
            return [item for item in map(self.value, value) if item is not ABSENT]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            [(name, argument)] = value.items()
            if name == "Ref" or name.startswith("Fn::"):
                return getattr(self, name.removeprefix("Fn::").lower())(argument)
        resolved = {key: self.value(item) for key, item in value.items()}
        return {key: item for key, item in resolved.items() if item is not ABSENT}

    def ref(self, name):
        if name == "AWS::NoValue":
            return ABSENT
        if name in PSEUDO:
            return PSEUDO[name]
        if name in self.parameters:
            value = self.parameters[name]
            is_list = template()["Parameters"][name]["Type"] == "CommaDelimitedList"
            return value.split(",") if is_list else value
        return f"<{name}>"

    def getatt(self, argument):
        return f"<{argument if isinstance(argument, str) else '.'.join(argument)}>"

    def sub(self, argument):
        pattern, own = (argument, {}) if isinstance(argument, str) else argument
        own = self.value(own)

        def replaced(match):
            name = match[1]
            return str(own[name] if name in own else self.getatt(name) if "." in name else self.ref(name))

        return re.sub(r"\$\{([^!}][^}]*)\}", replaced, pattern)

    def join(self, argument):
        separator, parts = argument
        return separator.join(map(str, self.value(parts)))

    def select(self, argument):
        parts = self.value(argument[1])
        return parts[int(argument[0])] if isinstance(parts, list) and len(parts) > int(argument[0]) else f"<{argument}>"

    def split(self, argument):
        return self.value(argument[1]).split(argument[0])

    def findinmap(self, argument):
        table, row, column = self.value(argument)
        return template()["Mappings"][table][row][column]

    def condition(self, name):
        return self.value(template()["Conditions"][name])

    def equals(self, argument):
        left, right = self.value(argument)
        return str(left) == str(right)

    def _not(self, argument):
        return not self.value(argument[0])

    def _and(self, argument):
        return all(self.value([item])[0] for item in argument)

    def _if(self, argument):
        name, then, otherwise = argument
        return self.value(then if self.condition(name) else otherwise)


# Names that Python keeps for itself.
for _name in ("not", "and", "if"):
    setattr(_Resolver, _name, getattr(_Resolver, f"_{_name}"))


def statements():
    """Every statement of every policy, with the name of the resource that has it."""
    for name, found in transformed()["Resources"].items():
        properties = resolve(found.get("Properties", {}))
        documents = [policy["PolicyDocument"] for policy in properties.get("Policies", [])]
        documents += [properties[key] for key in ("PolicyDocument", "AssumeRolePolicyDocument") if key in properties]
        for document in documents:
            for statement in document["Statement"]:
                yield name, statement


def as_list(value):
    """A value that may stand alone or in a list."""
    return value if isinstance(value, list) else [value]
