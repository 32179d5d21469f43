// WebGL 1 and 2 over the functions of OpenGL ES 2.0 and 3.0 (addon.cpp): objects for names, arrays whose length is known to
// be enough, and what Khronos' specification of WebGL asks for beyond OpenGL ES. The driver does the rest: whether a call is
// right, and its error, are OpenGL ES's, as GLSL ES is.
"use strict";

const native = require("./lib/tessera_gl.node");
const constants = require("./constants.js");
const pixels = require("./pixels.js");

/// What a context keeps. Scripts of a page see none of it.
const state = Symbol("state");

const NO_ERROR = 0, INVALID_ENUM = 0x0500, INVALID_VALUE = 0x0501, INVALID_OPERATION = 0x0502, CONTEXT_LOST_WEBGL = 0x9242;
const ARRAY_BUFFER = 0x8892, ELEMENT_ARRAY_BUFFER = 0x8893, PIXEL_PACK_BUFFER = 0x88EB, PIXEL_UNPACK_BUFFER = 0x88EC;
const DEPTH_ATTACHMENT = 0x8D00, STENCIL_ATTACHMENT = 0x8D20, DEPTH_STENCIL_ATTACHMENT = 0x821A, DEPTH_STENCIL = 0x84F9;
const UNPACK_FLIP_Y_WEBGL = 0x9240, UNPACK_PREMULTIPLY_ALPHA_WEBGL = 0x9241, UNPACK_COLORSPACE_CONVERSION_WEBGL = 0x9243;
const MAX_ATTRIBUTES = 32;

// --- Objects ---

class WebGLObject {
    constructor(context, name) {
        Object.defineProperty(this, state, {value: {context, name}});
    }
}
/// Kinds of objects with names of OpenGL ES: how it makes, deletes and knows them.
const kinds = {};
function kind(name, plural, suffix = "") {
    const made = class extends WebGLObject {};
    Object.defineProperty(made, "name", {value: `WebGL${name}`});
    kinds[name] = {made, generate: plural && `glGen${plural}${suffix}`, erase: plural ? `glDelete${plural}${suffix}` : `glDelete${name}`};
    return made;
}
const WebGLBuffer = kind("Buffer", "Buffers"), WebGLFramebuffer = kind("Framebuffer", "Framebuffers");
const WebGLRenderbuffer = kind("Renderbuffer", "Renderbuffers"), WebGLTexture = kind("Texture", "Textures");
const WebGLProgram = kind("Program"), WebGLShader = kind("Shader");
const WebGLQuery = kind("Query", "Queries"), WebGLSampler = kind("Sampler", "Samplers");
const WebGLTransformFeedback = kind("TransformFeedback", "TransformFeedbacks");
const WebGLVertexArrayObject = kind("VertexArray", "VertexArrays", "OES");
const WebGLSync = class WebGLSync extends WebGLObject {};
class WebGLUniformLocation {
    constructor(program, location, name) {
        Object.defineProperty(this, state, {value: {program, location, name}});
    }
}
class WebGLActiveInfo {
    constructor(size, type, name) {
        Object.assign(this, {size, type, name});
    }
}
class WebGLShaderPrecisionFormat {
    constructor(rangeMin, rangeMax, precision) {
        Object.assign(this, {rangeMin, rangeMax, precision});
    }
}

/// The attributes of a vertex array: OpenGL ES would take an offset without a buffer for an address.
class VertexArray {
    constructor(object) {
        this.object = object;
        this.element = null;
        this.attributes = Array.from({length: MAX_ATTRIBUTES}, () => ({enabled: false, buffer: null, divisor: 0}));
    }
    get isDrawable() {
        return this.attributes.every(one => !one.enabled || one.buffer);
    }
}

// --- The context ---

class WebGLRenderingContext {
    constructor(handle, width, height, attributes, version) {
        const own = {handle, width, height, attributes, version, errors: [], isLost: false, objects: {}, buffers: new Map(),
                     queries: new Map(), unpack: {flipY: false, premultiply: false, alignment: 4, rowLength: 0, imageHeight: 0,
                     skipPixels: 0, skipRows: 0, skipImages: 0}, pack: {alignment: 4, rowLength: 0, skipPixels: 0, skipRows: 0},
                     extensions: new Map(), program: null, defaultVertexArray: new VertexArray(null)};
        own.vertexArray = own.defaultVertexArray;
        for (const name of Object.keys(kinds)) own.objects[name] = new Map();
        Object.defineProperty(this, state, {value: own});
        enter(this);
        native.glViewport(0, 0, width, height);
        native.glScissor(0, 0, width, height);
    }
    get drawingBufferWidth() { return this[state].width; }
    get drawingBufferHeight() { return this[state].height; }
    get drawingBufferColorSpace() { return "srgb"; }
    getContextAttributes() { return this[state].isLost ? null : {...this[state].attributes}; }
    isContextLost() { return this[state].isLost; }

    getError() {
        const own = this[state];
        if (own.errors.length) return own.errors.shift();
        return enter(this) ? native.glGetError() : NO_ERROR;
    }

    // Buffers

    bindBuffer(target, buffer) {
        const own = this[state];
        if (!enter(this) || !isOf(this, buffer, WebGLBuffer)) return;
        // A buffer of indices is nothing else, so that nobody changes them behind the page's back.
        const isElements = target === ELEMENT_ARRAY_BUFFER, been = buffer?.[state].isElements;
        if (been !== undefined && been !== isElements && !isTransfer(target)) return wrong(this, INVALID_OPERATION);
        if (!isRight(this, () => native.glBindBuffer(target, nameOf(buffer)))) return;
        if (buffer && !isTransfer(target)) buffer[state].isElements = isElements;
        if (isElements) own.vertexArray.element = buffer;
        else own.buffers.set(target, buffer);
    }
    bindBufferBase(target, index, buffer) { bindIndexed(this, target, buffer, name => native.glBindBufferBase(target, index, name)); }
    bindBufferRange(target, index, buffer, offset, size) {
        bindIndexed(this, target, buffer, name => native.glBindBufferRange(target, index, name, offset, size));
    }
    bufferData(target, source, usage, srcOffset = 0, length = 0) {
        if (!enter(this)) return;
        if (source === null || source === undefined) return wrong(this, INVALID_VALUE);
        if (typeof source === "number") return native.glBufferData(target, source, null, usage);
        const bytes = part(this, source, srcOffset, length);
        if (bytes) native.glBufferData(target, bytes.byteLength, bytes, usage);
    }
    bufferSubData(target, offset, source, srcOffset = 0, length = 0) {
        if (!enter(this)) return;
        if (!source) return wrong(this, INVALID_VALUE);
        const bytes = part(this, source, srcOffset, length);
        if (bytes) native.glBufferSubData(target, offset, bytes.byteLength, bytes);
    }
    getBufferParameter(target, name) { return asked(this, out => native.glGetBufferParameteriv(target, name, out)); }

    // Attributes and draws

    enableVertexAttribArray(index) { setAttribute(this, index, one => { one.enabled = true; }, () => native.glEnableVertexAttribArray(index)); }
    disableVertexAttribArray(index) { setAttribute(this, index, one => { one.enabled = false; }, () => native.glDisableVertexAttribArray(index)); }
    vertexAttribPointer(index, size, type, normalized, stride, offset) {
        pointAttribute(this, index, offset, stride, type, at => native.glVertexAttribPointer(index, size, type, normalized, stride, at));
    }
    drawArrays(mode, first, count) { draw(this, () => native.glDrawArrays(mode, first, count)); }
    drawElements(mode, count, type, offset) { drawElements(this, type, offset, () => native.glDrawElements(mode, count, type, offset)); }
    getVertexAttrib(index, name) {
        if (!enter(this)) return null;
        if (name === 0x8626) { // CURRENT_VERTEX_ATTRIB
            const out = new Float32Array(4);
            return isRight(this, () => native.glGetVertexAttribfv(index, name, out)) ? out : null;
        }
        const value = asked(this, out => native.glGetVertexAttribiv(index, name, out));
        if (value === null) return null;
        if (name === 0x889F) return this[state].objects.Buffer.get(value) ?? null; // VERTEX_ATTRIB_ARRAY_BUFFER_BINDING
        return name === 0x8622 || name === 0x886A || name === 0x88FD ? value !== 0 : value;
    }
    getVertexAttribOffset(index, name) {
        const out = new BigInt64Array(1);
        return enter(this) && isRight(this, () => native.glGetVertexAttribPointerv(index, name, out)) ? Number(out[0]) : 0;
    }

