#!/usr/bin/env python3
"""Puts the files together that the shards of a run left (--shard K/N; docs/many-machines.md), and ends as the whole run
would have: it prints its report, writes the files it would have written, and returns its exit status.

  merge.py --build DIR FILE...      the files of all shards, in any order
  merge.py --targets FILE...        what has to be built for that

Exit status 2: the files do not belong together, or one is missing or broken; a line says which, and why.
"""

import argparse
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import shards  # noqa: E402


# --- Verbs of `tessera`, which prints the end of what it began ---

def merged_sweep(parts, build):
    options = parts[0]["options"]
    with tempfile.TemporaryDirectory() as place:
        results = pathlib.Path(options["results"] or f"{place}/sweep.csv")
        rows = sorted(row for part in parts for row in part["outputs"]["rows"])
        if [number for number, _ in rows] != list(range(len(rows))):
            raise shards.Problem("a point of the sweep is missing, or there twice; make the shards anew")
        results.write_text(options["head"] + "".join(row for _, row in rows))
        asked = [*(["--json"] if options["json"] else []), *(["--pareto", options["pareto"]] if options["pareto"] else [])]
        return subprocess.run([str(build / "bin" / "tessera"), "model", "--results", str(results), *asked]).returncode


def merged_replay(parts, _):
    options, outputs = parts[0]["options"], [part["outputs"] for part in parts]
    for warning in dict.fromkeys(warning for output in outputs for warning in output["warnings"]):
        print(f"merge: warning: {warning}", file=sys.stderr)
    failures = [failure for part in parts for failure in part["failures"]]
    for failure in failures:
        print(f"merge: error: {failure}", file=sys.stderr)
    if options["hash"]:
        for frame, its_hash in sorted(frame for output in outputs for frame in output["frames"]):
            print(f"frame {frame} {its_hash}")
    compared = sum(len(output["compared"]) for output in outputs)
    if compared != options["contents"]:
        raise shards.Problem(f"of {options['contents']} recorded contents {compared} were compared; make the shards anew")
    print(f"{options['commands']} commands replayed by {len(parts)} shards; of {compared} recorded contents "
          f"{f'{len(failures)} differ' if failures else 'all are the same to the byte'}")
    return 1 if failures else 0


SCRIPTS = {
    "certify": "tests/certify/certify.py",
    "conformance": "tests/conformance/conformance.py",
    "determinism": "tests/determinism/determinism.py",
    "determinism --kernels": "tests/kernels/determinism.py",
    "fuzz": "tests/fuzz/fuzz.py",
    "model-reports": "model/report/reports.py",
    "programs": "tests/programs/programs.py",
    "webgl": "tests/webgl/webgl.py",
}
TOOLS = {"commands --replay": merged_replay, "model --sweep": merged_sweep}


def merger(verb):
    """The function that tells what the verb's shards found."""
    if verb in TOOLS:
        return TOOLS[verb]
    if verb not in SCRIPTS:
        raise shards.Problem(f"no verb '{verb}' leaves shards here; there are: {', '.join(sorted({*SCRIPTS, *TOOLS}))}")
    script = shards.ROOT / SCRIPTS[verb]
    sys.path.insert(0, str(script.parent))
    spec = importlib.util.spec_from_file_location(f"verb_{script.parent.name}", script)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module.merged


def main():
    parser = argparse.ArgumentParser(prog="./run merge", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, help="the build tree; ./run gives it")
    parser.add_argument("--targets", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("file", type=pathlib.Path, nargs="+", help="what --shard K/N left")
    options = parser.parse_args()
    try:
        found = shards.read_all(options.file)
        verb = found[0]["verb"]
        merge = merger(verb)
        if options.targets:
            print(*(["tessera"] if verb == "model --sweep" else []))
            return 0
        for shard in found:
            its = shard["machine"]
            print(f"merge: {verb} {shard['shard'][0]}/{shard['shard'][1]}: {shard['seconds']:.0f} s on "
                  f"{its.get('processor')}, {its.get('simd')}, {its.get('threads')} threads", file=sys.stderr)
        try:
            return merge(found, options.build.resolve())
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise shards.Problem(f"what a shard found is not as {verb} leaves it ({type(error).__name__}: {error}); "
                                 "make the shards anew") from error
    except shards.Problem as problem:
        print(f"merge: {problem}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"merge: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
