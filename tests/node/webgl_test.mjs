// tessera-gl in Node.js: WebGL 1 and 2 on canvases. Usage: node webgl_test.mjs PACKAGE SOURCE_DIR
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {inflateSync} from "node:zlib";

const [folder, source] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const tessera = require(folder);
const {createCanvas} = tessera;

const VERTEX = {1: "attribute vec2 at; varying vec2 place; void main() { place = at * 0.5 + 0.5; gl_Position = vec4(at, 0.0, 1.0); }",
                2: "#version 300 es\nin vec2 at; out vec2 place; void main() { place = at * 0.5 + 0.5; gl_Position = vec4(at, 0.0, 1.0); }"};
const COLOR = {1: "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }",
               2: "#version 300 es\nprecision mediump float; uniform vec4 color; out vec4 result; void main() { result = color; }"};
const LOOKUP = {1: "precision mediump float; varying vec2 place; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, place); }",
                2: "#version 300 es\nprecision mediump float; in vec2 place; uniform sampler2D image; out vec4 result;\n" +
                   "void main() { result = texture(image, place); }"};

function context(version, width = 8, height = 8, options = {}) {
    const gl = createCanvas(width, height).getContext(version === 2 ? "webgl2" : "webgl", {antialias: false, ...options});
    assert(gl, `no WebGL ${version}`);
    return gl;
}

function program(gl, vertex, fragment, before = () => {}) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        assert(gl.getShaderParameter(shader, gl.COMPILE_STATUS), gl.getShaderInfoLog(shader));
        gl.attachShader(made, shader);
    }
    gl.bindAttribLocation(made, 0, "at");
    before(made);
    gl.linkProgram(made);
    assert(gl.getProgramParameter(made, gl.LINK_STATUS), gl.getProgramInfoLog(made));
    gl.useProgram(made);
    return made;
}

function drawTriangle(gl, corners) {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(corners), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, corners.length / 2);
}
const drawAll = gl => drawTriangle(gl, [-1, -1, 3, -1, -1, 3]);

function pixel(gl, x, y) {
    const out = new Uint8Array(4);
    gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return Array.from(out);
}

const fine = gl => assert.equal(gl.getError(), gl.NO_ERROR);
function refuses(gl, error, call) {
    fine(gl);
    call();
    assert.equal(gl.getError(), error, call.toString());
}