    // Framebuffers

    checkFramebufferStatus(target) { return enter(this) ? native.glCheckFramebufferStatus(target) : 0; }
    framebufferRenderbuffer(target, attachment, renderbufferTarget, renderbuffer) {
        if (!enter(this) || !isOf(this, renderbuffer, WebGLRenderbuffer)) return;
        for (const point of attachmentsOf(this, attachment))
            native.glFramebufferRenderbuffer(target, point, renderbufferTarget, nameOf(renderbuffer));
    }
    framebufferTexture2D(target, attachment, textureTarget, texture, level) {
        if (!enter(this) || !isOf(this, texture, WebGLTexture)) return;
        for (const point of attachmentsOf(this, attachment))
            native.glFramebufferTexture2D(target, point, textureTarget, nameOf(texture), level);
    }
    renderbufferStorage(target, format, width, height) {
        if (enter(this)) native.glRenderbufferStorage(target, format === DEPTH_STENCIL ? 0x88F0 : format, width, height);
    }
    getFramebufferAttachmentParameter(target, attachment, name) {
        if (!enter(this)) return null;
        const [point] = attachmentsOf(this, attachment);
        const ask = what => asked(this, out => native.glGetFramebufferAttachmentParameteriv(target, point, what, out));
        const value = ask(name);
        if (name !== 0x8CD1 || value === null) return value;
        const objects = this[state].objects;
        return (ask(0x8CD0) === 0x8D41 ? objects.Renderbuffer : objects.Texture).get(value) ?? null;
    }
    getRenderbufferParameter(target, name) { return asked(this, out => native.glGetRenderbufferParameteriv(target, name, out)); }
    readPixels(x, y, width, height, format, type, to, toOffset = 0) {
        const own = this[state];
        if (!enter(this)) return;
        const buffer = own.buffers.get(PIXEL_PACK_BUFFER);
        if (typeof to === "number") {
            if (!buffer || to < 0) return wrong(this, buffer ? INVALID_VALUE : INVALID_OPERATION);
            return native.glReadPixels(x, y, width, height, format, type, to);
        }
        if (buffer) return wrong(this, INVALID_OPERATION);
        if (!to) return wrong(this, INVALID_VALUE);
        const bytes = part(this, to, toOffset, 0);
        if (!bytes) return;
        const needed = pixels.layout(format, type, width, height, 1, {...own.pack, imageHeight: 0, skipImages: 0});
        if (!needed) return wrong(this, width < 0 || height < 0 ? INVALID_VALUE : INVALID_ENUM);
        if (needed.bytes > bytes.byteLength) return wrong(this, INVALID_OPERATION);
        native.glReadPixels(x, y, width, height, format, type, bytes);
    }

    // Programs

