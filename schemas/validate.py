#!/usr/bin/python3
"""Validates dsd documents against the JSON Schemas beside this file.

Usage: ./schemas/validate.py FILE...

Run it as a program: then the system's Python runs it, which has Debian's python3-jsonschema.

The "schema" field of a document selects the schema. A file named .jsonl or .jsonl.gz is a trace and
is validated line by line. A file whose name ends in .gz is gzipped. Each problem is one line on
standard output.
Exit status: 0 all valid, 1 problems, 2 wrong usage or no jsonschema.

A test compares it with the validator in Go, with which it shares no code. It does not know the
checks in consistent.go, which a JSON Schema cannot express.
"""

import gzip
import json
import os
import re
import sys
import zlib

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print(
        "validate.py: %s has no jsonschema: apt-get install python3-jsonschema" % sys.executable,
        file=sys.stderr,
    )
    sys.exit(2)

NAMES = ("trace", "invariants", "warnings", "crashes", "panic", "models", "recording", "changes")


def load_schemas():
    """Returns the schemas by the value that a document's "schema" must have."""
    schemas = {}
    for name in NAMES:
        path = os.path.join(os.path.dirname(os.path.realpath(__file__)), name + ".schema.json")
        with open(path, encoding="utf-8") as f:
            schema = json.load(f)
        Draft202012Validator.check_schema(schema)
        schemas[schema["properties"]["schema"]["const"]] = schema
    return schemas


def parse(text):
    """Parses JSON more strictly than json.loads: no NaN, no key that appears twice. Raises
    ValueError.
    """

    def unique(pairs):
        members = dict(pairs)
        if len(members) < len(pairs):
            raise ValueError("a key appears twice")
        return members

    def constant(name):
        raise ValueError("%s is not JSON" % name)

    return json.loads(text, object_pairs_hook=unique, parse_constant=constant)


def problems(validator, value):
    """Yields a line for each violation, with paths in the form of the Go reader."""
    for e in sorted(
        validator.iter_errors(value), key=lambda e: [str(step) for step in e.absolute_path]
    ):
        path = ""
        for step in e.absolute_path:
            path += "[%d]" % step if isinstance(step, int) else "." + step
        message = re.sub(r"\s+", " ", e.message)
        if len(message) > 200:
            message = message[:200] + "..."
        yield (path.lstrip(".") + ": " if path else "") + message


def schema_of(schemas, document):
    """Returns the schema that a document names, or None."""
    name = document.get("schema") if isinstance(document, dict) else None
    return schemas.get(name) if isinstance(name, str) else None


def validate_document(schemas, f):
    document = parse(f.read())
    schema = schema_of(schemas, document)
    if schema is None:
        yield 'its "schema" is none of ' + ", ".join(schemas)
        return
    yield from problems(Draft202012Validator(schema), document)


def validate_trace(schemas, f):
    points = None
    samples = 0  # that the header counts and that are not read yet
    for number, line in enumerate(f, 1):
        samples -= points is not None
        try:
            value = parse(line)
        except ValueError as e:
            yield "line %d: %s" % (number, e)
            continue
        if points is None:
            schema = schema_of(schemas, value)
            if schema is None or "sample" not in schema["$defs"]:
                yield 'line 1: its "schema" is not that of a trace'
                return
            found = list(problems(Draft202012Validator(schema), value))
            yield from ("line 1: " + p for p in found)
            if found:
                return
            points = value["points"]
            samples = value.get("samples", 0)
            validator = Draft202012Validator({"$ref": "#/$defs/sample", "$defs": schema["$defs"]})
            continue
        found = list(problems(validator, value))
        if not found and value["p"] >= len(points):
            found = ["p: %d is not a point" % value["p"]]
        if not found and len(value["v"]) != len(points[value["p"]]["vars"]):
            found = ["v: not as many as the point has vars"]
        yield from ("line %d: %s" % (number, p) for p in found)
    if points is None:
        yield "is empty"
    elif samples > 0:
        yield "is cut off: %d samples are missing" % samples


def validate_file(schemas, path):
    opener = gzip.open if path.endswith(".gz") else open
    check = validate_trace if path.removesuffix(".gz").endswith(".jsonl") else validate_document
    try:
        with opener(path, "rt", encoding="utf-8", newline="\n") as f:
            yield from check(schemas, f)
    except (OSError, EOFError, ValueError, RecursionError, zlib.error) as e:
        yield re.sub(r"\s+", " ", str(e))


def main(paths):
    if not paths or paths[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    schemas = load_schemas()
    bad = False
    for path in paths:
        for problem in validate_file(schemas, path):
            print("%s: %s" % (path, problem))
            bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