const tests = {
    "a triangle"(version) {
        const gl = context(version);
        const made = program(gl, VERTEX[version], COLOR[version]);
        gl.uniform4f(gl.getUniformLocation(made, "color"), 1, 0.5, 0, 1);
        gl.clearColor(0, 0, 1, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        drawTriangle(gl, [-1, -1, 1, -1, -1, 1]);
        assert.deepEqual(pixel(gl, 1, 1), [255, 128, 0, 255]);
        assert.deepEqual(pixel(gl, 6, 6), [0, 0, 255, 255]);
        assert.match(gl.getParameter(gl.VERSION), new RegExp(`^WebGL ${version}\\.0 `));
        assert.match(gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL), /Tessera/);
        fine(gl);
    },
    "edges are smooth where antialias is asked for"(version) {
        for (const antialias of [false, true]) {
            const gl = context(version, 8, 8, {antialias});
            const made = program(gl, VERTEX[version], COLOR[version]);
            gl.uniform4fv(gl.getUniformLocation(made, "color"), [1, 1, 1, 1]);
            drawTriangle(gl, [-1, -1, 1, -1, 1, 1]);
            assert.equal(pixel(gl, 3, 3)[0] % 255 !== 0, antialias);
            assert.equal(gl.getParameter(gl.SAMPLES), antialias ? 4 : 0);
        }
    },
    "uploads: rows of a store, from the last to the first, times alpha, images, packed"(version) {
        const gl = context(version, 2, 2);
        program(gl, VERTEX[version], LOOKUP[version]);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
        const seen = () => {
            drawAll(gl);
            return [pixel(gl, 0, 0), pixel(gl, 1, 0), pixel(gl, 0, 1), pixel(gl, 1, 1)];
        };
        const [a, b, c, d] = [[200, 100, 50, 128], [1, 2, 3, 255], [9, 8, 7, 0], [40, 50, 60, 255]];
        const bytes = Uint8Array.from([a, b, c, d].flat());
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        assert.deepEqual(seen(), [a, b, c, d]);
        gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        assert.deepEqual(seen(), [c, d, a, b]);
        gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, 1);
        const times = [100, 50, 25, 128];
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, {width: 2, height: 2, data: bytes});
        assert.deepEqual(seen(), [[0, 0, 0, 0], d, times, b]);
        gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        assert.deepEqual(seen()[0], times);
        gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
        // Rows of three bytes, each but the last followed by one more.
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 1, 2, 0, gl.RGB, gl.UNSIGNED_BYTE, Uint8Array.of(1, 2, 3, 99, 4, 5, 6));
        assert.deepEqual(seen(), [[1, 2, 3, 255], [1, 2, 3, 255], [4, 5, 6, 255], [4, 5, 6, 255]]);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, gl.RGB, gl.UNSIGNED_SHORT_5_6_5, {width: 1, height: 1, data: [255, 0, 255, 255]});
        assert.deepEqual(seen()[3], [255, 0, 255, 255]);
        const other = createCanvas(1, 1), red = other.getContext("webgl");
        red.clearColor(1, 0, 0, 1);
        red.clear(red.COLOR_BUFFER_BIT);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, other);
        assert.deepEqual(seen()[2], [255, 0, 0, 255]);
        fine(gl);
    },
    "what would read or write beyond an array is refused"(version) {
        const gl = context(version);
        const made = program(gl, VERTEX[version], COLOR[version]);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        const few = new Uint8Array(63);
        refuses(gl, gl.INVALID_OPERATION, () => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, few));
        refuses(gl, gl.INVALID_OPERATION, () => gl.readPixels(0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, few));
        refuses(gl, gl.INVALID_VALUE, () => gl.readPixels(0, 0, 4, -4, gl.RGBA, gl.UNSIGNED_BYTE, few));
        refuses(gl, gl.INVALID_ENUM, () => gl.readPixels(0, 0, 4, 4, 0x80E1, gl.UNSIGNED_BYTE, few));
        refuses(gl, gl.INVALID_VALUE, () => gl.uniform4fv(gl.getUniformLocation(made, "color"), [1, 2, 3]));
        refuses(gl, gl.INVALID_VALUE, () => gl.vertexAttrib4fv(0, [1, 2, 3]));
        gl.bindBuffer(gl.ARRAY_BUFFER, null);
        refuses(gl, gl.INVALID_OPERATION, () => gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 8));
        gl.enableVertexAttribArray(0);
        refuses(gl, gl.INVALID_OPERATION, () => gl.drawArrays(gl.TRIANGLES, 0, 3));
        drawAll(gl);
        refuses(gl, gl.INVALID_OPERATION, () => gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0));
        const indices = gl.createBuffer();
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
        refuses(gl, gl.INVALID_OPERATION, () => gl.bindBuffer(gl.ARRAY_BUFFER, indices));
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint16Array.of(0, 1, 60000), gl.STATIC_DRAW);
        gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0);
        fine(gl);
        gl.deleteBuffer(indices);
        refuses(gl, gl.INVALID_OPERATION, () => gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0));
        refuses(gl, gl.INVALID_OPERATION, () => gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices));
    },
    "objects are their context's, uniforms their program's"(version) {
        const gl = context(version), other = context(version);
        const theirs = other.createTexture();
        refuses(gl, gl.INVALID_OPERATION, () => gl.bindTexture(gl.TEXTURE_2D, theirs));
        assert.throws(() => gl.bindTexture(gl.TEXTURE_2D, gl.createBuffer()), TypeError);
        const first = program(gl, VERTEX[version], COLOR[version]), at = gl.getUniformLocation(first, "color");
        gl.uniform4f(at, 1, 2, 3, 4);
        assert.deepEqual(Array.from(gl.getUniform(first, at)), [1, 2, 3, 4]);
        const second = program(gl, VERTEX[version], COLOR[version]);
        refuses(gl, gl.INVALID_OPERATION, () => gl.uniform4f(at, 1, 2, 3, 4));
        assert.equal(gl.getParameter(gl.CURRENT_PROGRAM), second);
        const shaders = gl.getAttachedShaders(second);
        assert.equal(shaders.length, 2);
        gl.deleteShader(shaders[1]);
        assert.equal(gl.getAttachedShaders(second)[1], shaders[1]);
        const info = gl.getActiveUniform(second, 0);
        assert.deepEqual([info.name, info.type, info.size], ["color", gl.FLOAT_VEC4, 1]);
        const texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        assert.equal(gl.getParameter(gl.TEXTURE_BINDING_2D), texture);
        assert(gl.isTexture(texture));
        gl.deleteTexture(texture);
        assert(!gl.isTexture(texture));
        assert.equal(gl.getParameter(gl.TEXTURE_BINDING_2D), null);
        fine(gl);
        gl.getExtension("WEBGL_lose_context").loseContext();
        assert(gl.isContextLost());
        gl.clear(gl.COLOR_BUFFER_BIT);
        assert.equal(gl.createTexture(), null);
        assert.equal(gl.getError(), gl.CONTEXT_LOST_WEBGL);
        fine(gl);
        fine(other);
    },
    "canvases: sizes and pictures"(version) {
        const canvas = createCanvas(3, 2), gl = canvas.getContext(version === 2 ? "webgl2" : "webgl");
        assert.equal(canvas.getContext("2d"), null);
        assert.equal(gl.canvas, canvas);
        canvas.width = 5;
        assert.deepEqual([gl.drawingBufferWidth, gl.drawingBufferHeight], [5, 2]);
        gl.clearColor(0, 0.25, 0, 0.5);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(0, 0, 1, 1);
        gl.clearColor(1, 0, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        const {data} = canvas.readPixels();
        assert.deepEqual(Array.from(data.subarray(0, 4)), [0, 128, 0, 128]);
        assert.deepEqual(Array.from(data.subarray(20, 24)), [255, 0, 0, 255]);
        const file = canvas.toBuffer(), at = file.indexOf("IDAT"), rows = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)));
        assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20), rows.length], [5, 2, 2 * 21]);
        assert.deepEqual(Array.from(rows.subarray(22, 26)), [255, 0, 0, 255]);
        assert.throws(() => { canvas.height = 0; }, RangeError);
        fine(gl);
        const plain = tessera(4, 4, {version});
        assert(plain instanceof (version === 2 ? tessera.WebGL2RenderingContext : tessera.WebGLRenderingContext));
        plain.getExtension("STACKGL_resize_drawingbuffer").resize(6, 7);
        assert.equal(plain.drawingBufferHeight, 7);
        plain.getExtension("STACKGL_destroy_context").destroy();
        assert(plain.isContextLost());
    },
    "bad arguments are errors or exceptions, whatever they are"(version) {
        const gl = context(version, 4, 4);
        const made = program(gl, VERTEX[version], COLOR[version]);
        const numbers = Object.values(version === 2 ? {...gl.constructor} : {}).concat(Object.entries(Object.getOwnPropertyDescriptors(tessera.WebGLRenderingContext.prototype))
            .map(([, one]) => one.value).filter(value => typeof value === "number"));
        const things = [undefined, null, NaN, -1, 0, 1, 3, 4, 1e9, -1e9, 0.5, "text", {}, [], [1, 2, 3, 4], true, new Uint8Array(3), new Float32Array(16),
                        new ArrayBuffer(5), {width: 2, height: 2, data: new Uint8Array(16)}, made, gl.getUniformLocation(made, "color")];
        for (const name of ["Buffer", "Texture", "Framebuffer", "Renderbuffer", "Query", "Sampler", "VertexArray", "TransformFeedback"])
            if (gl[`create${name}`]) things.push(gl[`create${name}`]());
        let seed = 12345;
        const random = below => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0, Math.floor(seed / 4294967296 * below));
        const names = [];
        for (let from = gl; from !== Object.prototype; from = Object.getPrototypeOf(from))
            names.push(...Object.getOwnPropertyNames(from).filter(one => one !== "constructor" && one !== "canvas" && typeof gl[one] === "function"));
        let calls = 0;
        for (let round = 0; round < 40; ++round)
            for (const name of names) {
                const given = Array.from({length: random(12)}, () => random(2) ? things[random(things.length)] : numbers[random(numbers.length)]);
                try {
                    gl[name](...given);
                } catch (error) {
                    assert(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError, `${name}: ${error.stack}`);
                }
                ++calls;
            }
        assert(calls > 4000);
        for (let i = 0; gl.getError() !== gl.NO_ERROR; ++i) assert(i < 100);
        assert(!gl.isContextLost());
    },
};