    createProgram() { return enter(this) ? made(this, "Program", native.glCreateProgram()) : null; }
    createShader(type) {
        if (!enter(this)) return null;
        const name = native.glCreateShader(type);
        return name ? made(this, "Shader", name) : null;
    }
    shaderSource(shader, text) {
        if (!enter(this) || !isThere(this, shader, WebGLShader)) return;
        shader[state].text = String(text);
        native.glShaderSource(nameOf(shader), 1, [shader[state].text], null);
    }
    getShaderSource(shader) { return isThere(this, shader, WebGLShader) ? shader[state].text ?? "" : null; }
    useProgram(program) {
        if (!enter(this) || !isOf(this, program, WebGLProgram)) return;
        if (isRight(this, () => native.glUseProgram(nameOf(program)))) this[state].program = program;
    }
    linkProgram(program) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return;
        native.glLinkProgram(nameOf(program));
        program[state].uniforms = null;
        program[state].links = (program[state].links ?? 0) + 1;
    }
    getShaderInfoLog(shader) { return infoLog(this, shader, WebGLShader, native.glGetShaderiv, native.glGetShaderInfoLog); }
    getProgramInfoLog(program) { return infoLog(this, program, WebGLProgram, native.glGetProgramiv, native.glGetProgramInfoLog); }
    getShaderParameter(shader, name) {
        if (!enter(this) || !isThere(this, shader, WebGLShader)) return null;
        const value = asked(this, out => native.glGetShaderiv(nameOf(shader), name, out));
        return value !== null && (name === 0x8B81 || name === 0x8B80 || name === 0x91B1) ? value !== 0 : value;
    }
    getProgramParameter(program, name) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return null;
        const value = asked(this, out => native.glGetProgramiv(nameOf(program), name, out));
        return value !== null && [0x8B80, 0x8B82, 0x8B83, 0x91B1].includes(name) ? value !== 0 : value;
    }
    getAttachedShaders(program) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return null;
        const count = new Int32Array(1), names = new Uint32Array(16);
        native.glGetAttachedShaders(nameOf(program), names.length, count, names);
        return Array.from(names.subarray(0, count[0]), name => this[state].objects.Shader.get(name));
    }
    getActiveAttrib(program, index) { return active(this, program, index, native.glGetActiveAttrib); }
    getActiveUniform(program, index) { return active(this, program, index, native.glGetActiveUniform); }
    getAttribLocation(program, name) {
        return enter(this) && isThere(this, program, WebGLProgram) ? native.glGetAttribLocation(nameOf(program), String(name)) : -1;
    }
    getUniformLocation(program, name) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return null;
        const location = native.glGetUniformLocation(nameOf(program), String(name));
        if (location < 0) return null;
        const out = new WebGLUniformLocation(program, location, String(name));
        out[state].links = program[state].links;
        return out;
    }
    getUniform(program, location) {
        if (!enter(this) || !isThere(this, program, WebGLProgram) || !(location instanceof WebGLUniformLocation)) return null;
        if (location[state].program !== program || location[state].links !== program[state].links) return wrong(this, INVALID_OPERATION), null;
        const {Array: Of, count, isBoolean} = uniformType(typeOfUniform(this, program, location[state].name));
        const out = new Of(count), name = nameOf(program), at = location[state].location;
        if (Of === Float32Array) native.glGetUniformfv(name, at, out);
        else if (Of === Uint32Array) native.glGetUniformuiv(name, at, out);
        else native.glGetUniformiv(name, at, out);
        if (count === 1) return isBoolean ? out[0] !== 0 : out[0];
        return isBoolean ? Array.from(out, one => one !== 0) : out;
    }
    getShaderPrecisionFormat(shader, precision) {
        const range = new Int32Array(2), bits = new Int32Array(1);
        if (!enter(this) || !isRight(this, () => native.glGetShaderPrecisionFormat(shader, precision, range, bits))) return null;
        return new WebGLShaderPrecisionFormat(range[0], range[1], bits[0]);
    }

    // Textures

    texImage2D(target, level, internal, ...rest) {
        const isSource = rest.length === 3;
        const [width, height, border, format, type, source, offset] = isSource ? [0, 0, 0, ...rest] : rest;
        upload(this, {source, offset, format, type, width, height, isSource},
               (bytes, w, h) => native.glTexImage2D(target, level, internal, w, h, border, format, type, bytes));
    }
    texSubImage2D(target, level, x, y, ...rest) {
        const isSource = rest.length === 3;
        const [width, height, format, type, source, offset] = isSource ? [0, 0, ...rest] : rest;
        upload(this, {source, offset, format, type, width, height, isSource, needsSource: true},
               (bytes, w, h) => native.glTexSubImage2D(target, level, x, y, w, h, format, type, bytes));
    }
    compressedTexImage2D(target, level, format, width, height, border, source, offset, length) {
        uploadCompressed(this, source, offset, length, (bytes, size) => native.glCompressedTexImage2D(target, level, format, width, height, border, size, bytes));
    }
    compressedTexSubImage2D(target, level, x, y, width, height, format, source, offset, length) {
        uploadCompressed(this, source, offset, length, (bytes, size) => native.glCompressedTexSubImage2D(target, level, x, y, width, height, format, size, bytes));
    }
    getTexParameter(target, name) {
        if (!enter(this)) return null;
        if (![0x813A, 0x813B, 0x84FE].includes(name)) {
            const value = asked(this, out => native.glGetTexParameteriv(target, name, out));
            return name === 0x912F && value !== null ? value !== 0 : value;
        }
        const out = new Float32Array(1);
        return isRight(this, () => native.glGetTexParameterfv(target, name, out)) ? out[0] : null;
    }
    pixelStorei(name, value) {
        const own = this[state];
        if (!enter(this)) return;
        if (name === UNPACK_FLIP_Y_WEBGL) own.unpack.flipY = Boolean(value);
        else if (name === UNPACK_PREMULTIPLY_ALPHA_WEBGL) own.unpack.premultiply = Boolean(value);
        else if (name === UNPACK_COLORSPACE_CONVERSION_WEBGL) return;
        else if (isRight(this, () => native.glPixelStorei(name, value))) {
            const [where, what] = storage[name] ?? [];
            if (where) own[where][what] = value;
        }
    }

    // State

    getParameter(name) {
        const own = this[state];
        if (!enter(this)) return null;
        switch (name) {
            case 0x1F02: return `WebGL ${own.version}.0 (${native.glGetString(name)})`;
            case 0x8B8C: return `WebGL GLSL ES ${own.version === 2 ? "3.00" : "1.0"} (${native.glGetString(name)})`;
            case 0x1F00: case 0x1F01: return native.glGetString(name);
            case 0x9245: return native.glGetString(0x1F00); // UNMASKED_VENDOR_WEBGL
            case 0x9246: return native.glGetString(0x1F01); // UNMASKED_RENDERER_WEBGL
            case UNPACK_FLIP_Y_WEBGL: return own.unpack.flipY;
            case UNPACK_PREMULTIPLY_ALPHA_WEBGL: return own.unpack.premultiply;
            case UNPACK_COLORSPACE_CONVERSION_WEBGL: return 0x9244;
            case 0x9247: return 1000000000; // MAX_CLIENT_WAIT_TIMEOUT_WEBGL
            case 0x86A3: { // COMPRESSED_TEXTURE_FORMATS
                const formats = new Uint32Array(asked(this, out => native.glGetIntegerv(0x86A2, out)));
                native.glGetIntegerv(name, formats);
                return formats;
            }
            case 0x8CA6: case 0x8CAA: case 0x8CA7: case 0x8B8D: case 0x85B5: case 0x8919: case 0x8E25: case 0x8069: case 0x8514:
            case 0x806A: case 0x8C1D: case 0x8894: case 0x8895: case 0x88ED: case 0x88EF: case 0x8F36: case 0x8F37: case 0x8A28:
            case 0x8C8F: {
                const value = asked(this, out => native.glGetIntegerv(name, out));
                const kind = bindings[name];
                return value ? own.objects[kind].get(value) ?? null : null;
            }
        }
        const shape = parameters[name];
        if (!shape) return asked(this, out => native.glGetIntegerv(name, out));
        const [Of, count] = shape;
        if (Of === Boolean) {
            const out = new Uint8Array(count);
            if (!isRight(this, () => native.glGetBooleanv(name, out))) return null;
            return count === 1 ? out[0] !== 0 : Array.from(out, one => one !== 0);
        }
        const out = new Of(count);
        const call = Of === Float32Array ? native.glGetFloatv : Of === BigInt64Array ? native.glGetInteger64v : native.glGetIntegerv;
        if (!isRight(this, () => call(name, out))) return null;
        return count > 1 ? out : Number(out[0]);
    }
    isEnabled(capability) { return enter(this) && native.glIsEnabled(capability) !== 0; }
    getSupportedExtensions() {
        if (!enter(this)) return null;
        const listed = new Set(native.glGetString(0x1F03).split(" "));
        return Object.keys(extensions).filter(name => extensions[name].version & this[state].version &&
                                                      [extensions[name].needs].flat().every(one => listed.has(`GL_${one}`)));
    }
    getExtension(name) {
        const own = this[state], wanted = String(name).toLowerCase();
        const exact = (this.getSupportedExtensions() ?? []).find(one => one.toLowerCase() === wanted);
        if (!exact) return null;
        if (!own.extensions.has(exact)) own.extensions.set(exact, extensions[exact].make?.(this) ?? {...extensions[exact].constants});
        return own.extensions.get(exact);
    }
}

class WebGL2RenderingContext extends WebGLRenderingContext {
    getBufferSubData(target, offset, to, toOffset = 0, length = 0) {
        if (!enter(this)) return;
        if (!to) return wrong(this, INVALID_VALUE);
        const bytes = part(this, to, toOffset, length);
        if (bytes) native.getBufferSubData(target, offset, bytes, bytes.byteLength);
    }
    vertexAttribIPointer(index, size, type, stride, offset) {
        pointAttribute(this, index, offset, stride, type, at => native.glVertexAttribIPointer(index, size, type, stride, at));
    }
    drawArraysInstanced(mode, first, count, instances) { draw(this, () => native.glDrawArraysInstanced(mode, first, count, instances)); }
    drawElementsInstanced(mode, count, type, offset, instances) {
        drawElements(this, type, offset, () => native.glDrawElementsInstanced(mode, count, type, offset, instances));
    }
    drawRangeElements(mode, start, end, count, type, offset) {
        drawElements(this, type, offset, () => native.glDrawRangeElements(mode, start, end, count, type, offset));
    }
    drawBuffers(buffers) { if (enter(this)) native.glDrawBuffers(buffers.length, Uint32Array.from(buffers)); }
    clearBufferfv(buffer, index, values, offset) { clearBuffer(this, native.glClearBufferfv, Float32Array, buffer, index, values, offset); }
    clearBufferiv(buffer, index, values, offset) { clearBuffer(this, native.glClearBufferiv, Int32Array, buffer, index, values, offset); }
    clearBufferuiv(buffer, index, values, offset) { clearBuffer(this, native.glClearBufferuiv, Uint32Array, buffer, index, values, offset); }
    invalidateFramebuffer(target, attachments) {
        if (enter(this)) native.glInvalidateFramebuffer(target, attachments.length, Uint32Array.from(attachments));
    }
    invalidateSubFramebuffer(target, attachments, x, y, width, height) {
        if (enter(this)) native.glInvalidateSubFramebuffer(target, attachments.length, Uint32Array.from(attachments), x, y, width, height);
    }
    texImage3D(target, level, internal, width, height, depth, border, format, type, source, offset) {
        upload(this, {source, offset, format, type, width, height, depth},
               (bytes, w, h) => native.glTexImage3D(target, level, internal, w, h, depth, border, format, type, bytes));
    }
    texSubImage3D(target, level, x, y, z, width, height, depth, format, type, source, offset) {
        upload(this, {source, offset, format, type, width, height, depth, needsSource: true},
               (bytes, w, h) => native.glTexSubImage3D(target, level, x, y, z, w, h, depth, format, type, bytes));
    }
    compressedTexImage3D(target, level, format, width, height, depth, border, source, offset, length) {
        uploadCompressed(this, source, offset, length, (bytes, size) =>
            native.glCompressedTexImage3D(target, level, format, width, height, depth, border, size, bytes));
    }
    compressedTexSubImage3D(target, level, x, y, z, width, height, depth, format, source, offset, length) {
        uploadCompressed(this, source, offset, length, (bytes, size) =>
            native.glCompressedTexSubImage3D(target, level, x, y, z, width, height, depth, format, size, bytes));
    }
    getInternalformatParameter(target, format, name) {
        if (!enter(this) || name !== 0x80A9) return wrong(this, INVALID_ENUM), null;
        const count = new Int32Array(1);
        if (!isRight(this, () => native.glGetInternalformativ(target, format, 0x9380, 1, count))) return null;
        const out = new Int32Array(count[0]);
        if (count[0]) native.glGetInternalformativ(target, format, name, count[0], out);
        return out;
    }
    getIndexedParameter(name, index) {
        if (!enter(this)) return null;
        const out = new BigInt64Array(1);
        if (!isRight(this, () => native.glGetInteger64i_v(name, index, out))) return null;
        const value = Number(out[0]);
        return name === 0x8A28 || name === 0x8C8F ? this[state].objects.Buffer.get(value) ?? null : value;
    }
    getFragDataLocation(program, name) {
        return enter(this) && isThere(this, program, WebGLProgram) ? native.glGetFragDataLocation(nameOf(program), String(name)) : -1;
    }

