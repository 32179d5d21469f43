// Pixels in memory as OpenGL ES takes and gives them: how many bytes that is, and what WebGL does to them on the way in.
"use strict";

const UNSIGNED_BYTE = 0x1401, FLOAT = 0x1406;

/// Numbers of a pixel of each format.
const CHANNELS = {
    0x1906: 1, 0x1909: 1, 0x190A: 2, 0x1907: 3, 0x1908: 4, 0x1903: 1, 0x8227: 2, 0x8D94: 1, 0x8228: 2, 0x8D98: 3, 0x8D99: 4, 0x1902: 1, 0x84F9: 1,
    0x8C40: 3, 0x8C42: 4,
};
/// Bytes of a number of each type.
const SIZES = {0x1400: 1, 0x1401: 1, 0x1402: 2, 0x1403: 2, 0x1404: 4, 0x1405: 4, 0x1406: 4, 0x140B: 2, 0x8D61: 2};
/// Bytes of a pixel of types that hold all its numbers.
const PACKED = {0x8033: 2, 0x8034: 2, 0x8363: 2, 0x8368: 4, 0x8C3B: 4, 0x8C3E: 4, 0x84FA: 4, 0x8DAD: 8};

/// Of vertices and indices, too; 1 for types that there are not.
const bytesOfType = type => SIZES[type] ?? PACKED[type] ?? 1;

function bytesOfPixel(format, type) {
    return PACKED[type] ?? CHANNELS[format] * SIZES[type];
}

/// Where an image lies: `store` is what pixelStorei() set. Null for formats, types and sizes that there are not.
function layout(format, type, width, height, depth, store) {
    const pixel = bytesOfPixel(format, type);
    if (!(pixel > 0) || !(width >= 0 && height >= 0 && depth >= 0)) return null;
    const rowBytes = Math.ceil((store.rowLength || width) * pixel / store.alignment) * store.alignment;
    const imageRows = store.imageHeight || height;
    const start = store.skipImages * imageRows * rowBytes + store.skipRows * rowBytes + store.skipPixels * pixel;
    const isEmpty = width === 0 || height === 0 || depth === 0;
    const bytes = isEmpty ? 0 : start + ((depth - 1) * imageRows + height - 1) * rowBytes + width * pixel;
    return {pixel, rowBytes, imageRows, start, width, height, depth, bytes};
}

/// The bytes with what WebGL does to pixels on their way in: rows from the last to the first, colours times alpha.
function turned(bytes, at, format, type, {flipY, premultiply}) {
    if (at.bytes === 0 || !(flipY || premultiply)) return bytes;
    const out = Uint8Array.from(bytes.subarray(0, at.bytes)), length = at.width * at.pixel;
    for (let z = 0; z < at.depth; ++z) {
        const first = at.start + z * at.imageRows * at.rowBytes;
        for (let y = 0; y < at.height; ++y) {
            const from = first + (flipY ? at.height - 1 - y : y) * at.rowBytes;
            out.set(bytes.subarray(from, from + length), first + y * at.rowBytes);
            if (premultiply) multiply(out.subarray(first + y * at.rowBytes, first + y * at.rowBytes + length), format, type);
        }
    }
    return out;
}

/// A row's colours times their alpha. What has no alpha, and halves, stay as they are.
function multiply(row, format, type) {
    const channels = CHANNELS[format];
    if (format !== 0x1908 && format !== 0x190A) return;
    if (type === UNSIGNED_BYTE || type === FLOAT) {
        const isFloat = type === FLOAT, values = isFloat ? new Float32Array(row.buffer.slice(row.byteOffset, row.byteOffset + row.byteLength)) : row;
        for (let i = 0; i < values.length; i += channels) {
            const alpha = values[i + channels - 1];
            for (let c = 0; c < channels - 1; ++c) values[i + c] = isFloat ? values[i + c] * alpha : Math.round(values[i + c] * alpha / 255);
        }
        if (isFloat) row.set(new Uint8Array(values.buffer));
    } else if (type === 0x8033 || type === 0x8034) {
        const bits = type === 0x8033 ? [4, 4, 4, 4] : [5, 5, 5, 1];
        for (let i = 0; i < row.length; i += 2) {
            const values = unpacked(row[i] | row[i + 1] << 8, bits), most = (1 << bits[3]) - 1;
            const word = packed([...values.slice(0, 3).map(one => Math.round(one * values[3] / most)), values[3]], bits);
            row[i] = word & 0xFF;
            row[i + 1] = word >> 8;
        }
    }
}

function packed(values, bits) {
    return values.reduce((word, value, i) => word << bits[i] | value, 0);
}

function unpacked(word, bits) {
    const out = [];
    let shift = 16;
    for (const count of bits) out.push(word >> (shift -= count) & (1 << count) - 1);
    return out;
}

/// What a texture can be made of, as {width, height, data}: bytes of RGBA, the topmost row first. It is one already (an
/// ImageData), a canvas that has a 2D context, or one of ours.
function imageOf(source) {
    if (source?.data && source.width >= 0 && source.height >= 0) return source;
    if (typeof source?.readPixels === "function") return source.readPixels();
    const flat = source?.getContext?.("2d");
    if (flat) return flat.getImageData(0, 0, source.width, source.height);
    throw new TypeError("not an image: neither {width, height, data} nor a canvas");
}

/// An image's pixels in a format and a type, row after row. Null for those that there are not.
function converted({width, height, data}, format, type, {flipY, premultiply}) {
    const picks = {0x1908: [0, 1, 2, 3], 0x1907: [0, 1, 2], 0x1906: [3], 0x1909: [0], 0x190A: [0, 3], 0x1903: [0], 0x8227: [0, 1], 0x8D99: [0, 1, 2, 3],
                   0x8D98: [0, 1, 2], 0x8D94: [0], 0x8228: [0, 1], 0x8C40: [0, 1, 2], 0x8C42: [0, 1, 2, 3]}[format];
    const bits = {0x8033: [4, 4, 4, 4], 0x8034: [5, 5, 5, 1], 0x8363: [5, 6, 5]}[type];
    const Of = bits ? Uint16Array : {[UNSIGNED_BYTE]: Uint8Array, [FLOAT]: Float32Array}[type];
    if (!picks || !Of || data.length < 4 * width * height) return null;
    const each = bits ? 1 : picks.length, out = new Of(width * height * each);
    for (let y = 0; y < height; ++y)
        for (let x = 0; x < width; ++x) {
            const from = 4 * (y * width + x), to = each * ((flipY ? height - 1 - y : y) * width + x);
            const color = c => c < 3 && premultiply ? Math.round(data[from + c] * data[from + 3] / 255) : data[from + c];
            if (bits) out[to] = packed(bits.map((count, c) => Math.round(color(c) * ((1 << count) - 1) / 255)), bits);
            else picks.forEach((c, i) => { out[to + i] = type === FLOAT ? color(c) / 255 : color(c); });
        }
    return new Uint8Array(out.buffer);
}

module.exports = {bytesOfType, layout, turned, imageOf, converted};
