#!/usr/bin/env python3
"""Compute programs under `run --trace`, `dbg` and `bisect-tiers`: what is shown is worked out here.

The kernel sums: each thread doubles its element into shared memory; behind the barrier thread t of a block adds those of
t and t + 1 (round the block), writes the sum to global memory, and counts itself with an atomic.

Usage: kernel_test.py SOURCE_DIR BUILD_DIR
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
WRONG = BUILD / "tests" / "debug" / "wrong"
THREADS, BLOCKS = 40, 5

SUMS = """.compute
.group 40
.buffer b0 data constant
.buffer b1 sums
.buffer b2 count
.shared 160
    mad.i32 r0.x, block.x, block_size.x, thread.x
    shl.i32 r0.x, r0.x, 2
    shl.i32 r0.y, thread.x, 2
    ld.f32 r1.x, b0[r0.x]
    add r1.x, r1.x, r1.x
    st.f32 shared[r0.y], r1.x
    bar 0
    add.i32 r0.z, thread.x, 1
    mod.i32 r0.z, r0.z, 40
    shl.i32 r0.z, r0.z, 2
    ld.f32 r1.y, shared[r0.z]
    add r1.z, r1.x, r1.y
    st.f32 b1[r0.x], r1.z
    mov.u32 r2.y, 1
    atadd.u32 r2.x, b2[0], r2.y
    ret