    // Uniform blocks

    getUniformIndices(program, names) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return null;
        const out = new Uint32Array(names.length);
        native.glGetUniformIndices(nameOf(program), names.length, Array.from(names, String), out);
        return Array.from(out);
    }
    getActiveUniforms(program, indices, name) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return null;
        const out = new Int32Array(indices.length);
        const isFine = isRight(this, () => native.glGetActiveUniformsiv(nameOf(program), indices.length, Uint32Array.from(indices), name, out));
        return !isFine ? null : Array.from(out, value => name === 0x8A3E ? value !== 0 : value);
    }
    getUniformBlockIndex(program, name) {
        return enter(this) && isThere(this, program, WebGLProgram) ? native.glGetUniformBlockIndex(nameOf(program), String(name)) : 0xFFFFFFFF;
    }
    getActiveUniformBlockParameter(program, index, name) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return null;
        const ask = (what, Of, count) => {
            const out = new Of(count);
            return isRight(this, () => native.glGetActiveUniformBlockiv(nameOf(program), index, what, out)) ? out : null;
        };
        if (name === 0x8A43) { // UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES
            const count = ask(0x8A42, Int32Array, 1);
            return count && ask(name, Uint32Array, count[0]);
        }
        const out = ask(name, Int32Array, 1);
        return out && (name === 0x8A44 || name === 0x8A46 ? out[0] !== 0 : out[0]);
    }
    getActiveUniformBlockName(program, index) {
        if (!enter(this) || !isThere(this, program, WebGLProgram)) return null;
        const length = new Int32Array(1), text = new Uint8Array(1024);
        const isFine = isRight(this, () => native.glGetActiveUniformBlockName(nameOf(program), index, text.length, length, text));
        return isFine ? textOf(text, length[0]) : null;
    }

    // Samplers, queries, syncs, transform feedback

    getSamplerParameter(sampler, name) {
        if (!enter(this) || !isThere(this, sampler, WebGLSampler)) return null;
        if (name !== 0x813A && name !== 0x813B && name !== 0x84FE)
            return asked(this, out => native.glGetSamplerParameteriv(nameOf(sampler), name, out));
        const out = new Float32Array(1);
        return isRight(this, () => native.glGetSamplerParameterfv(nameOf(sampler), name, out)) ? out[0] : null;
    }
    beginQuery(target, query) {
        if (!enter(this) || !isThere(this, query, WebGLQuery)) return;
        if (isRight(this, () => native.glBeginQuery(target, nameOf(query)))) this[state].queries.set(target, query);
    }
    endQuery(target) { if (enter(this) && isRight(this, () => native.glEndQuery(target))) this[state].queries.delete(target); }
    getQuery(target, name) { return enter(this) && name === 0x8865 ? this[state].queries.get(target) ?? null : null; }
    getQueryParameter(query, name) {
        if (!enter(this) || !isThere(this, query, WebGLQuery)) return null;
        const out = new Uint32Array(1);
        if (!isRight(this, () => native.glGetQueryObjectuiv(nameOf(query), name, out))) return null;
        return name === 0x8867 ? out[0] !== 0 : out[0];
    }
    fenceSync(condition, flags) {
        if (!enter(this)) return null;
        const sync = native.glFenceSync(condition, flags);
        return sync ? new WebGLSync(this, sync) : null;
    }
    isSync(sync) { return enter(this) && sync instanceof WebGLSync && !sync[state].isDeleted && native.glIsSync(nameOf(sync)) !== 0; }
    deleteSync(sync) {
        if (!enter(this) || !sync || !isOf(this, sync, WebGLSync) || sync[state].isDeleted) return;
        native.glDeleteSync(nameOf(sync));
        sync[state].isDeleted = true;
    }
    clientWaitSync(sync, flags, timeout) {
        return enter(this) && isThere(this, sync, WebGLSync) ? native.glClientWaitSync(nameOf(sync), flags, timeout) : 0x911D;
    }
    waitSync(sync, flags) { if (enter(this) && isThere(this, sync, WebGLSync)) native.glWaitSync(nameOf(sync), flags, -1); }
    getSyncParameter(sync, name) {
        if (!enter(this) || !isThere(this, sync, WebGLSync)) return null;
        return asked(this, out => native.glGetSynciv(nameOf(sync), name, 1, null, out));
    }
    transformFeedbackVaryings(program, names, mode) {
        if (enter(this) && isThere(this, program, WebGLProgram))
            native.glTransformFeedbackVaryings(nameOf(program), names.length, Array.from(names, String), mode);
    }
    getTransformFeedbackVarying(program, index) { return active(this, program, index, native.glGetTransformFeedbackVarying); }
}

// --- What methods are made of ---

let current = null;

/// The context becomes this thread's; false: it is lost, and the call does nothing.
function enter(context) {
    const own = context[state];
    if (own.isLost) return false;
    if (current !== context) {
        native.makeCurrent(own.handle);
        current = context;
    }
    return true;
}

function wrong(context, error) {
    const own = context[state];
    if (!own.isLost && !own.errors.includes(error)) own.errors.push(error);
    return undefined;
}

/// Whether the call, of which the driver is asked something, makes no error. One that it makes is the page's.
function isRight(context, call) {
    for (let before; (before = native.glGetError()) !== NO_ERROR;) wrong(context, before);
    call();
    const error = native.glGetError();
    if (error !== NO_ERROR) wrong(context, error);
    return error === NO_ERROR;
}

/// The integer that call(out) leaves; null: it is wrong.
function asked(context, call) {
    const out = new Int32Array(64);
    return enter(context) && isRight(context, () => call(out)) ? out[0] : null;
}

const nameOf = object => object ? object[state].name : 0;

/// Null, or an object of this context that is not deleted.
function isOf(context, object, Kind) {
    if (object === null || object === undefined) return true;
    if (!(object instanceof Kind)) throw new TypeError(`not a ${Kind.name}`);
    if (object[state].context === context && !object[state].isDeleted) return true;
    wrong(context, INVALID_OPERATION);
    return false;
}

/// The same of what cannot be null. A deleted program that is used is still there, and so are its shaders.
function isThere(context, object, Kind) {
    if (!(object instanceof Kind)) throw new TypeError(`not a ${Kind.name}`);
    if (object[state].context !== context) return wrong(context, INVALID_OPERATION), false;
    if (object[state].isDeleted && !(Kind === WebGLProgram && context[state].program === object))
        return wrong(context, INVALID_VALUE), false;
    return true;
}

function made(context, kindName, name) {
    const object = new kinds[kindName].made(context, name);
    context[state].objects[kindName].set(name, object);
    return object;
}

const textOf = (bytes, length) => Buffer.from(bytes.buffer, bytes.byteOffset, length).toString();

