#!/usr/bin/env python3
"""`tessera dbg --dap` driven by a client of its own, message by message.

Usage: dap_test.py SOURCE_DIR BUILD_DIR
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

SHADER = """attribute vec2 a_value;
uniform vec2 u_scale;
varying vec2 v_result;
void main() {
    vec2 scaled = a_value * u_scale;
    vec2 moved = scaled + vec2(1.0, 2.0);
    v_result = moved * moved;
    gl_Position = vec4(moved, 0.0, 1.0);
}
"""


class Client:
    def __init__(self):
        self.process = subprocess.Popen([BUILD / "bin" / "tessera", "dbg", "--dap"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={k: v for k, v in os.environ.items() if k != "DISPLAY"})
        self.sequence, self.events = 0, []

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            name, value = line.decode().split(":")
            if name == "Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def request(self, command, success=True, **arguments):
        self.sequence += 1
        text = json.dumps({"seq": self.sequence, "type": "request", "command": command,
                "arguments": arguments}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        while True:
            message = self.read()
            assert message is not None, "the adapter has gone"
            if message["type"] == "event":
                self.events.append(message)
                continue
            assert message["request_seq"] == self.sequence and message["command"] == command, message
            assert message["success"] == success, message
            return message.get("body", {})

    def event(self, name):
        while True:
            for i, event in enumerate(self.events):
                if event["event"] == name:
                    return self.events.pop(i)["body"]
            message = self.read()
            assert message is not None and message["type"] == "event", message
            self.events.append(message)

    def start(self, **arguments):
        capabilities = self.request("initialize", adapterID="tessera", linesStartAt1=True)
        assert capabilities["supportsStepBack"] and capabilities["supportsDisassembleRequest"]
        self.request("launch", **arguments)
        self.event("initialized")

    def variables(self, thread, scope, frame=0):
        frames = self.request("stackTrace", threadId=thread)["stackFrames"]
        scopes = self.request("scopes", frameId=frames[frame]["id"])["scopes"]
        number, = [one["variablesReference"] for one in scopes if one["name"] == scope]
        return {one["name"]: one["value"]
                for one in self.request("variables", variablesReference=number)["variables"]}

    def line(self, thread):
        return self.request("stackTrace", threadId=thread)["stackFrames"][0]["line"]

    def end(self):
        self.request("disconnect")
        self.event("terminated")
        self.process.stdin.close()
        assert self.process.wait(10) == 0
        self.process.stdout.close()
        self.process.stderr.close()


class Adapter(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.shader = self.folder / "a.vert"
        self.shader.write_text(SHADER)
        self.launch = {"program": str(self.shader), "set": ["a_value=1,2;3,4;5,6"], "uniforms": ["u_scale=10,100"],
                       "lanes": 3}

    def test_breakpoint_step_read_a_lane_step_back_continue(self):
        client = Client()
        client.start(**self.launch, stopOnEntry=False)
        set_lines = client.request("setBreakpoints", source={"path": str(self.shader)}, breakpoints=[{"line": 6}])
        self.assertEqual([(one["verified"], one["line"]) for one in set_lines["breakpoints"]], [(True, 6)])
        client.request("setExceptionBreakpoints", filters=[])
        client.request("configurationDone")
        stop = client.event("stopped")
        self.assertEqual(stop["reason"], "breakpoint")
        self.assertTrue(stop["allThreadsStopped"])

        threads = client.request("threads")["threads"]
        self.assertEqual([one["name"] for one in threads], ["lane 0, vertex 0", "lane 1, vertex 1", "lane 2, vertex 2"])
        second = threads[1]["id"]
        frame, = client.request("stackTrace", threadId=second)["stackFrames"]
        self.assertEqual((frame["line"], frame["source"]["path"]), (6, str(self.shader)))

        # The scaled value is in a register of lane 1 by now: 3 * 10, 4 * 100.
        before = client.variables(second, "Registers")
        self.assertTrue(any(value.startswith("30.0 400.0") for value in before.values()), before)
        client.request("next", threadId=second)
        self.assertEqual(client.event("stopped")["reason"], "step")
        after = client.variables(second, "Registers")
        self.assertNotEqual(before, after)
        self.assertTrue(any("31.0 402.0" in value for value in after.values()), after)

        client.request("stepBack", threadId=second)
        client.event("stopped")
        self.assertEqual(client.line(second), 6)
        self.assertEqual(client.variables(second, "Registers"), before)

        client.request("continue", threadId=second)
        stop = client.event("stopped")
        self.assertEqual(stop["description"], "at the end of the group")
        outputs = client.variables(second, "Outputs")
        self.assertEqual(outputs["v_result"], f"{31 ** 2}.0 {402 ** 2}.0")
        self.assertEqual(outputs["o0"], "31.0 402.0 0.0 1.0")
        client.request("reverseContinue", threadId=second)
        self.assertEqual(client.event("stopped")["reason"], "breakpoint")
        self.assertEqual(client.line(second), 6)
        self.assertEqual(client.variables(second, "Uniforms")["u_scale"], "10.0 100.0")
        self.assertEqual(client.variables(second, "Inputs")["a_value"], "3.0 4.0")
        client.end()

    def test_instructions(self):
        client = Client()
        client.start(**self.launch)
        client.request("configurationDone")
        self.assertEqual(client.event("stopped")["reason"], "entry")
        thread = client.request("threads")["threads"][0]["id"]
        frame, = client.request("stackTrace", threadId=thread)["stackFrames"]
        listing = client.request("disassemble", memoryReference=frame["instructionPointerReference"],
                                 instructionOffset=-2, instructionCount=6)["instructions"]
        self.assertEqual(len(listing), 6)
        self.assertEqual([one.get("presentationHint") for one in listing[:3]], ["invalid", "invalid", None])
        told = subprocess.run([BUILD / "bin" / "tessera", "run", self.shader, "--trace", "json"], capture_output=True,
                              text=True).stdout.splitlines()
        self.assertEqual([one["instruction"] for one in listing[2:]],
                         [json.loads(line)["instruction"] for line in told[:4]])
        answer = client.request("setInstructionBreakpoints", breakpoints=[
            {"instructionReference": listing[2]["address"], "offset": 32},
            {"instructionReference": "0xfff0"}, {"instructionReference": "junk"}])["breakpoints"]
        self.assertEqual([one["verified"] for one in answer], [True, False, False])
        client.request("continue", threadId=thread)
        self.assertEqual(client.event("stopped")["reason"], "instruction breakpoint")
        self.assertEqual(client.variables(thread, "Group")["pc"], "2")
        client.request("next", threadId=thread, granularity="instruction")
        client.event("stopped")
        self.assertEqual(client.variables(thread, "Group")["pc"], "3")
        client.request("stepBack", threadId=thread, granularity="instruction")
        client.event("stopped")
        self.assertEqual(client.variables(thread, "Group")["pc"], "2")
        client.end()

    def test_evaluate_and_the_console(self):
        client = Client()
        client.start(**self.launch)
        client.request("configurationDone")
        client.event("stopped")
        threads = client.request("threads")["threads"]
        frame = client.request("stackTrace", threadId=threads[2]["id"])["stackFrames"][0]["id"]
        self.assertEqual(client.request("evaluate", expression="a_value.y", frameId=frame, context="hover")["result"],
                "6.0")
        self.assertEqual(client.request("evaluate", expression="a_value.y/x", frameId=frame)["result"], "0x40c00000")
        client.request("evaluate", success=False, expression="nothing", frameId=frame, context="watch")
        text = client.request("evaluate", expression="lanes a_value", frameId=frame, context="repl")["result"]
        self.assertIn("*1", text)
        self.assertIn("*5", text)
        client.request("evaluate", expression="stepi 2", frameId=frame, context="repl")
        self.assertEqual(client.event("stopped")["reason"], "step")
        self.assertEqual(client.variables(threads[0]["id"], "Group")["instructions"], "2")
        client.end()

    def test_a_pixel_of_a_program(self):
        client = Client()
        client.start(program=str(BUILD / "bin" / "gears"), pixel="160,120", frame=1,
                     args=["--headless", "--plain", "--frames", "2", "--time", "1.5", "--size", "320x240",
                           "--out", str(self.folder / "x.png")])
        client.request("configurationDone")
        thread = client.event("stopped")["threadId"]
        names = {one["id"]: one["name"] for one in client.request("threads")["threads"]}
        self.assertIn("pixel 160,120", names[thread])
        frame, = client.request("stackTrace", threadId=thread)["stackFrames"]
        self.assertGreater(frame["source"]["sourceReference"], 0)
        content = client.request("source", sourceReference=frame["source"]["sourceReference"])["content"]
        self.assertIn("gl_FragColor", content)
        for source, own in (frame["source"], True), ({"path": str(self.shader)}, False), ({"sourceReference": 9}, False):
            answer, = client.request("setBreakpoints", source=source, breakpoints=[{"line": 1}])["breakpoints"]
            self.assertEqual(answer["verified"], own, source)
        client.request("setBreakpoints", source=frame["source"], breakpoints=[])
        client.request("continue", threadId=thread)
        client.event("stopped")
        client.end()

    def started(self, **more):
        client = Client()
        client.start(**self.launch, **more)
        client.request("configurationDone")
        client.event("stopped")
        return client, client.request("threads")["threads"][1]["id"]

    def test_a_launch_that_fails_says_why(self):
        broken = self.folder / "b.frag"
        broken.write_text("void main() {\n    gl_FragColor = vec4(nothing);\n}\n")
        plain = self.folder / "plain"
        plain.write_text("#!/bin/sh\nexit 3\n")
        plain.chmod(0o755)
        client = Client()
        for arguments, words in [
            ({"program": str(broken)}, "b.frag:2:"),
            ({"program": str(broken)}, "nothing"),
            ({"program": "/no/such/file.tsa"}, "/no/such/file.tsa: error: cannot be read"),
            ({"program": str(self.shader), "set": ["nothing=1"]}, "nothing"),
            ({"program": str(plain), "pixel": "1,1"}, "plain: error: "),
            ({"program": str(self.shader), "pixel": "one"}, "this is no pixel; write X,Y\n    one"),
            ({}, "no program"),
            ({**self.launch, "lanes": "x"}, 'launch: "lanes" is "x"; give a whole number from 1 to 2048'),
            ({**self.launch, "lanes": 0}, 'launch: "lanes" is 0; give a whole number from 1 to 2048'),
            ({**self.launch, "set": "v=1"}, 'launch: "set" is "v=1"; give a list of texts'),
            ({**self.launch, "set": [1]}, 'launch: "set" is [1]; give a list of texts'),
            ({**self.launch, "stopOnEntry": 1}, 'launch: "stopOnEntry" is 1; give true or false'),
            ({**self.launch, "frame": -1}, 'launch: "frame" is -1; give a whole number from 0 to '),
            ({**self.launch, "grid": [1, 2, 3, 4]}, 'launch: "grid" is [1,2,3,4]; give a whole number, or a list of up to 3'),
            ({**self.launch, "grid": "4"}, 'launch: "grid" is "4"; give a whole number, or a list of up to 3'),
            ({"program": 7}, 'launch: "program" is 7; give a text'),
        ]:
            body = client.request("launch", success=False, **arguments)
            self.assertIn(words, body["error"]["format"])
            self.assertTrue(body["error"]["showUser"])
        client.start(**self.launch)  # and another attempt is welcome
        client.end()

    def test_locals_and_changing_them(self):
        client, second = self.started()
        client.request("setBreakpoints", breakpoints=[{"line": 7}])
        client.request("continue", threadId=second)
        client.event("stopped")
        self.assertEqual(client.variables(second, "Locals")["moved"], "31.0 402.0")
        frame = client.request("stackTrace", threadId=second)["stackFrames"][0]["id"]
        scopes = client.request("scopes", frameId=frame)["scopes"]
        self.assertEqual([one["name"] for one in scopes[:4]], ["Locals", "Inputs", "Outputs", "Uniforms"])
        number = scopes[0]["variablesReference"]
        types = {one["name"]: one["type"] for one in client.request("variables",
                variablesReference=number)["variables"]}
        self.assertEqual(types["moved"], "vec2")
        self.assertEqual(client.request("setVariable", variablesReference=number, name="moved", value="7 8")["value"],
                "7.0 8.0")
        answer = client.request("setExpression", frameId=frame, expression="moved.y", value="moved.x + 2")
        self.assertEqual(answer["value"], "9.0")
        client.request("continue", threadId=second)
        client.event("stopped")
        self.assertEqual(client.variables(second, "Outputs")["v_result"], "49.0 81.0")
        for arguments in ({"name": "nothing", "value": "1"}, {"name": "u_scale", "value": "1"}, {"name": "moved",
                "value": "+"},
                          {"name": 5, "value": None}):
            client.request("setVariable", success=False, variablesReference=number, **arguments)
        client.request("setVariable", success=False, variablesReference=-1, name="moved", value="1")
        client.end()

    def test_conditional_breakpoints_hit_counts_and_log_points(self):
        loop = self.folder / "loop.frag"
        loop.write_text("precision highp float;\nuniform float u_n;\nvoid main() {\n    float sum = 0.0;\n"
                        "    for (int i = 0; i < 100; ++i) {\n        if (sum > u_n) break;\n        sum += u_n / 9.5;\n"
                        "    }\n    gl_FragColor = vec4(sum);\n}\n")
        self.launch = {"program": str(loop), "uniforms": ["u_n=19"], "lanes": 2}
        client, thread = self.started()
        frame = client.request("stackTrace", threadId=thread)["stackFrames"][0]["id"]
        value = lambda text: client.request("evaluate", expression=text, frameId=frame, context="watch")["result"]
        set_one = lambda **one: client.request("setBreakpoints", breakpoints=[dict(line=7, **one)])["breakpoints"][0]

        def resume():
            client.request("continue", threadId=thread)
            return client.event("stopped")
        self.assertTrue(set_one(condition="i == 4")["verified"])
        self.assertEqual(resume()["reason"], "breakpoint")
        self.assertEqual((value("i"), value("sum"), value("sum / 2")), ("4", "8.0", "4.0"))
        set_one(hitCondition="% 3")
        resume()
        self.assertEqual(value("i"), "5")  # hits count from the start: the sixth
        resume()
        self.assertEqual(value("i"), "8")
        client.request("restart", arguments={})
        self.assertEqual(client.event("stopped")["reason"], "entry")
        set_one(logMessage="round {i}: {sum}, {nothing}", condition="i < 2")
        self.assertEqual(resume()["description"], "at the end of the group")
        told = "".join(one["body"]["output"] for one in client.events if one["event"] == "output")
        self.assertRegex(told, r"^round 0: 0\.0, <.*nothing.*>\nround 1: 2\.0, <.*>\n$")
        # What only a lane can say stops there.
        self.assertTrue(set_one(condition="1 / 0 == 1")["verified"])
        client.request("restart", arguments={})
        client.event("stopped")
        stop = resume()
        self.assertEqual((stop["reason"], stop["description"]),
                         ("breakpoint", "the condition 1 / 0 == 1 has no value in lane 1: division by zero"))
        for condition, words in ("nope > 1", "'nope' is no variable"), ("vec2(sum)", "a condition is a scalar"):
            answer = set_one(condition=condition)
            self.assertFalse(answer["verified"])
            self.assertIn(words, answer["message"])
        for wrong in {"condition": "1 +"}, {"hitCondition": "often"}, {"hitCondition": "% 0"}:
            answer = set_one(**wrong)
            self.assertFalse(answer["verified"])
            self.assertTrue(answer["message"])
        client.end()

    def test_breakpoints_of_other_sources_are_not_set(self):
        client, thread = self.started()
        other, link = self.folder / "other.vert", self.folder / "link.vert"
        other.write_text(SHADER)
        link.symlink_to(self.shader)
        set_in = lambda source: client.request("setBreakpoints", source=source, breakpoints=[{"line": 6}])["breakpoints"]
        indirect = self.folder / "x" / ".." / self.shader.name
        for path in self.shader, link, indirect:
            self.assertTrue(set_in({"path": str(path)})[0]["verified"], path)
        for source in {"path": str(other)}, {"path": "/no/such/file.vert"}, {"sourceReference": 1}:
            answer, = set_in(source)
            self.assertEqual((answer["verified"], answer["message"]), (False, "not a source of this program"))
        # Those of the program's own file are still there; without them nothing stops.
        client.request("continue", threadId=thread)
        self.assertEqual(client.event("stopped")["reason"], "breakpoint")
        client.request("restart", arguments={})
        client.event("stopped")
        client.request("setBreakpoints", source={"path": str(self.shader)}, breakpoints=[])
        set_in({"path": str(other)})
        client.request("continue", threadId=thread)
        self.assertEqual(client.event("stopped")["description"], "at the end of the group")
        client.end()

    def test_clients_that_count_lines_and_columns_from_zero(self):
        client = Client()
        client.request("initialize", adapterID="tessera", linesStartAt1=False, columnsStartAt1=False)
        client.request("launch", **self.launch)
        client.event("initialized")
        source = {"path": str(self.shader)}
        answer, first = client.request("setBreakpoints", source=source, breakpoints=[{"line": 5}, {"line": 0}])["breakpoints"]
        self.assertEqual((answer["verified"], answer["line"]), (True, 5))
        self.assertEqual((first["verified"], first["line"]), (True, 4))
        client.request("setBreakpoints", source=source, breakpoints=[{"line": 5}])
        client.request("configurationDone")
        thread = client.event("stopped")["threadId"]
        client.request("continue", threadId=thread)
        client.event("stopped")
        frame, = client.request("stackTrace", threadId=thread)["stackFrames"]
        self.assertEqual((frame["line"], frame["column"]), (5, 0))
        listing = client.request("disassemble", memoryReference=frame["instructionPointerReference"], instructionOffset=0,
                                 instructionCount=1)["instructions"]
        self.assertEqual(listing[0]["line"], 5)
        labels = [one["label"] for one in client.request("completions", text="print u_sc", column=10)["targets"]]
        self.assertEqual(labels, ["u_scale"])
        client.end()

    def test_data_breakpoints(self):
        client, second = self.started()
        client.request("setBreakpoints", breakpoints=[{"line": 6}])
        client.request("continue", threadId=second)
        client.event("stopped")
        client.request("setBreakpoints", breakpoints=[])
        frame = client.request("stackTrace", threadId=second)["stackFrames"][0]["id"]
        locals_number = client.request("scopes", frameId=frame)["scopes"][0]["variablesReference"]
        self.assertIsNone(client.request("dataBreakpointInfo", frameId=frame, name="u_scale")["dataId"])
        self.assertIsNone(client.request("dataBreakpointInfo", frameId=frame, name="nothing")["dataId"])
        info = client.request("dataBreakpointInfo", variablesReference=locals_number, name="moved")
        answer = client.request("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"},
                                                                   {"dataId": "nonsense"}, {"dataId": 5}, 7])
        self.assertEqual([one["verified"] for one in answer["breakpoints"]], [True, False, False, False])
        client.request("continue", threadId=second)
        self.assertEqual(client.event("stopped")["reason"], "data breakpoint")
        self.assertEqual(client.variables(second, "Locals")["moved"].split()[0], "31.0")
        client.end()

    def test_step_out_and_completions(self):
        program = self.folder / "call.tsa"
        program.write_text(".vertex\n.input v0 a vec4\n.alias r1.x total\nmov total, 1.0\ncall more\nmov o0, r1.x\nret\n"
                           "more:\nadd total, total, 2.0\nret\n")
        self.launch = {"program": str(program), "lanes": 2}
        client, thread = self.started()
        client.request("setBreakpoints", breakpoints=[{"line": 9}])
        client.request("continue", threadId=thread)
        client.event("stopped")
        self.assertEqual(len(client.request("stackTrace", threadId=thread)["stackFrames"]), 2)
        client.request("stepOut", threadId=thread)
        client.event("stopped")
        self.assertEqual(client.line(thread), 6)
        self.assertEqual(client.variables(thread, "Locals"), {"total": "3.0"})
        labels = [one["label"] for one in client.request("completions", text="print to", column=9)["targets"]]
        self.assertEqual(labels, ["total"])
        labels = [one["label"] for one in client.request("completions", text="reverse-", column=9)["targets"]]
        self.assertIn("reverse-step", labels)
        client.end()

    def test_misuse(self):
        client = Client()
        client.request("threads", success=False)
        client.request("launch", success=False, program="/no/such/file.tsa")
        client.request("launch", success=False, program=7, lanes="many", set={"x": 1})
        client.start(**self.launch)
        client.request("nonsense", success=False)
        client.request("stackTrace", success=False, threadId=77)
        client.request("variables", success=False, variablesReference=-5)
        client.request("scopes", success=False, frameId=999999)
        client.request("disassemble", success=False, memoryReference="what")
        answer = client.request("setBreakpoints", breakpoints=[{"line": "x"}, {"line": -1}, {"line": 4000}, 7])
        self.assertEqual([one["verified"] for one in answer["breakpoints"]], [False] * 4)
        for command in ("setBreakpoints", "setInstructionBreakpoints", "setDataBreakpoints"):
            for wrong in ({"breakpoints": "x"}, {"breakpoints": {"a": {"line": []}}}, {"breakpoints": [[[]], None,
                    -1.5]},
                          {"breakpoints": [{"line": 6, "condition": 7, "hitCondition": {}, "logMessage": []}]}, {}):
                client.request(command, **wrong)
        for command in ("evaluate", "setVariable", "setExpression", "disassemble", "scopes", "variables", "stackTrace"):
            for wrong in ({}, {"frameId": "x", "variablesReference": [], "threadId": 1e300, "expression": 7,
                    "memoryReference": 1},
                          {"frameId": 2**63 - 1, "variablesReference": -2**63, "threadId": 2**64 - 1,
                                  "expression": "(" * 99999}):
                client.request(command, success=False, **wrong)
        for command in ("completions", "dataBreakpointInfo"):
            client.request(command, text=5, column="x", name=[], variablesReference="y")
            client.request(command, text="x", column=-2**63, name="\u0000", variablesReference=2**63 - 1)
        for junk in b"[]", b"7", b'{"type": "request"}', b'{"type": "request", "seq": "x", "command": 5}', b"[" * 100000:
            client.write(b"Content-Length: %d\r\n\r\n%s" % (len(junk), junk))
        while (client.read() or {}).get("command") != "":  # the answers to the two that are requests
            pass
        client.read()
        text = b"{nonsense"
        client.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        client.request("threads")
        client.end()


        def served(data):
            result = subprocess.run([BUILD / "bin" / "tessera", "dbg", "--dap"], input=data, capture_output=True)
            return result.returncode, result.stdout, result.stderr

        for junk in b"no header at all\n\n", b"Content-Length: 99999999999999\r\n\r\n", b"Content-Length: 5\r\n\r\n{}":
            self.assertEqual(served(junk)[:2], (1, b""))
        for junk, words in ((b"Content-Length: -5\r\n\r\n", b"'Content-Length: -5': a message has 1 to 16777216 bytes"),
                            (b"Content-Length: 5x\r\n\r\nabcde", b"'Content-Length: 5x': a message has"),
                            (b"Content-Type: x\r\n\r\n", b"a message does not begin with Content-Length"),
                            (b"garbage", b"a message does not begin with Content-Length"),
                            (b"Content-Length: 5\r\n\r\n{}", b"the input ends after 2 of the 5 bytes of a message")):
            told = served(junk)[2]
            self.assertTrue(told.startswith(b"error: this is no Debug Adapter Protocol: " + words), told)
            self.assertEqual(told.count(b"\n"), 1)
        self.assertEqual(served(b""), (0, b"", b""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