const tests2 = {
    "vertex arrays, instances, uniform blocks, integers"() {
        const gl = context(2);
        const made = program(gl, "#version 300 es\nin vec2 at; in vec2 shift; void main() { gl_Position = vec4(at + shift, 0.0, 1.0); }",
                             "#version 300 es\nprecision highp float; layout(std140) uniform Block { vec4 color; }; uniform highp usampler2D image;\n" +
                             "out vec4 result; void main() { result = color * float(texelFetch(image, ivec2(0), 0).r); }");
        const array = gl.createVertexArray();
        gl.bindVertexArray(array);
        const corners = gl.createBuffer(), shifts = gl.createBuffer(), block = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, corners);
        gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 0, -1, -1, 0), gl.STATIC_DRAW);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
        const place = gl.getAttribLocation(made, "shift");
        gl.bindBuffer(gl.ARRAY_BUFFER, shifts);
        gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(99, 0, 0, 1, 1), gl.STATIC_DRAW, 1);
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 0, 0);
        gl.vertexAttribDivisor(place, 1);
        gl.bindBuffer(gl.UNIFORM_BUFFER, block);
        gl.bufferData(gl.UNIFORM_BUFFER, Float32Array.of(0.5, 0, 0, 0.5), gl.DYNAMIC_DRAW);
        gl.bindBufferBase(gl.UNIFORM_BUFFER, 3, block);
        gl.uniformBlockBinding(made, gl.getUniformBlockIndex(made, "Block"), 3);
        assert.equal(gl.getActiveUniformBlockName(made, 0), "Block");
        assert.equal(gl.getActiveUniformBlockParameter(made, 0, gl.UNIFORM_BLOCK_DATA_SIZE), 16);
        assert.equal(gl.getIndexedParameter(gl.UNIFORM_BUFFER_BINDING, 3), block);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R32UI, 1, 1);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RED_INTEGER, gl.UNSIGNED_INT, Uint32Array.of(2));
        gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, 2);
        assert.deepEqual(pixel(gl, 0, 0), [255, 0, 0, 255]);
        assert.deepEqual(pixel(gl, 4, 4), [255, 0, 0, 255]);
        assert.deepEqual(pixel(gl, 0, 6), [0, 0, 0, 0]);
        gl.bindVertexArray(null);
        assert.equal(gl.getVertexAttrib(0, gl.VERTEX_ATTRIB_ARRAY_ENABLED), false);
        gl.bindVertexArray(array);
        assert.equal(gl.getVertexAttrib(place, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), shifts);
        fine(gl);
    },
    "what is captured, and buffers that pixels go to"() {
        const gl = context(2);
        program(gl, "#version 300 es\nin vec2 at; out vec2 twice; void main() { twice = at * 2.0; gl_Position = vec4(at, 0.0, 1.0); }",
                "#version 300 es\nprecision highp float; out vec4 result; void main() { result = vec4(1.0); }",
                made => gl.transformFeedbackVaryings(made, ["twice"], gl.INTERLEAVED_ATTRIBS));
        const captured = gl.createBuffer();
        gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.createTransformFeedback());
        gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, captured);
        gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 24, gl.STREAM_READ);
        const query = gl.createQuery();
        gl.beginQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
        gl.beginTransformFeedback(gl.TRIANGLES);
        drawTriangle(gl, [-1, -1, 3, -1, -1, 3]);
        gl.endTransformFeedback();
        gl.endQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
        const values = new Float32Array(8);
        gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, values, 1, 6);
        assert.deepEqual(Array.from(values), [0, -2, -2, 6, -2, -2, 6, 0]);
        assert.equal(gl.getQueryParameter(query, gl.QUERY_RESULT), 1);
        gl.bindBuffer(gl.PIXEL_PACK_BUFFER, gl.createBuffer());
        gl.bufferData(gl.PIXEL_PACK_BUFFER, 8, gl.STREAM_READ);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, 4);
        const bytes = new Uint8Array(8);
        gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, bytes);
        assert.deepEqual(Array.from(bytes), [0, 0, 0, 0, 255, 255, 255, 255]);
        refuses(gl, gl.INVALID_OPERATION, () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes));
        refuses(gl, gl.INVALID_OPERATION, () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, 6));
        refuses(gl, gl.INVALID_VALUE, () => gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 4, bytes));
        const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        assert.notEqual(gl.clientWaitSync(sync, gl.SYNC_FLUSH_COMMANDS_BIT, 0), gl.WAIT_FAILED);
        gl.deleteSync(sync);
        fine(gl);
    },
    "each function of OpenGL ES 3.0 that WebGL has is there"() {
        const gl = context(2);
        // Of lists and texts there is another form; names, memory that is mapped and binaries WebGL has not.
        const without = /^(Gen|Delete.*s$|Get(Boolean|Float|Integer|Buffer(Parameteri64|Pointer)|String|ProgramBinary|Active.*iv|.*iv$|.*fv$|.*64)|MapBuffer|UnmapBuffer|Flush.+|ProgramBinary|ProgramParameter|ShaderBinary|ReleaseShader|(Tex|Sampler)Parameter.v|GetVertexAttribPointerv)/;
        const renamed = {glClearDepthf: "clearDepth", glDepthRangef: "depthRange", glGetActiveUniformsiv: "getActiveUniforms"};
        const table = readFileSync(`${source}/api/gles/entry_points.inc`, "utf8");
        const names = Array.from(table.matchAll(/ENTRY_POINT\([^,]+, (gl\w+),[^"]*"OpenGL ES [23]\.0"\)/g), ([, name]) => name);
        assert(names.length > 200);
        const missing = names.filter(name => !without.test(name.slice(2)))
            .map(name => renamed[name] ?? name[2].toLowerCase() + name.slice(3)).filter(name => typeof gl[name] !== "function");
        assert.deepEqual(missing, []);
    },
};

let failed = 0;
function run(name, test) {
    try {
        test();
        console.log(`ok ${name}`);
    } catch (error) {
        ++failed;
        console.log(`FAILED ${name}\n${error.stack}`);
    }
}
for (const version of [1, 2]) for (const [name, test] of Object.entries(tests)) run(`WebGL ${version}: ${name}`, () => test(version));
for (const [name, test] of Object.entries(tests2)) run(`WebGL 2: ${name}`, test);
process.exit(failed ? 1 : 0);