/// The bytes of an array from an element on; of all of them where no length is given. Null, and an error: it is not that long.
function part(context, array, offset, length) {
    if (array instanceof ArrayBuffer || (typeof SharedArrayBuffer !== "undefined" && array instanceof SharedArrayBuffer)) return new Uint8Array(array);
    if (!ArrayBuffer.isView(array)) throw new TypeError("neither an ArrayBuffer nor a view of one");
    const size = array.BYTES_PER_ELEMENT ?? 1, count = array.byteLength / size;
    const end = length ? offset + length : count;
    if (!(offset >= 0 && offset <= count && end <= count && end >= offset)) return wrong(context, INVALID_VALUE), null;
    return new Uint8Array(array.buffer, array.byteOffset + offset * size, (end - offset) * size);
}

/// Numbers as an array of that type: a list, or a part of an array.
function numbers(Of, list, offset = 0, length = 0) {
    const array = list instanceof Of ? list : Of.from(list);
    return offset || length ? array.subarray(offset, length ? offset + length : undefined) : array;
}

const isTransfer = target => target === 0x8F36 || target === 0x8F37; // COPY_READ_BUFFER, COPY_WRITE_BUFFER

function bindIndexed(context, target, buffer, call) {
    if (!enter(context) || !isOf(context, buffer, WebGLBuffer)) return;
    if (buffer?.[state].isElements) return wrong(context, INVALID_OPERATION);
    if (!isRight(context, () => call(nameOf(buffer)))) return;
    if (buffer) buffer[state].isElements = false;
    context[state].buffers.set(target, buffer);
}

function setAttribute(context, index, change, call) {
    if (enter(context) && isRight(context, call)) change(context[state].vertexArray.attributes[index]);
}

function pointAttribute(context, index, offset, stride, type, call) {
    if (!enter(context)) return;
    const buffer = context[state].buffers.get(ARRAY_BUFFER) ?? null, size = pixels.bytesOfType(type);
    if (offset < 0 || stride < 0 || stride > 255) return wrong(context, INVALID_VALUE);
    if ((!buffer && offset !== 0) || offset % size !== 0 || stride % size !== 0) return wrong(context, INVALID_OPERATION);
    setAttribute(context, index, one => { one.buffer = buffer; }, () => call(offset));
}

function draw(context, call) {
    if (!enter(context)) return;
    if (!context[state].vertexArray.isDrawable) return wrong(context, INVALID_OPERATION);
    call();
}

function drawElements(context, type, offset, call) {
    if (!enter(context)) return;
    if (offset < 0) return wrong(context, INVALID_VALUE);
    if (!context[state].vertexArray.element || offset % pixels.bytesOfType(type) !== 0) return wrong(context, INVALID_OPERATION);
    draw(context, call);
}

function clearBuffer(context, call, Of, buffer, index, values, offset = 0) {
    if (!enter(context)) return;
    const array = numbers(Of, values, offset);
    if (array.length < (buffer === 0x1800 ? 4 : 1)) return wrong(context, INVALID_VALUE);
    call(buffer, index, array);
}

/// Where an attachment goes: OpenGL ES 2.0 has no point for depth and stencil together.
const attachmentsOf = (context, attachment) =>
    attachment === DEPTH_STENCIL_ATTACHMENT && context[state].version === 1 ? [DEPTH_ATTACHMENT, STENCIL_ATTACHMENT] : [attachment];

function infoLog(context, object, Kind, parameter, log) {
    if (!enter(context) || !isThere(context, object, Kind)) return null;
    const length = asked(context, out => parameter(nameOf(object), 0x8B84, out));
    const text = new Uint8Array(length + 1), written = new Int32Array(1);
    log(nameOf(object), text.length, written, text);
    return textOf(text, written[0]);
}

function active(context, program, index, call) {
    if (!enter(context) || !isThere(context, program, WebGLProgram)) return null;
    const text = new Uint8Array(1024), length = new Int32Array(1), size = new Int32Array(1), type = new Uint32Array(1);
    const isFine = isRight(context, () => call(nameOf(program), index, text.length, length, size, type, text));
    return isFine ? new WebGLActiveInfo(size[0], type[0], textOf(text, length[0])) : null;
}

/// The type of a uniform by the name that its location was asked with: an element of an array is the array's.
function typeOfUniform(context, program, name) {
    const own = program[state];
    if (!own.uniforms) {
        own.uniforms = new Map();
        const count = context.getProgramParameter(program, 0x8B86);
        for (let i = 0; i < count; ++i) {
            const uniform = context.getActiveUniform(program, i);
            own.uniforms.set(uniform.name.replace(/\[0\]$/, ""), uniform.type);
        }
    }
    return own.uniforms.get(name) ?? own.uniforms.get(name.replace(/\[\d+\]$/, ""));
}

function uniformType(type) {
    const matrices = {0x8B5A: 4, 0x8B5B: 9, 0x8B5C: 16, 0x8B65: 6, 0x8B66: 8, 0x8B67: 6, 0x8B68: 12, 0x8B69: 8, 0x8B6A: 12};
    if (matrices[type]) return {Array: Float32Array, count: matrices[type]};
    if (type === 0x1406 || (type >= 0x8B50 && type <= 0x8B52)) return {Array: Float32Array, count: type === 0x1406 ? 1 : type - 0x8B4E};
    if (type === 0x1405 || (type >= 0x8DC6 && type <= 0x8DC8)) return {Array: Uint32Array, count: type === 0x1405 ? 1 : type - 0x8DC4};
    if (type >= 0x8B53 && type <= 0x8B55) return {Array: Int32Array, count: type - 0x8B51};
    if (type >= 0x8B56 && type <= 0x8B59) return {Array: Int32Array, count: type - 0x8B55, isBoolean: true};
    return {Array: Int32Array, count: 1}; // integers and samplers
}

// --- Pixels ---

/// Calls `call(bytes, width, height)` with the pixels as OpenGL ES takes them: bytes, an offset into a buffer, or null.
function upload(context, {source, offset, format, type, width, height, depth, isSource, needsSource}, call) {
    const own = context[state];
    if (!enter(context)) return;
    const buffer = own.buffers.get(PIXEL_UNPACK_BUFFER);
    if (typeof source === "number") return buffer ? call(source, width, height) : wrong(context, INVALID_OPERATION);
    if (buffer) return wrong(context, INVALID_OPERATION);
    if (source === null || source === undefined) {
        if (isSource) throw new TypeError("no image to take the pixels from");
        return needsSource ? wrong(context, INVALID_VALUE) : call(null, width, height);
    }
    if (!ArrayBuffer.isView(source)) {
        const image = pixels.imageOf(source);
        enter(context); // the image may be another context's canvas
        const [w, h] = isSource ? [image.width, image.height] : [width, height];
        const converted = pixels.converted(image, format, type, own.unpack);
        if (!converted) return wrong(context, INVALID_OPERATION);
        if (!isSource && (w > image.width || h * (depth ?? 1) > image.height)) return wrong(context, INVALID_OPERATION);
        return tightly(own.unpack, image.width, () => call(converted, w, h));
    }
    const bytes = part(context, source, offset ?? 0, 0);
    if (!bytes) return;
    const needed = pixels.layout(format, type, width, height, depth ?? 1, depth === undefined ? {...own.unpack, imageHeight: 0, skipImages: 0} : own.unpack);
    if (!needed) return wrong(context, width < 0 || height < 0 || depth < 0 ? INVALID_VALUE : INVALID_ENUM);
    if (needed.bytes > bytes.byteLength) return wrong(context, INVALID_OPERATION);
    call(pixels.turned(bytes, needed, format, type, own.unpack), width, height);
}