"""


def tessera(*arguments, given=None):
    return subprocess.run([BUILD / "bin" / "tessera", *map(str, arguments)], capture_output=True, text=True, input=given,
                          timeout=60)


class Kernel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.write("sums.tsa", SUMS)
        self.data = [float(i % 7) for i in range(THREADS * BLOCKS)]
        (self.folder / "data.bin").write_bytes(struct.pack(f"<{len(self.data)}f", *self.data))
        self.inputs = ["--grid", BLOCKS, "--in", f"data={self.folder / 'data.bin'}", "--buffer",
                       f"sums=f32[{THREADS * BLOCKS}]", "--buffer", "count=u32[1]"]

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def sum(self, block, thread):
        at = [block * THREADS + t % THREADS for t in (thread, thread + 1)]
        return 2 * self.data[at[0]] + 2 * self.data[at[1]]


class Trace(Kernel):
    def steps(self, *arguments):
        result = tessera("run", self.program, *self.inputs, "--trace", "json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return [json.loads(line) for line in result.stdout.splitlines()]

    def test_all_groups_of_a_block_in_the_order_in_which_they_run(self):
        steps = self.steps("--at", 2)
        self.assertEqual([step["group"] for step in steps], [0] * 7 + [1] * 7 + [0] * 9 + [1] * 9)
        self.assertEqual([step["pc"] for step in steps if step["group"] == 1], list(range(16)))
        self.assertEqual([step["exec"] for step in steps if step["pc"] == 0], ["0xffffffff", "0x000000ff"])

    def test_memory_is_shown_with_addresses_and_values(self):
        for step in self.steps("--at", 2):
            threads = range(32) if step["group"] == 0 else range(32, 40)
            accesses = step["accesses"]
            if step["pc"] == 3:
                self.assertEqual(accesses[0]["kind"], "load")
                self.assertEqual(accesses[0]["memory"], "data")
                self.assertEqual(accesses[0]["address"], [4 * (2 * THREADS + t) for t in threads])
                self.assertEqual(step["writes"][0]["x"], [self.data[2 * THREADS + t] for t in threads])
            elif step["pc"] == 5:
                self.assertEqual((accesses[0]["kind"], accesses[0]["memory"]), ("store", "shared"))
                self.assertEqual(accesses[0]["address"], [4 * t for t in threads])
                self.assertEqual(accesses[0]["x"], [2 * self.data[2 * THREADS + t] for t in threads])
            elif step["pc"] == 10:
                self.assertEqual(accesses[0]["address"], [4 * ((t + 1) % THREADS) for t in threads])
            elif step["pc"] == 12:
                self.assertEqual(accesses[0]["x"], [self.sum(2, t) for t in threads])
                self.assertEqual(accesses[0]["outside"], "0x00000000")
            elif step["pc"] == 14:  # two blocks of forty came before
                self.assertEqual(accesses[0]["kind"], "atomic")
                self.assertEqual(accesses[0]["x"], [1 for _ in threads])
                self.assertEqual(step["writes"][0]["x"], [2 * THREADS + t for t in threads])
            else:
                self.assertEqual(accesses, [])

    def test_groups_wait_at_a_barrier_for_the_last_one(self):
        # The second group takes longer: it goes ten times round a loop first.
        self.program = self.write("late.tsa", ".compute\n.group 64\n    mov.i32 r0.x, 0\n    sge.i32 p1, group.x, 1\n"
                                  "    (p1) if\n    loop\n    add.i32 r0.x, r0.x, 1\n    sge.i32 p2, r0.x, 10\n"
                                  "    (p2) brk\n    endloop\n    endif\n    bar 0\n    add.i32 r0.x, r0.x, 1\n    ret\n")
        self.inputs = []
        steps = self.steps()
        barriers = {step["group"]: step for step in steps if step["instruction"].startswith("bar")}
        late = barriers[1]["cycle"] + barriers[1]["latency"]
        self.assertGreater(late, barriers[0]["cycle"] + barriers[0]["latency"])
        self.assertEqual([barriers[g]["released"] for g in (0, 1)], [late, late])
        after = [step["cycle"] for step in steps if step["pc"] == 10]
        self.assertEqual(after, [late, late])

    def test_text(self):
        text = tessera("run", self.program, *self.inputs, "--trace", "text").stdout
        self.assertIn("group 0: lanes 0xffffffff\n", text)
        self.assertIn("group 1: lanes 0x000000ff\n", text)
        self.assertRegex(text, r"line 10 +ld r1\.x, b0\[r0\.x\] .*\n +load data, 4 bytes each:  \+0 \.\. \+124, 4 apart\n")
        self.assertRegex(text, r" store shared, 4 bytes each:  \+0 \.\. \+124, 4 apart\n +x \[0\] 0\.0  \[1\] 2\.0  \[2\] 4\.0 ")
        self.assertRegex(text, r" atomic count, 4 bytes each:  \+0 in all 32 lanes\n +x 1 in all 32 lanes\n"
                               r" +r2\.x = \[0\] 0  \[1\] 1 ")
        # The last thread reads the first one's element: no even steps.
        self.assertRegex(text, r" load shared, 4 bytes each:  \[0\] \+132  .*  \[7\] \+0\n")
        self.assertIn("waits for the others until cycle ", text)
        self.assertRegex(text, r"group 1: 16 instructions executed, \d+ cycles by the table\n$")

    def test_what_lies_outside_is_marked(self):
        self.inputs[-1] = "count=u32[0]"
        result = tessera("run", self.program, *self.inputs, "--trace", "text")
        self.assertIn(" atomic count, 4 bytes each:  [0] +0 (outside)  [1] +0 (outside)", result.stdout)
        self.assertIn(f"warning: {THREADS * BLOCKS} accesses outside the buffers", result.stderr)

    def test_waveforms_and_timelines(self):
        vcd, timeline = self.folder / "a.vcd", self.folder / "a.json"
        result = tessera("run", self.program, *self.inputs, "--vcd", vcd, "--perfetto", timeline)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        wave = vcd.read_text()
        self.assertIn("$scope module group1 $end", wave)
        self.assertIn("r1_z $end", wave)
        events = json.loads(timeline.read_text())["traceEvents"]
        names = [event["name"] for event in events if event["ph"] == "X" and event["pid"] == 1]
        self.assertIn("bar 0", names)
        store = next(event for event in events if event["name"].startswith("st ") and event["pid"] == 1)
        self.assertEqual(store["args"]["shared lane 3"], f"+{4 * 35}")

    def test_the_launch_runs_as_without_a_trace(self):
        outputs = []
        for trace in [], ["--trace", "text"], ["--vcd", self.folder / "x.vcd", "--at", 4]:
            result = tessera("run", self.program, *self.inputs, "--out", f"sums={self.folder / 'sums.bin'}", *trace)
            self.assertEqual(result.returncode, 0, result.stderr)
            outputs.append((self.folder / "sums.bin").read_bytes())
        self.assertEqual(outputs[0], struct.pack(f"<{THREADS * BLOCKS}f",
                                                 *(self.sum(b, t) for b in range(BLOCKS) for t in range(THREADS))))
        self.assertEqual(outputs, [outputs[0]] * 3)

    def test_a_long_trace_is_bounded(self):
        result = tessera("run", self.program, *self.inputs, "--trace", "json", "--limit", 9)
        self.assertEqual(len(result.stdout.splitlines()), 9)
        self.assertIn("the trace ends after 9 instructions of the block (--limit)", result.stderr)
        totals = [re.findall(r"^group \d: \d+ instructions executed, \d+ cycles", text, re.M) for text in
                  (tessera("run", self.program, *self.inputs, "--trace", "text", *limit).stdout
                   for limit in ([], ["--limit", 9]))]
        self.assertEqual(len(totals[0]), 2)
        self.assertEqual(totals[0], totals[1])

    def test_a_size_is_one_word_and_what_stands_behind_it_is_the_program(self):
        for size in ["--grid", "5"], ["--grid", "5,1,1"], ["--grid", "9", "--grid", "5"], ["--block", "40", "--grid", "5"]:
            result = tessera("run", *self.inputs[2:], *size, self.program, "--counters")
            self.assertEqual((result.returncode, result.stderr), (0, ""), size)
            self.assertIn("blocks 5\n", result.stdout)
        for option, words in [(["--grid", "0"], "--grid: write one to three whole numbers from 1 on, as X,Y,Z: not '0'"),
                              (["--grid", "2,-1"], "--grid: "), (["--grid", "2,"], "--grid: "),
                              (["--grid", "1,1,1,1"], "--grid: "), (["--block", "0"], "--block: "),
                              (["--at", "0,x", "--trace", "text"],
                               "--at: write one to three whole numbers from 0 on, as X,Y,Z: not '0,x'")]:
            result = tessera("run", self.program, *option)
            self.assertEqual((result.returncode, result.stdout), (2, ""), option)
            self.assertIn(words, result.stderr)
        for verb in "dbg", "bisect-tiers":
            result = tessera(verb, *self.inputs[2:], "--grid", 5, self.program, given="")
            self.assertEqual((result.returncode, result.stderr), (0, ""), verb)

    def test_names_without_a_value_are_told_with_what_belongs_there(self):
        for option, words in [("--in", "FILE"), ("--buffer", "TYPE[SHAPE]"), ("--uniform", "VALUE"), ("--out", "FILE")]:
            result = tessera("run", self.program, option, "data")
            self.assertEqual((result.returncode, result.stderr), (1, f"{option} data: error: write it as NAME={words}\n"))

    def test_uniforms_are_integers_as_they_are_declared(self):
        for kind, bits in ("int", "<i"), ("ivec4", "<i"), ("float", "<f"), ("vec4", "<f"):
            program = self.write("uniform.tsa", f".compute\n.group 1\n.uniform c0 n {kind}\n.buffer b0 data\n"
                                 "mov.u32 r0.x, c0.x\nst.u32 b0[0], r0.x\nret\n")
            result = tessera("run", program, "--uniform", "n=7", "--buffer", "data=u32[1]", "--out",
                             f"data={self.folder / 'out.bin'}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual((self.folder / "out.bin").read_bytes(), struct.pack(bits, 7), kind)

    def test_one_access_is_one(self):
        program = self.write("one.tsa", ".compute\n.group 1\n.buffer b0 data\nmov.u32 r0.x, 1\nst.u32 b0[0], r0.x\nret\n")
        self.assertIn("warning: 1 access outside the buffers", tessera("run", program).stderr)

    def test_options_that_would_do_nothing_are_refused(self):
        vertex = self.write("a.tsa", ".vertex\nmov o0, 1.0\nret\n")
        for program, option, words in [
                (self.program, ["--set", "a=1"], "--set does nothing for a compute program"),
                (self.program, ["--lanes", "4"], "--lanes does nothing for a compute program"),
                (self.program, ["--json"], "--json does nothing for a compute program"),
                (self.program, ["--at", "1"], "--at needs --trace, --vcd or --perfetto"),
                (self.program, ["--limit", "1"], "--limit needs --trace, --vcd or --perfetto"),
                (vertex, ["--grid", "2"], "--grid is for compute programs"),
                (vertex, ["--counters"], "--counters is for compute programs"),
                (vertex, ["--at", "1", "--trace", "text"], "--at is for compute programs")]:
            result = tessera("run", program, *option)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(words, result.stderr)

    def test_the_other_verbs_refuse_them_too(self):
        vertex = self.write("a.tsa", ".vertex\nmov o0, 1.0\nret\n")
        for verb in "dbg", "bisect-tiers":
            for program, option, words in [(self.program, ["--set", "a=1"], "--set does nothing for a compute program"),
                                           (vertex, ["--grid", "2"], "--grid is for compute programs")]:
                result = tessera(verb, program, *option)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(words, result.stderr)

    def test_wrong_input(self):
        for option, words in [(["--at", "5"], "--at 5,0,0: the grid has 5 x 1 x 1 blocks"),
                              (["--block", "64,64"], "a block has 1 to 2048 threads"),
                              (["--grid", "100000,100000"], "fewer than 2^32 blocks")]:
            result = tessera("run", self.program, *self.inputs, "--trace", "text", *option)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)
        self.program = self.write("never.tsa", ".compute\nloop\nendloop\nret\n")
        result = tessera("run", self.program, "--grid", 2, "--at", 1, "--trace", "text", "--budget", 1000)
        self.assertEqual(result.returncode, 1)
        self.assertIn("a block before it fails: block (0, 0, 0), group 0: the budget of instructions ran out",
                      result.stderr)


class Debugger(Kernel):
    def talk(self, commands, *arguments):
        script = self.write("commands", "\n".join(commands) + "\n")
        result = tessera("dbg", self.program, *self.inputs, *arguments, "--script", script)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        # What stands between two prompts is the answer to the command behind the first.
        parts = result.stdout.split("(tessera) ")[1:]
        return [part.split("\n", 1)[1].strip() if "\n" in part else "" for part in parts][:len(commands)]

    def test_memory_forwards_and_back(self):
        at = self.talk(["x shared[0] 4", "break @7", "continue", "x shared[0] 4", "print sums[80]", "break @13", "continue",
                        "print sums[80]", "print sums[81]", "reverse-stepi", "print sums[80]", "reverse-continue",
                        "x shared[0] 4", "goto 5", "x shared[0] 4"], "--at", 2)
        doubled = [2 * self.data[2 * THREADS + t] for t in range(4)]
        shared = "shared[0]: " + " ".join(f"{value:.1f}" for value in doubled)
        self.assertEqual(at[0], "shared[0]: 0.0 0.0 0.0 0.0")
        self.assertTrue(at[2].startswith("breakpoint 1: "), at[2])
        self.assertEqual(at[3], shared)  # the barrier let go: both groups have stored
        self.assertEqual(at[4], "sums[80] = 0.0")
        self.assertEqual(at[7], f"sums[80] = {self.sum(2, 0):.1f}")
        self.assertEqual(at[8], f"sums[81] = {self.sum(2, 1):.1f}")
        self.assertEqual(at[10], "sums[80] = 0.0")
        self.assertEqual(at[12], shared)
        self.assertEqual(at[14], "shared[0]: 0.0 0.0 0.0 0.0")

    def test_the_blocks_before_have_run(self):
        at = self.talk(["print count[0]/u", "print sums[79]", "print sums[80]"], "--at", 2)
        self.assertEqual(at, [f"count[0]/u = {2 * THREADS}", f"sums[79] = {self.sum(1, 39):.1f}", "sums[80] = 0.0"])

    def test_groups_of_the_block(self):
        at = self.talk(["group 1", "lane thread 35,0,0", "break @7", "continue", "x shared[34] 3", "group 0", "x shared[34] 3"])
        self.assertIn("group 1, instruction #0, exec 0x000000ff, lane 0 (thread 32,0,0)", at[0])
        self.assertIn("lane 3 (thread 35,0,0)", at[1])
        # The first group goes on first when the barrier lets go; before it the second has not stored.
        self.assertEqual(at[4], "shared[34]: " + " ".join(f"{2 * self.data[t]:.1f}" for t in (34, 35, 36)))
        self.assertEqual(at[6], "shared[34]: 0.0 0.0 0.0")

    def test_at_the_end_memory_is_as_the_block_leaves_it(self):
        at = self.talk(["continue", "x sums[36] 4", "print count[0]/u"])
        self.assertIn("at the end, after 16 instructions", at[0])
        self.assertEqual(at[1], "sums[36]: " + " ".join(f"{self.sum(0, t):.1f}" for t in range(36, 40)))
        self.assertEqual(at[2], f"count[0]/u = {THREADS}")

    def test_a_barrier_that_is_never_met_is_told(self):
        self.program = self.write("stuck.tsa", ".compute\n.group 64\n    slt.i32 p1, group.x, 1\n    (p1) if\n    bar 3\n"
                                  "    endif\n    ret\n")
        self.inputs = []
        at = self.talk(["continue"])
        self.assertIn("at the end, after 3 instructions", at[0])
        self.assertIn("block (0, 0, 0): group 0 waits for ever at barrier 3 in line 5; missing: group 1: lanes 0..31",
                      at[0])

    def test_in_an_editor(self):
        launch = {"program": str(self.program), "grid": [BLOCKS], "at": [2], "in": [f"data={self.folder / 'data.bin'}"],
                  "buffers": [f"sums=f32[{THREADS * BLOCKS}]", "count=u32[1]"]}
        requests = [("initialize", {"adapterID": "tessera"}), ("launch", launch), ("threads", {}),
                    ("evaluate", {"expression": "print sums[79]", "context": "repl"}),
                    ("evaluate", {"expression": "print count[0]/u", "context": "repl"}),
                    ("evaluate", {"expression": "count[0]/u", "context": "watch"}),
                    ("evaluate", {"expression": "sums[79]", "context": "hover"}),
                    ("evaluate", {"expression": "shared[1]/i", "context": "watch"}),
                    ("evaluate", {"expression": "sums[9999]", "context": "watch"}), ("disconnect", {})]
        sent = b""
        for number, (command, arguments) in enumerate(requests, 1):
            text = json.dumps({"seq": number, "type": "request", "command": command, "arguments": arguments}).encode()
            sent += b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
        result = subprocess.run([BUILD / "bin" / "tessera", "dbg", "--dap"], input=sent, capture_output=True, timeout=60)
        answers, rest = {}, result.stdout
        while rest:
            header, rest = rest.split(b"\r\n\r\n", 1)
            length = int(header.split(b":")[1])
            message, rest = json.loads(rest[:length]), rest[length:]
            if message["type"] == "response":
                self.assertEqual(message["success"], message["request_seq"] != 9, message)
                answers[message["request_seq"]] = message.get("body", {})
        self.assertEqual(len(answers[3]["threads"]), THREADS)
        self.assertIn("thread 39,0,0", answers[3]["threads"][-1]["name"])
        self.assertIn(f"sums[79] = {self.sum(1, 39):.1f}", answers[4]["result"])
        self.assertIn(f"count[0]/u = {2 * THREADS}", answers[5]["result"])
        self.assertEqual([answers[number]["result"] for number in (6, 7, 8)],
                         [f"{2 * THREADS}", f"{self.sum(1, 39):.1f}", "0"])
        self.assertIn("sums[9999] is no element", answers[9]["error"]["format"])

    def test_specials_are_known_whether_the_program_reads_them_or_not(self):
        self.program = self.write("few.tsa", ".compute\n.group 4,12\n.buffer b0 x\n    mov.i32 r0.x, block.x\n"
                                  "    st.i32 b0[0], r0.x\n    ret\n")
        self.inputs = ["--grid", "3,2", "--buffer", "x=i32[1]"]
        at = self.talk(["lane 7", "print thread", "print block_size", "print grid_size", "print group", "print lane.x",
                        "print block", "group 1", "lane 3", "print thread", "print group", "group 0",
                        "break 5 if thread.x == 3 && thread.y == 4", "continue", "print frag_coord"], "--at", "2,1")
        values = [text.split(" = ")[1].split("   (")[0] for text in at if " = " in text.split("\n")[0]]
        self.assertEqual(values, ["3 1 0 7", "4 12 1 48", "3 2 1 6", "0 2 0 0", "7", "2 1 0 5", "3 8 0 35", "1 2 0 0"])
        self.assertIn("lane 19 (thread 3,4,0)", at[13])
        self.assertIn("error: 'frag_coord' is no variable", at[14])  # compute programs have none

    def test_forms_of_memory(self):
        at = self.talk(["x data[0]/x 2", "x data+4/u8 4", "x data+6/i16 1", "print data[1]/i"])
        one = struct.pack("<f", 1.0)
        self.assertEqual(at, ["data[0]: 0x00000000 0x3f800000", "data[4]: " + " ".join(str(byte) for byte in one),
                              f"data[3]: {struct.unpack('<h', one[2:])[0]}", "data[1]/i = 1065353216"])

    def test_what_cannot_be(self):
        for command in ["x nothing[0]", "x data[", "x data[0]/q", "x data[200]", "x", "print data[200]", "x data[-1]",
                        "x data[0] many"]:
            self.assertTrue(self.talk([command])[0].startswith("error: "), command)


class Bisect(Kernel):
    def bisect(self, *arguments):
        return tessera("bisect-tiers", self.program, *self.inputs, *arguments)

    def test_the_tiers_agree(self):
        result = self.bisect()
        self.assertEqual((result.returncode, result.stdout), (0, "interp and jit agree: 5 blocks of 40 threads\n"),
                         result.stderr)

    def test_the_wrong_instruction_of_another_build(self):
        """The wrong build gets float additions in lane 7 wrong, from block 3 on (tests/debug/wrong_jit.cpp)."""
        result = self.bisect("--other-build", WRONG)
        self.assertEqual(result.returncode, 1, result.stderr)
        # Lane 7 of both groups is wrong: threads 7 and 39, and those before, which read what they stored.
        self.assertIn(f"block 3,0,0 is the first to differ: 4 bytes of sums, the first at {4 * (3 * THREADS + 6) + 2}\n",
                      result.stdout)
        self.assertIn("first difference: group 0, lane 7, thread 7,0,0, instruction @4, line 11: add r1.x, r1.x, r1.x\n"
                      "  it is instruction #4 of the group's execution\n", result.stdout)
        values = re.search(r"component x: (\S+) \(0x(.{8})\) on jit, .* \(0x(.{8})\) on jit of ", result.stdout)
        self.assertEqual(float(values[1]), 2 * self.data[3 * THREADS + 7])
        self.assertEqual(int(values[2], 16) ^ int(values[3], 16), 1 << 21)

    def test_fewer_blocks_agree(self):
        self.inputs[1] = 3
        result = self.bisect("--other-build", WRONG)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
