"""A language server for assembly (.tsa) and GLSL ES 1.00 and 3.00, over standard input and output.

`tessera lsp`, or `python -m tessera lsp`, is started by an editor (editors/README.md). What is wrong with a text is what
assembler and compiler say of it; costs are those of `tessera glslc --report` and `tessera run --cost`, read off the
code. The protocol is the Language Server Protocol, 3.17.
"""

from __future__ import annotations

import json
import os
import pathlib
import queue
import sys
import threading
import urllib.parse
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Tuple

from . import _assembly, _glsl
from ._errors import Diagnostic, Error
from ._names import KINDS, Name, Place, from_bytes, from_utf16, utf16, visible, word_at
from .programs import Cost, LineCost, Program, assemble, compile_glsl

#: No message of an editor is longer.
_LONGEST = 1 << 26

_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD, _INVALID_PARAMS, _INTERNAL, _NOT_INITIALIZED = (
    -32700, -32600, -32601, -32602, -32603, -32002)


class RequestError(Exception):
    """A request that cannot be answered."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


class Document:
    """A text that is open in the editor, and what was found out about this version of it."""

    def __init__(self, uri: str, language: str, text: str, version: Optional[int]):
        self.uri, self.version = uri, version
        parts = urllib.parse.urlparse(uri)
        self.path = urllib.parse.unquote(parts.path) if parts.scheme in ("file", "") else os.path.basename(parts.path)
        self.is_assembly = language == "tsa" or self.path.endswith(".tsa")
        #: Of the last version that was a program: what registers hold.
        self.info: Optional[Dict[str, Any]] = None
        self.change(text, version)

    def change(self, text: str, version: Optional[int]) -> None:
        """Another version of the text."""
        self.text, self.version = text, version
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._names: Optional[List[Name]] = None
        self._made: Optional[Tuple[Optional[Program], List[Diagnostic]]] = None

    @property
    def stage(self) -> str:
        return _glsl.stage_of(self.lines, self.path)

    @property
    def names(self) -> List[Name]:
        if self._names is None:
            self._names = (_assembly if self.is_assembly else _glsl).names(self.lines, self.path)
        return self._names

    def made(self) -> Tuple[Optional[Program], List[Diagnostic]]:
        """The program, if it is one, and what assembler or compiler say."""
        if self._made is None:
            try:
                text = "\n".join(self.lines)
                program = assemble(text, self.path) if self.is_assembly else compile_glsl(text, self.stage, self.path)
                self._made = program, program.warnings
                self.info = program.info
            except Error as error:
                self._made = None, error.diagnostics
        return self._made

    def cost(self) -> Optional[Cost]:
        program, _ = self.made()
        return program.cost() if program is not None else None

    def place(self, position: Any) -> Place:
        """Of an LSP position; where there is no such place, the nearest one."""
        try:
            line, character = int(position["line"]), int(position["character"])
        except (KeyError, TypeError, ValueError):
            raise RequestError(_INVALID_PARAMS, "a position has a line and a character") from None
        line = min(max(line, 0), len(self.lines) - 1)
        return Place(line, from_utf16(self.lines[line], character))

    def range(self, line: int, first: int, end: int) -> Dict[str, Any]:
        """An LSP range of columns of a line."""
        text = self.lines[line] if line < len(self.lines) else ""
        return {"start": {"line": line, "character": utf16(text, first)},
                "end": {"line": line, "character": utf16(text, end)}}

    def diagnostics(self) -> List[Dict[str, Any]]:
        found = []
        for one in self.made()[1]:
            line, message = one.line - 1, one.message
            if self.is_assembly and one.file and one.file != self.path:
                line, message = _assembly.include_of(self.lines, one.file), f"{one.file}:{one.line}: {message}"
            line = min(max(line, 0), len(self.lines) - 1)
            text = self.lines[line]
            first, end = len(text) - len(text.lstrip()), len(text.rstrip())
            if one.column and message == one.message:
                first = min(from_bytes(text, one.column - 1), len(text))
                word = word_at(text, first)
                end = word[1] + len(word[0]) if word and word[1] <= first else first + 1
            found.append({"range": self.range(line, first, max(end, first)), "severity": 1 if one.is_error else 2,
                          "source": "tessera", "message": message})
        return found


def _cycles(count: int) -> str:
    return f"{count} cycle" + "s" * (count != 1)


def _instructions(count: int) -> str:
    return f"{count} instruction" + "s" * (count != 1)


def _cost_text(lines: List[LineCost]) -> str:
    return (f"{_instructions(sum(line.instructions for line in lines))}, "
            f"{_cycles(sum(line.latency for line in lines))}")


def _whole_cost_text(cost: Cost) -> str:
    summary = cost.summary
    shortest, longest = summary["shortest"], summary["longest"]
    path = _cycles(longest) if shortest == longest else f"{shortest} to {_cycles(longest)}"
    loops = f", {summary['loops']} loop{'s' * (summary['loops'] != 1)} counted once" if summary["loops"] else ""
    return f"{_instructions(summary['instructions'])}, {path}{loops}, bound by {summary['bound_by']}"


class Server:
    """Answers an editor until it says exit."""

    def __init__(self, read: BinaryIO, write: BinaryIO):
        self._read, self._write = read, write
        self._documents: Dict[str, Document] = {}
        self._unchecked: Dict[str, Document] = {}
        self._messages: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
        self._initialized = self._shut_down = self._inlays = False
        self._requests: Dict[str, Callable[[Any], Any]] = {
            "initialize": self._initialize, "shutdown": self._shutdown,
            "textDocument/hover": self._hover, "textDocument/completion": self._complete,
            "textDocument/definition": self._define, "textDocument/documentSymbol": self._list_symbols,
            "textDocument/codeLens": self._list_lenses, "textDocument/inlayHint": self._list_inlays}
        self._notifications: Dict[str, Callable[[Any], None]] = {
            "initialized": lambda _: None, "textDocument/didOpen": self._opened,
            "textDocument/didChange": self._changed, "textDocument/didClose": self._closed}

    def run(self) -> int:
        """The exit status: 0 when the editor said shutdown before exit."""
        threading.Thread(target=self._receive, daemon=True).start()
        while True:
            try:
                # Texts are looked at when nothing waits: of a word that is typed fast its last letter counts.
                message = self._messages.get(block=not self._unchecked)
            except queue.Empty:
                self._check()
                continue
            if message is None or message.get("method") == "exit":
                return 0 if self._shut_down else 1
            self._answer(message)

    def _receive(self) -> None:
        """Puts messages into the queue; None at their end, or where what comes is no message."""
        try:
            while True:
                length = None
                while True:
                    line = self._read.readline(4096)
                    if not line:
                        return
                    if line in (b"\r\n", b"\n"):
                        break
                    name, _, value = line.decode("ascii", "replace").partition(":")
                    if name.lower() == "content-length" and value.strip().isdigit():
                        length = int(value)
                if length is None or length > _LONGEST:
                    print("tessera lsp: error: a message begins with Content-Length: BYTES and an empty line",
                          file=sys.stderr)
                    return
                body = self._read.read(length)
                if len(body) < length:
                    return
                try:
                    message = json.loads(body.decode())
                except (ValueError, RecursionError):
                    message = {"id": None, "method": None}
                self._messages.put(message if isinstance(message, dict) else {"id": None, "method": ""})
        finally:
            self._messages.put(None)

    def _send(self, message: Dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._write.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._write.flush()

    def _answer(self, message: Dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        is_request = "id" in message
        if method is None and is_request and message["id"] is not None:
            return  # an answer to a request of ours: there is none
        try:
            if method is None:
                raise RequestError(_PARSE_ERROR, "this is no JSON")
            if not isinstance(method, str) or not method:
                raise RequestError(_INVALID_REQUEST, "a message is an object with a method")
            if not is_request:
                if method in self._notifications and self._initialized:
                    self._notifications[method](params)
                return
            if method not in self._requests:
                raise RequestError(_NO_METHOD, f"there is no method {method}")
            if not self._initialized and method != "initialize":
                raise RequestError(_NOT_INITIALIZED, "initialize comes first")
            if self._shut_down:
                raise RequestError(_INVALID_REQUEST, "the server was shut down")
            self._send({"id": message["id"], "result": self._requests[method](params)})
        except RequestError as error:
            self._fail(message, error.code, str(error))
        except (KeyError, TypeError, AttributeError) as error:
            # A parameter that is missing or of another type; what else may raise these would be our mistake, and is
            # told as well.
            self._fail(message, _INVALID_PARAMS, f"{method}: {type(error).__name__}: {error}")
        except Exception as error:  # whatever the text is, the next one is answered
            self._fail(message, _INTERNAL, f"{method}: {type(error).__name__}: {error}")

    def _fail(self, message: Dict[str, Any], code: int, text: str) -> None:
        if "id" in message:
            self._send({"id": message["id"], "error": {"code": code, "message": text}})
        else:
            print(f"tessera lsp: error: {text}", file=sys.stderr)

    # --- The life of the server and its texts ---

    def _initialize(self, params: Any) -> Any:
        self._initialized = True
        of_texts = (params or {}).get("capabilities", {}).get("textDocument", {})
        self._inlays = "inlayHint" in of_texts
        from . import __version__
        return {"serverInfo": {"name": "tessera", "version": __version__},
                "capabilities": {
                    "textDocumentSync": {"openClose": True, "change": 1},
                    "hoverProvider": True, "definitionProvider": True, "documentSymbolProvider": True,
                    "completionProvider": {"triggerCharacters": ["."]}, "codeLensProvider": {"resolveProvider": False},
                    "inlayHintProvider": self._inlays}}

    def _shutdown(self, _: Any) -> None:
        self._shut_down = True

    def _opened(self, params: Any) -> None:
        text = params["textDocument"]
        uri = str(text["uri"])
        self._documents[uri] = self._unchecked[uri] = Document(uri, str(text.get("languageId", "")), str(text["text"]),
                                                               text.get("version"))

    def _changed(self, params: Any) -> None:
        document = self._document(params)
        document.change(str(params["contentChanges"][-1]["text"]), params["textDocument"].get("version"))
        self._unchecked[document.uri] = document

    def _closed(self, params: Any) -> None:
        document = self._document(params)
        self._documents.pop(document.uri)
        self._unchecked.pop(document.uri, None)
        self._send({"method": "textDocument/publishDiagnostics", "params": {"uri": document.uri, "diagnostics": []}})

    def _check(self) -> None:
        """Tells what is wrong with the text that waits longest."""
        uri = next(iter(self._unchecked))
        document = self._unchecked.pop(uri)
        try:
            params = {"uri": uri, "version": document.version, "diagnostics": document.diagnostics()}
        except Exception as error:  # as in _answer
            print(f"tessera lsp: error: {uri}: {type(error).__name__}: {error}", file=sys.stderr)
            return
        self._send({"method": "textDocument/publishDiagnostics", "params": params})

    def _document(self, params: Any) -> Document:
        uri = params["textDocument"]["uri"]
        if uri not in self._documents:
            raise RequestError(_INVALID_PARAMS, f"{uri} is not open")
        return self._documents[uri]

    # --- What is asked of a text ---

    def _hover(self, params: Any) -> Any:
        document = self._document(params)
        at = document.place(params["position"])
        found = word_at(document.lines[at.line], at.column)
        if found is None:
            return None
        name = self._name_at(document, at)
        if document.is_assembly:
            document.made()  # registers are known of a program
            text = _assembly.meaning(document.lines, at, document.names, document.info)
        else:
            text = _glsl.meaning(document.lines, at)
        if name is not None and (text is None or not document.is_assembly):
            where = f" *{os.path.basename(name.file)}*" if name.file else ""
            text = f"```{'tsa' if document.is_assembly else 'glsl'}\n{name.declared}\n```\n{name.kind}{where}"
        if text is None:
            return None
        return {"contents": {"kind": "markdown", "value": text},
                "range": document.range(at.line, found[1], found[1] + len(found[0]))}

    @staticmethod
    def _name_at(document: Document, at: Place) -> Optional[Name]:
        line = document.lines[at.line]
        found = word_at(line, at.column)
        if found is None or document.is_assembly and at.column > len(_assembly.code_of(line)):
            return None
        word, start = found
        if start and line[start - 1] == ".":
            return next((name for name in document.names if name.kind == "member" and name.name == word), None)
        own = next((name for name in document.names if name.place == Place(at.line, start) and name.file is None), None)
        return own or visible(document.names, word, at)

    def _define(self, params: Any) -> Any:
        document = self._document(params)
        at = document.place(params["position"])
        if document.is_assembly:
            include = _assembly.included_at(document.lines[at.line], document.path)
            if include is not None:
                start = {"line": 0, "character": 0}
                return {"uri": pathlib.Path(os.path.abspath(include)).as_uri(), "range": {"start": start, "end": start}}
        name = self._name_at(document, at)
        if name is None:
            return None
        end = name.place.column + len(name.name)
        if name.file is None:
            return {"uri": document.uri, "range": document.range(name.place.line, name.place.column, end)}
        start, stop = ({"line": name.place.line, "character": column} for column in (name.place.column, end))
        return {"uri": pathlib.Path(os.path.abspath(name.file)).as_uri(), "range": {"start": start, "end": stop}}

    def _complete(self, params: Any) -> Any:
        document = self._document(params)
        at = document.place(params["position"])
        if document.is_assembly:
            found = _assembly.completions(document.lines, at, document.names)
        else:
            found = _glsl.completions(document.lines, at, document.names, document.stage)
        items: Dict[str, Dict[str, Any]] = {}
        for one in found:
            item = {"label": one.word, "kind": KINDS[one.kind][1], "detail": one.detail}
            if one.meaning:
                item["documentation"] = one.meaning
            items.setdefault(one.word, item)
        return {"isIncomplete": False, "items": list(items.values())}

    def _list_symbols(self, params: Any) -> Any:
        document = self._document(params)
        made: List[Dict[str, Any]] = []
        for name in sorted((one for one in document.names if one.file is None), key=lambda one: one.place):
            last = name.place.line if name.last_line is None else name.last_line
            if not document.is_assembly and (name.until is not None or name.kind in ("parameter", "member")):
                continue  # locals
            selection = document.range(name.place.line, name.place.column, name.place.column + len(name.name))
            end = {"line": last, "character": utf16(document.lines[last], len(document.lines[last]))}
            made.append({"name": name.name, "kind": KINDS[name.kind][0], "detail": name.detail,
                         "range": {"start": {"line": name.place.line, "character": 0}, "end": end},
                         "selectionRange": selection})
        return made

    def _list_lenses(self, params: Any) -> Any:
        """The whole program's cost at its start, and that of each function or label; of each line, where the editor
        has no better place for it."""
        document = self._document(params)
        cost = document.cost()
        if cost is None:
            return []
        starts = (".vertex", ".fragment", ".compute")
        first = next((number for number, line in enumerate(document.lines)
                      if (line.lstrip().startswith(starts) if document.is_assembly else line.strip())), 0)
        titles = [(first, _whole_cost_text(cost))]
        for name in document.names:
            if name.kind in ("function", "label") and name.file is None and name.last_line is not None:
                inside = [line for line in cost if name.place.line < line.line <= name.last_line + 1]
                if inside:
                    titles.append((name.place.line, f"{name.name}: {_cost_text(inside)}"))
        if not self._inlays:
            titles += [(line.line - 1, _cost_text([line])) for line in self._own_lines(document, cost)]
        return [{"range": document.range(line, 0, 0), "command": {"title": title, "command": ""}}
                for line, title in titles]

    @staticmethod
    def _own_lines(document: Document, cost: Cost) -> List[LineCost]:
        """Lines whose text is the document's: lines of included files have numbers of theirs."""
        return [line for line in cost if 0 < line.line <= len(document.lines) and
                line.text == document.lines[line.line - 1].strip()]

    def _list_inlays(self, params: Any) -> Any:
        document = self._document(params)
        cost = document.cost()
        try:
            first, last = (int(params["range"][end]["line"]) for end in ("start", "end"))
        except ValueError:
            raise RequestError(_INVALID_PARAMS, "a range has lines") from None
        return [{"position": {"line": line.line - 1, "character": utf16(text, len(text))}, "label": _cost_text([line]),
                 "paddingLeft": True}
                for line in (self._own_lines(document, cost) if cost is not None else [])
                if first <= line.line - 1 <= last for text in [document.lines[line.line - 1]]]


def main() -> int:
    """Serves the editor at standard input and output."""
    if sys.stdin.isatty():
        print("tessera lsp: error: this is for editors, which speak the Language Server Protocol with it; "
              "editors/README.md has how they start it", file=sys.stderr)
        return 2
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no message
    status = Server(sys.stdin.buffer, output).run()
    output.flush()
    sys.stderr.flush()
    os._exit(status)  # the thread that reads may wait for an editor that says no more