/// Rows lie one after the other during the call.
function tightly(unpack, width, call) {
    const own = {0x0CF5: unpack.alignment, 0x0CF2: unpack.rowLength, 0x0CF4: unpack.skipPixels, 0x0CF3: unpack.skipRows, 0x806E: unpack.imageHeight,
                 0x806D: unpack.skipImages};
    const changed = Object.entries(own).filter(([name, value]) => value !== (Number(name) === 0x0CF5 ? 1 : 0));
    for (const [name] of changed) native.glPixelStorei(Number(name), Number(name) === 0x0CF5 ? 1 : 0);
    call();
    for (const [name, value] of changed) native.glPixelStorei(Number(name), value);
}

function uploadCompressed(context, source, offset = 0, length = 0, call) {
    if (!enter(context)) return;
    const buffer = context[state].buffers.get(PIXEL_UNPACK_BUFFER);
    if (typeof source === "number") // a size, and an offset into the buffer
        return buffer ? call(offset, source) : wrong(context, INVALID_OPERATION);
    if (buffer) return wrong(context, INVALID_OPERATION);
    if (!source) return wrong(context, INVALID_VALUE);
    const bytes = part(context, source, offset, length);
    if (bytes) call(bytes, bytes.byteLength);
}

/// Where pixelStorei() keeps a number.
const storage = {
    0x0CF5: ["unpack", "alignment"], 0x0CF2: ["unpack", "rowLength"], 0x0CF4: ["unpack", "skipPixels"], 0x0CF3: ["unpack", "skipRows"],
    0x806E: ["unpack", "imageHeight"], 0x806D: ["unpack", "skipImages"], 0x0D05: ["pack", "alignment"], 0x0D02: ["pack", "rowLength"],
    0x0D04: ["pack", "skipPixels"], 0x0D03: ["pack", "skipRows"],
};

// --- Tables ---

/// Parameters that are no single integer.
const parameters = {};
const shapes = [
    [Float32Array, 1, [0x0B73, 0x0B21, 0x8038, 0x2A00, 0x80AA, 0x84FD, 0x84FF]], [Float32Array, 2, [0x846E, 0x846D, 0x0B70]],
    [Float32Array, 4, [0x8005, 0x0C22]], [Int32Array, 2, [0x0D3A]], [Int32Array, 4, [0x0C10, 0x0BA2]], [Boolean, 4, [0x0C23]],
    [Boolean, 1, [0x0BE2, 0x0B44, 0x0B71, 0x0B72, 0x0BD0, 0x8037, 0x809E, 0x80A0, 0x80AB, 0x0C11, 0x0B90, 0x8C89, 0x8E24, 0x8E23]],
    [Uint32Array, 1, [0x0B93, 0x8CA4, 0x0B98, 0x8CA5]], // masks of stencils
    [BigInt64Array, 1, [0x8D6B, 0x8A30, 0x8A31, 0x8A33, 0x9111]],
];
for (const [Of, count, names] of shapes) for (const name of names) parameters[name] = [Of, count];
const bindings = {
    0x8CA6: "Framebuffer", 0x8CAA: "Framebuffer", 0x8CA7: "Renderbuffer", 0x8B8D: "Program", 0x85B5: "VertexArray", 0x8919: "Sampler",
    0x8E25: "TransformFeedback", 0x8069: "Texture", 0x8514: "Texture", 0x806A: "Texture", 0x8C1D: "Texture", 0x8894: "Buffer", 0x8895: "Buffer",
    0x88ED: "Buffer", 0x88EF: "Buffer", 0x8F36: "Buffer", 0x8F37: "Buffer", 0x8A28: "Buffer", 0x8C8F: "Buffer",
};

/// Methods that are OpenGL ES's with objects for names: n a number, a capital letter a kind of object (null: 0), the same with
/// "!" one that cannot be null, s a text. "=" before them: they answer.
const letters = {B: WebGLBuffer, F: WebGLFramebuffer, R: WebGLRenderbuffer, T: WebGLTexture, P: WebGLProgram, S: WebGLShader, M: WebGLSampler,
                 X: WebGLTransformFeedback};
const plain = {
    activeTexture: "n", attachShader: "P!S!", bindAttribLocation: "P!ns", bindFramebuffer: "nF", bindRenderbuffer: "nR", bindTexture: "nT",
    blendColor: "nnnn", blendEquation: "n", blendEquationSeparate: "nn", blendFunc: "nn", blendFuncSeparate: "nnnn", clear: "n",
    clearColor: "nnnn", clearStencil: "n", colorMask: "nnnn", compileShader: "S!", copyTexImage2D: "nnnnnnnn",
    copyTexSubImage2D: "nnnnnnnn", cullFace: "n", depthFunc: "n", depthMask: "n", detachShader: "P!S!", disable: "n", enable: "n", finish: "",
    flush: "", frontFace: "n", generateMipmap: "n", hint: "nn", lineWidth: "n", polygonOffset: "nn", sampleCoverage: "nn", scissor: "nnnn",
    stencilFunc: "nnn", stencilFuncSeparate: "nnnn", stencilMask: "n", stencilMaskSeparate: "nn", stencilOp: "nnn",
    stencilOpSeparate: "nnnn", texParameterf: "nnn", texParameteri: "nnn", validateProgram: "P!", viewport: "nnnn",
    vertexAttrib1f: "nn", vertexAttrib2f: "nnn", vertexAttrib3f: "nnnn", vertexAttrib4f: "nnnnn",
};
const plain2 = {
    beginTransformFeedback: "n", bindSampler: "nM", bindTransformFeedback: "nX", blitFramebuffer: "nnnnnnnnnn", clearBufferfi: "nnnn",
    copyBufferSubData: "nnnnn", copyTexSubImage3D: "nnnnnnnnn", endTransformFeedback: "", framebufferTextureLayer: "nnTnn",
    pauseTransformFeedback: "", readBuffer: "n", renderbufferStorageMultisample: "nnnnn", resumeTransformFeedback: "",
    samplerParameterf: "M!nn", samplerParameteri: "M!nn", texStorage2D: "nnnnn", texStorage3D: "nnnnnn", uniformBlockBinding: "P!nn",
    vertexAttribI4i: "nnnnn", vertexAttribI4ui: "nnnnn",
};

function passing(method, parts) {
    const call = native[`gl${method[0].toUpperCase()}${method.slice(1)}`];
    const convert = Array.from(parts.matchAll(/([a-zA-Z])(!?)/g), ([, letter, mark]) => {
        if (letter === "n") return (context, value) => Number(value) || 0;
        if (letter === "s") return (context, value) => String(value);
        const check = mark ? isThere : isOf;
        return (context, value) => check(context, value, letters[letter]) ? nameOf(value) : null;
    });
    return function (...given) {
        if (!enter(this)) return;
        const values = [];
        for (let i = 0; i < convert.length; ++i) {
            const value = convert[i](this, given[i]);
            if (value === null) return;
            values.push(value);
        }
        call(...values);
    };
}

function addMethods(prototype, methods) {
    for (const [name, value] of Object.entries(methods)) Object.defineProperty(prototype, name, {value, writable: true, configurable: true});
}

const one = WebGLRenderingContext.prototype, two = WebGL2RenderingContext.prototype;
for (const [name, parts] of Object.entries(plain)) addMethods(one, {[name]: passing(name, parts)});
for (const [name, parts] of Object.entries(plain2)) addMethods(two, {[name]: passing(name, parts)});
addMethods(one, {
    clearDepth(depth) { if (enter(this)) native.glClearDepthf(depth); },
    depthRange(near, far) {
        if (!enter(this)) return;
        if (near > far) return wrong(this, INVALID_OPERATION);
        native.glDepthRangef(near, far);
    },
});

