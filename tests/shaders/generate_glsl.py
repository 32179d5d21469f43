#!/usr/bin/env python3
"""Writes glsl/*.shadertest: operators, constructors, swizzles, built-in functions, control flow, functions, arrays,
structs, preprocessor, built-in variables and random programs of GLSL ES 1.00, and what 3.00 adds.

Expectations are computed here in double precision from the definitions of the specification; nothing of Tessera takes
part. Run it without arguments; the output is committed.
"""

import os
import sys

sys.dont_write_bytecode = True

from glsl.generator import arrays, builtins, control, functions, interface, operators, randomized, third  # noqa: E402

FILES = (operators.cases, operators.constructors, operators.swizzles, builtins.cases, control.cases, functions.cases,
         arrays.cases, interface.cases, interface.textures, interface.preprocessor, randomized.cases,
         third.integers, third.functions, third.matrices, third.switches, third.values,
         third.blocks, third.lookups)


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "glsl")
    total = 0
    for make in FILES:
        suite = make()
        count = suite.write(folder)
        total += count
        print(f"{suite.name}: {count}")
    print(f"{total} cases")


if __name__ == "__main__":
    main()
