"""python -m tessera: what is installed, and programs looked at."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

import tessera_gl

from . import Context, Error, Image, Recording, __version__, cost, diff, load, model


def main(arguments: Optional[List[str]] = None, command: str = "python -m tessera") -> int:
    parser = argparse.ArgumentParser(
        prog=command,
        description="Tessera, a GPU in software. Without a verb: the version, and a line of what draws here.",
        epilog="What these verbs do the package does as functions: help(tessera), and docs/python.md. The command "
               "`tessera` (Debian's package tessera-tools, or the tarball) has more verbs.")
    parser.add_argument("--version", action="version", version=f"tessera {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")

    def verb(name: str, text: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, help=text, description=text)
    one = verb("dis", "Print a program (.tsa, .tsb, .vert, .frag) as assembly, each source line above its instructions")
    one.add_argument("program")
    one = verb("info", "Print what a program is: instructions, registers, interface")
    one.add_argument("program")
    one = verb("cost", "Print what each line of a program costs in the code")
    one.add_argument("program")
    one.add_argument("--preset", help="the machine: a name or a TOML file; default: tessera")
    one = verb("diff", "Compare two PNG files; the status is 1 when they differ")
    one.add_argument("a")
    one.add_argument("b")
    one.add_argument("--tolerance", type=int, default=0, metavar="N", help="0 to 255; default 0")
    one.add_argument("-o", "--output", metavar="FILE", help="write a picture of the differences")
    one = verb("explain", "Print what every draw did to a pixel of a recorded command stream (.tsc)")
    one.add_argument("stream")
    one.add_argument("x", type=int)
    one.add_argument("y", type=int, help="from the top")
    one.add_argument("--frame", type=int, help="from 0; default: the last")
    one = verb("model", "Put a recorded command stream (.tsc) or workload (.tsw) on the model of the chip")
    one.add_argument("work")
    one.add_argument("--preset", help="the machine: a name or a TOML file; default: tessera")
    verb("lsp", "Serve an editor: the Language Server Protocol on standard input and output, for .tsa and GLSL ES")
    from . import course, playground
    course.add_options(verb("course", "Exercises for docs/course, eight sheets on how a GPU works, and who checks them"))
    playground.add_options(verb("playground", "Serve a page to try programs on: instructions, costs, picture, lanes"))
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except Error as error:
        print(error, file=sys.stderr)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
    return 2


def _run(options: argparse.Namespace) -> int:
    if options.verb == "dis":
        print(load(options.program).disassemble(source=True), end="")
    elif options.verb == "info":
        for name, value in load(options.program).info.items():
            if name not in ("source", "lines"):
                print(f"{name}: {value}")
    elif options.verb == "cost":
        print(cost(load(options.program), preset=options.preset))
    elif options.verb == "diff":
        found = diff(Image.open(options.a), Image.open(options.b), options.tolerance)
        print(found)
        if options.output:
            found.picture.save(options.output)
        return int(bool(found))
    elif options.verb == "explain":
        print(Recording.open(options.stream).explain(options.x, options.y, options.frame), end="")
    elif options.verb == "model":
        print(model(options.work if options.work.endswith((".tsc", ".tsw")) else Recording.open(options.work),
                    preset=options.preset))
    elif options.verb == "course":
        from . import course
        return course.main(options)
    elif options.verb == "playground":
        from . import playground
        return playground.main(options)
    elif options.verb == "lsp":
        from . import lsp
        return lsp.main()
    else:
        with Context(1, 1) as context:
            print(f"tessera {__version__}: {context.gl.glGetString(0x1F01).decode()}")
        print(f"libraries in {tessera_gl.libraries}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
