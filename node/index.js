// WebGL without a browser, a display or a GPU: contexts, and canvases that have one.
"use strict";

const webgl = require("./webgl.js");
const {png} = require("./png.js");

const DEFAULTS = {alpha: true, depth: true, stencil: false, antialias: true, premultipliedAlpha: true, preserveDrawingBuffer: false,
                  powerPreference: "default", failIfMajorPerformanceCaveat: false, desynchronized: false, xrCompatible: false};
const LARGEST = 16384;

function size(value) {
    const whole = Math.floor(Number(value));
    if (!(whole >= 1 && whole <= LARGEST)) throw new RangeError(`a drawing buffer has 1 to ${LARGEST} pixels each way, not ${value}`);
    return whole;
}

function open(width, height, options, version) {
    const attributes = {};
    for (const [name, value] of Object.entries(DEFAULTS)) attributes[name] = options?.[name] ?? value;
    const handle = webgl.native.open(width, height, version + 1, attributes.alpha, attributes.depth, attributes.stencil, attributes.antialias);
    if (!handle) return null;
    const Context = version === 2 ? webgl.WebGL2RenderingContext : webgl.WebGLRenderingContext;
    return new Context(handle, width, height, attributes, version);
}

/// A context with a drawing buffer; `version` is WebGL's, 1 or 2. Null where there is none.
function createContext(width, height, options = {}) {
    const version = options.version ?? (options.createWebGL2Context ? 2 : 1);
    if (version !== 1 && version !== 2) throw new RangeError(`WebGL has versions 1 and 2, not ${version}`);
    return open(size(width), size(height), options, version);
}

/// What libraries take for an HTMLCanvasElement: getContext(), a size, and events that never come.
class Canvas {
    #width;
    #height;
    #context = null;
    #version = 0;
    style = {};
    constructor(width = 300, height = 150) {
        this.#width = size(width);
        this.#height = size(height);
    }
    get width() { return this.#width; }
    get height() { return this.#height; }
    get clientWidth() { return this.#width; }
    get clientHeight() { return this.#height; }
    set width(value) { this.#resize(size(value), this.#height); }
    set height(value) { this.#resize(this.#width, size(value)); }
    #resize(width, height) {
        [this.#width, this.#height] = [width, height];
        if (this.#context) webgl.resize(this.#context, width, height);
    }
    getContext(type, options = {}) {
        const version = {webgl: 1, "experimental-webgl": 1, webgl2: 2}[type];
        if (!version || (this.#context && version !== this.#version)) return null;
        if (!this.#context) {
            this.#context = open(this.#width, this.#height, options, version);
            this.#version = version;
            if (this.#context) Object.defineProperty(this.#context, "canvas", {value: this, enumerable: true});
        }
        return this.#context;
    }
    addEventListener() {}
    removeEventListener() {}
    dispatchEvent() { return true; }
    getBoundingClientRect() {
        return {x: 0, y: 0, left: 0, top: 0, right: this.#width, bottom: this.#height, width: this.#width, height: this.#height};
    }
    /// {width, height, data}: bytes of RGBA, the topmost row first, colours not multiplied with alpha.
    readPixels() {
        const width = this.#width, height = this.#height, data = new Uint8ClampedArray(4 * width * height);
        const gl = this.#context;
        if (!gl || gl.isContextLost()) return {width, height, data};
        const rows = webgl.readDrawingBuffer(gl, width, height);
        const {alpha, premultipliedAlpha} = gl.getContextAttributes();
        for (let y = 0; y < height; ++y) data.set(rows.subarray(4 * (height - 1 - y) * width, 4 * (height - y) * width), 4 * y * width);
        if (alpha && premultipliedAlpha)
            for (let i = 0; i < data.length; i += 4)
                if (data[i + 3] !== 0 && data[i + 3] !== 255) for (let c = 0; c < 3; ++c) data[i + c] = Math.round(data[i + c] * 255 / data[i + 3]);
        return {width, height, data};
    }
    /// The picture as a PNG file's bytes.
    toBuffer() { return png(this.readPixels()); }
    toDataURL() { return `data:image/png;base64,${this.toBuffer().toString("base64")}`; }
}

const createCanvas = (width, height) => new Canvas(width, height);

const {native, resize, readDrawingBuffer, ...classes} = webgl;
module.exports = Object.assign(createContext, {createContext, createCanvas, Canvas, png, ...classes});
