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
        text = json.dumps({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).encode()
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
        self.assertTrue(any(value.startswith("30 400") for value in before.values()), before)
        client.request("next", threadId=second)
        self.assertEqual(client.event("stopped")["reason"], "step")
        after = client.variables(second, "Registers")
        self.assertNotEqual(before, after)
        self.assertTrue(any("31 402" in value for value in after.values()), after)

        client.request("stepBack", threadId=second)
        client.event("stopped")
        self.assertEqual(client.line(second), 6)
        self.assertEqual(client.variables(second, "Registers"), before)

        client.request("continue", threadId=second)
        stop = client.event("stopped")
        self.assertEqual(stop["description"], "at the end of the group")
        outputs = client.variables(second, "Outputs")
        self.assertEqual(outputs["v_result"], f"{31 ** 2} {402 ** 2}")
        self.assertEqual(outputs["o0"], "31 402 0 1")
        client.request("reverseContinue", threadId=second)
        self.assertEqual(client.event("stopped")["reason"], "breakpoint")
        self.assertEqual(client.line(second), 6)
        self.assertEqual(client.variables(second, "Uniforms")["u_scale"], "10 100")
        self.assertEqual(client.variables(second, "Inputs")["a_value"], "3 4")
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
        self.assertEqual(client.request("evaluate", expression="a_value.y", frameId=frame, context="hover")["result"], "6")
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
                     args=["--headless", "--frames", "2", "--time", "1.5", "--size", "320x240",
                           "--out", str(self.folder / "x.png")])
        client.request("configurationDone")
        thread = client.event("stopped")["threadId"]
        names = {one["id"]: one["name"] for one in client.request("threads")["threads"]}
        self.assertIn("pixel 160,120", names[thread])
        frame, = client.request("stackTrace", threadId=thread)["stackFrames"]
        self.assertGreater(frame["source"]["sourceReference"], 0)
        content = client.request("source", sourceReference=frame["source"]["sourceReference"])["content"]
        self.assertIn("gl_FragColor", content)
        client.request("continue", threadId=thread)
        client.event("stopped")
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
        text = b"{nonsense"
        client.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        client.request("threads")
        client.end()
        for junk in b"no header at all\n\n", b"Content-Length: 99999999999999\r\n\r\n", b"Content-Length: 5\r\n\r\n{}":
            result = subprocess.run([BUILD / "bin" / "tessera", "dbg", "--dap"], input=junk, capture_output=True)
            self.assertEqual(result.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