// Uniforms and constant attributes: numbers, and lists of them.
for (let n = 1; n <= 4; ++n) {
    for (const [letter, Of, prototype] of [["f", Float32Array, one], ["i", Int32Array, one], ["ui", Uint32Array, two]]) {
        const [call, callList] = [native[`glUniform${n}${letter}`], native[`glUniform${n}${letter}v`]];
        addMethods(prototype, {
            [`uniform${n}${letter}`](location, ...values) { uniform(this, location, at => call(at, ...values)); },
            [`uniform${n}${letter}v`](location, list, offset, length) { uniformList(this, location, Of, n, list, offset, length, callList); },
        });
    }
    const callList = native[`glVertexAttrib${n}fv`];
    addMethods(one, {[`vertexAttrib${n}fv`](index, list) { constantAttribute(this, index, Float32Array, n, list, callList); }});
    for (let m = 2; n >= 2 && m <= 4; ++m) {
        const suffix = m === n ? `${n}` : `${n}x${m}`, callMatrix = native[`glUniformMatrix${suffix}fv`];
        addMethods(m === n ? one : two, {[`uniformMatrix${suffix}fv`](location, transpose, list, offset, length) {
            uniformList(this, location, Float32Array, n * m, list, offset, length, (at, count, values) => callMatrix(at, count, transpose, values));
        }});
    }
}
addMethods(two, {
    vertexAttribI4iv(index, list) { constantAttribute(this, index, Int32Array, 4, list, native.glVertexAttribI4iv); },
    vertexAttribI4uiv(index, list) { constantAttribute(this, index, Uint32Array, 4, list, native.glVertexAttribI4uiv); },
});

function uniform(context, location, call) {
    if (location === null || location === undefined || !enter(context)) return;
    if (!(location instanceof WebGLUniformLocation)) throw new TypeError("not a WebGLUniformLocation");
    const {program, links} = location[state];
    if (program !== context[state].program || links !== program[state].links) return wrong(context, INVALID_OPERATION);
    call(location[state].location);
}

function uniformList(context, location, Of, size, list, offset, length, call) {
    uniform(context, location, at => {
        const values = numbers(Of, list, offset, length);
        if (values.length < size || values.length % size !== 0) return wrong(context, INVALID_VALUE);
        call(at, values.length / size, values);
    });
}

function constantAttribute(context, index, Of, size, list, call) {
    if (!enter(context)) return;
    const values = numbers(Of, list);
    if (values.length < size) return wrong(context, INVALID_VALUE);
    call(index, values);
}

// Objects: made, asked for and deleted.
for (const [name, {made: Kind, generate, erase}] of Object.entries(kinds)) {
    const isOfOne = ["Buffer", "Framebuffer", "Renderbuffer", "Texture", "Program", "Shader"].includes(name);
    const isQuery = native[`glIs${name}`] ?? native[`glIs${name}OES`];
    const methods = {
        [`delete${name}`](object) {
            if (object === null || object === undefined || !enter(this)) return;
            if (!(object instanceof Kind)) throw new TypeError(`not a ${Kind.name}`);
            const own = this[state];
            if (object[state].context !== this) return wrong(this, INVALID_OPERATION);
            if (object[state].isDeleted) return;
            object[state].isDeleted = true;
            if (generate) native[erase](1, Uint32Array.of(nameOf(object)));
            else native[erase](nameOf(object));
            if (generate) own.objects[name].delete(nameOf(object)); // shaders and programs stay while something has them
            if (name === "Buffer") forgetBuffer(own, object);
            if (name === "VertexArray" && own.vertexArray.object === object) own.vertexArray = own.defaultVertexArray;
        },
        [`is${name}`](object) {
            return enter(this) && object instanceof Kind && object[state].context === this && !object[state].isDeleted && isQuery(nameOf(object)) !== 0;
        },
    };
    if (generate)
        methods[`create${name}`] = function () {
            if (!enter(this)) return null;
            const names = new Uint32Array(1);
            native[generate](1, names);
            return made(this, name, names[0]);
        };
    addMethods(isOfOne ? one : two, methods);
}

/// A deleted buffer leaves the context's binding points and its vertex array; other vertex arrays keep it.
function forgetBuffer(own, buffer) {
    for (const [target, bound] of own.buffers) if (bound === buffer) own.buffers.set(target, null);
    if (own.vertexArray.element === buffer) own.vertexArray.element = null;
    for (const attribute of own.vertexArray.attributes) if (attribute.buffer === buffer) attribute.buffer = null;
}

addMethods(two, {
    bindVertexArray(object) {
        const own = this[state];
        if (!enter(this) || !isOf(this, object, WebGLVertexArrayObject)) return;
        native.glBindVertexArrayOES(nameOf(object));
        own.vertexArray = object ? object[state].array ??= new VertexArray(object) : own.defaultVertexArray;
    },
    vertexAttribDivisor(index, divisor) { if (enter(this)) native.glVertexAttribDivisor(index, divisor); },
});

// --- Extensions: of which versions of WebGL (1, 2, 3: both), and what the driver has to list for them ---

