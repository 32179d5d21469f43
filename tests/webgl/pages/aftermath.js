// What a page that misuses the GPU does and expects: its context is lost, or the call refused, and then there is another.
"use strict";

const harness = window.webglTestHarness ??
    {reportResults: (url, success, text) => console.log(success, text), notifyFinished() {}};

function report(success, text) { harness.reportResults(location.pathname, success, text); }

function pause(milliseconds) { return new Promise(resolve => setTimeout(resolve, milliseconds)); }

function compile(gl, vertex, fragment) {
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    return program;
}

// Draws green with a context of its own, until one is given: the browser may have to start what draws anew.
async function drawsAgain(seconds) {
    for (const end = performance.now() + 1000 * seconds; performance.now() < end; await pause(500)) {
        const gl = document.createElement("canvas").getContext("webgl");
        if (!gl || gl.isContextLost()) continue;
        const program = compile(gl, "attribute vec4 at; void main() { gl_Position = at; gl_PointSize = 64.0; }",
            "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }");
        gl.useProgram(program);
        gl.vertexAttrib4f(gl.getAttribLocation(program, "at"), 0, 0, 0, 1);
        gl.drawArrays(gl.POINTS, 0, 1);
        const pixel = new Uint8Array(4);
        gl.readPixels(gl.drawingBufferWidth / 2, gl.drawingBufferHeight / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        if (pixel.join() === "0,255,0,255") return true;
    }
    return false;
}