const ES1 = 1, ES2 = 2, BOTH = 3;
const extensions = {
    ANGLE_instanced_arrays: {version: ES1, needs: "EXT_instanced_arrays", make: context => ({
        VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE: 0x88FE,
        drawArraysInstancedANGLE(mode, first, count, instances) { draw(context, () => native.glDrawArraysInstancedEXT(mode, first, count, instances)); },
        drawElementsInstancedANGLE(mode, count, type, offset, instances) {
            drawElements(context, type, offset, () => native.glDrawElementsInstancedEXT(mode, count, type, offset, instances));
        },
        vertexAttribDivisorANGLE(index, divisor) { if (enter(context)) native.glVertexAttribDivisorEXT(index, divisor); },
    })},
    EXT_blend_minmax: {version: ES1, needs: "EXT_blend_minmax", constants: {MIN_EXT: 0x8007, MAX_EXT: 0x8008}},
    EXT_color_buffer_float: {version: ES2, needs: "EXT_color_buffer_float"},
    EXT_color_buffer_half_float: {version: BOTH, needs: "EXT_color_buffer_half_float", constants: {RGBA16F_EXT: 0x881A, RGB16F_EXT: 0x881B,
        FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT: 0x8211, UNSIGNED_NORMALIZED_EXT: 0x8C17}},
    EXT_float_blend: {version: ES2, needs: "EXT_float_blend"},
    EXT_frag_depth: {version: ES1, needs: "EXT_frag_depth"},
    EXT_sRGB: {version: ES1, needs: "EXT_sRGB", constants: {SRGB_EXT: 0x8C40, SRGB_ALPHA_EXT: 0x8C42, SRGB8_ALPHA8_EXT: 0x8C43,
        FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING_EXT: 0x8210}},
    EXT_shader_texture_lod: {version: ES1, needs: "EXT_shader_texture_lod"},
    EXT_texture_compression_bptc: {version: BOTH, needs: "EXT_texture_compression_bptc", constants: {COMPRESSED_RGBA_BPTC_UNORM_EXT: 0x8E8C,
        COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT: 0x8E8D, COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT: 0x8E8E, COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT: 0x8E8F}},
    EXT_texture_compression_rgtc: {version: BOTH, needs: "EXT_texture_compression_rgtc", constants: {COMPRESSED_RED_RGTC1_EXT: 0x8DBB,
        COMPRESSED_SIGNED_RED_RGTC1_EXT: 0x8DBC, COMPRESSED_RED_GREEN_RGTC2_EXT: 0x8DBD, COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT: 0x8DBE}},
    EXT_texture_filter_anisotropic: {version: BOTH, needs: "EXT_texture_filter_anisotropic", constants: {TEXTURE_MAX_ANISOTROPY_EXT: 0x84FE,
        MAX_TEXTURE_MAX_ANISOTROPY_EXT: 0x84FF}},
    KHR_parallel_shader_compile: {version: BOTH, needs: "KHR_parallel_shader_compile", constants: {COMPLETION_STATUS_KHR: 0x91B1}},
    OES_element_index_uint: {version: ES1, needs: "OES_element_index_uint"},
    OES_fbo_render_mipmap: {version: ES1, needs: "OES_fbo_render_mipmap"},
    OES_standard_derivatives: {version: ES1, needs: "OES_standard_derivatives", constants: {FRAGMENT_SHADER_DERIVATIVE_HINT_OES: 0x8B8B}},
    OES_texture_float: {version: ES1, needs: "OES_texture_float"},
    OES_texture_float_linear: {version: BOTH, needs: "OES_texture_float_linear"},
    OES_texture_half_float: {version: ES1, needs: "OES_texture_half_float", constants: {HALF_FLOAT_OES: 0x8D61}},
    OES_texture_half_float_linear: {version: ES1, needs: "OES_texture_half_float_linear"},
    OES_vertex_array_object: {version: ES1, needs: "OES_vertex_array_object", make: context => ({
        VERTEX_ARRAY_BINDING_OES: 0x85B5,
        createVertexArrayOES: () => two.createVertexArray.call(context),
        deleteVertexArrayOES: object => two.deleteVertexArray.call(context, object),
        isVertexArrayOES: object => two.isVertexArray.call(context, object),
        bindVertexArrayOES: object => two.bindVertexArray.call(context, object),
    })},
    WEBGL_compressed_texture_astc: {version: BOTH, needs: "KHR_texture_compression_astc_ldr", make: () => ({
        ...Object.fromEntries(["4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "8x8", "10x5", "10x6", "10x8", "10x10", "12x10", "12x12"].flatMap((size, i) =>
            [[`COMPRESSED_RGBA_ASTC_${size}_KHR`, 0x93B0 + i], [`COMPRESSED_SRGB8_ALPHA8_ASTC_${size}_KHR`, 0x93D0 + i]])),
        getSupportedProfiles: () => ["ldr"],
    })},
    WEBGL_compressed_texture_etc: {version: ES2, needs: [], constants: {COMPRESSED_R11_EAC: 0x9270, COMPRESSED_SIGNED_R11_EAC: 0x9271,
        COMPRESSED_RG11_EAC: 0x9272, COMPRESSED_SIGNED_RG11_EAC: 0x9273, COMPRESSED_RGB8_ETC2: 0x9274, COMPRESSED_SRGB8_ETC2: 0x9275,
        COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2: 0x9276, COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2: 0x9277, COMPRESSED_RGBA8_ETC2_EAC: 0x9278,
        COMPRESSED_SRGB8_ALPHA8_ETC2_EAC: 0x9279}},
    WEBGL_compressed_texture_etc1: {version: ES1, needs: "OES_compressed_ETC1_RGB8_texture", constants: {COMPRESSED_RGB_ETC1_WEBGL: 0x8D64}},
    WEBGL_compressed_texture_s3tc: {version: BOTH, needs: "EXT_texture_compression_s3tc", constants: {COMPRESSED_RGB_S3TC_DXT1_EXT: 0x83F0,
        COMPRESSED_RGBA_S3TC_DXT1_EXT: 0x83F1, COMPRESSED_RGBA_S3TC_DXT3_EXT: 0x83F2, COMPRESSED_RGBA_S3TC_DXT5_EXT: 0x83F3}},
    WEBGL_compressed_texture_s3tc_srgb: {version: BOTH, needs: "EXT_texture_compression_s3tc_srgb", constants: {COMPRESSED_SRGB_S3TC_DXT1_EXT: 0x8C4C,
        COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT: 0x8C4D, COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT: 0x8C4E, COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT: 0x8C4F}},
    WEBGL_debug_renderer_info: {version: BOTH, needs: [], constants: {UNMASKED_VENDOR_WEBGL: 0x9245, UNMASKED_RENDERER_WEBGL: 0x9246}},
    WEBGL_depth_texture: {version: ES1, needs: ["OES_depth_texture", "OES_packed_depth_stencil"], constants: {UNSIGNED_INT_24_8_WEBGL: 0x84FA}},
    WEBGL_draw_buffers: {version: ES1, needs: "EXT_draw_buffers", make: context => ({
        MAX_DRAW_BUFFERS_WEBGL: 0x8824, MAX_COLOR_ATTACHMENTS_WEBGL: 0x8CDF,
        ...Object.fromEntries(Array.from({length: 16}, (_, i) => [[`COLOR_ATTACHMENT${i}_WEBGL`, 0x8CE0 + i], [`DRAW_BUFFER${i}_WEBGL`, 0x8825 + i]]).flat()),
        drawBuffersWEBGL(buffers) { if (enter(context)) native.glDrawBuffersEXT(buffers.length, Uint32Array.from(buffers)); },
    })},
    OES_draw_buffers_indexed: {version: ES2, needs: "OES_draw_buffers_indexed", make: context => Object.fromEntries(
        ["enablei", "disablei", "blendEquationi", "blendEquationSeparatei", "blendFunci", "blendFuncSeparatei", "colorMaski"].map(name => {
            const call = native[`gl${name[0].toUpperCase()}${name.slice(1)}OES`];
            return [`${name}OES`, (...values) => { if (enter(context)) call(...values); }];
        }))},
    WEBGL_lose_context: {version: BOTH, needs: [], make: context => ({
        loseContext() { lose(context); },
        restoreContext() {},
    })},
    STACKGL_destroy_context: {version: BOTH, needs: [], make: context => ({destroy() { lose(context); }})},
    STACKGL_resize_drawingbuffer: {version: BOTH, needs: [], make: context => ({resize(width, height) { resize(context, width, height); }})},
};

/// The context and all that it has are given back; calls do nothing from now on.
function lose(context) {
    const own = context[state];
    if (own.isLost) return;
    own.isLost = true;
    own.errors = [CONTEXT_LOST_WEBGL];
    if (current === context) current = null;
    native.close(own.handle);
    current = null;
}

/// Another drawing buffer, which is clear.
function resize(context, width, height) {
    const own = context[state];
    if (!enter(context)) return;
    if (!native.resize(own.handle, width, height)) throw new RangeError(`no drawing buffer of ${width} x ${height}`);
    own.width = width;
    own.height = height;
}

/// Of the drawing buffer, whatever is bound: rows of RGBA from the lowest on.
function readDrawingBuffer(context, width, height) {
    const own = context[state], out = new Uint8Array(4 * width * height);
    if (!enter(context)) return out;
    const target = own.version === 2 ? 0x8CA8 : 0x8D40; // READ_FRAMEBUFFER, or FRAMEBUFFER
    const bound = asked(context, names => native.glGetIntegerv(own.version === 2 ? 0x8CAA : 0x8CA6, names));
    const buffer = nameOf(own.buffers.get(PIXEL_PACK_BUFFER)), pack = Object.keys(storage).map(Number).filter(name => storage[name][0] === "pack");
    native.glBindFramebuffer(target, 0);
    if (buffer) native.glBindBuffer(PIXEL_PACK_BUFFER, 0);
    for (const name of pack) if (own.pack[storage[name][1]] !== 0) native.glPixelStorei(name, name === 0x0D05 ? 1 : 0);
    native.glReadPixels(0, 0, width, height, 0x1908, 0x1401, out);
    for (const name of pack) if (own.pack[storage[name][1]] !== 0) native.glPixelStorei(name, own.pack[storage[name][1]]);
    if (buffer) native.glBindBuffer(PIXEL_PACK_BUFFER, buffer);
    native.glBindFramebuffer(target, bound);
    return out;
}

for (const [prototype, names] of [[one, constants.webgl], [two, constants.webgl2]])
    for (const where of [prototype, prototype.constructor])
        for (const [name, value] of Object.entries(names)) Object.defineProperty(where, name, {value, enumerable: true});

module.exports = {native, resize, readDrawingBuffer, WebGLRenderingContext, WebGL2RenderingContext, WebGLBuffer, WebGLFramebuffer, WebGLRenderbuffer, WebGLTexture, WebGLProgram,
                  WebGLShader, WebGLQuery, WebGLSampler, WebGLSync, WebGLTransformFeedback, WebGLVertexArrayObject, WebGLUniformLocation,
                  WebGLActiveInfo, WebGLShaderPrecisionFormat};
