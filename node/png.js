// PNG files (ISO/IEC 15948): eight bits a channel, RGBA, no filter.
"use strict";

const {deflateSync} = require("node:zlib");

const TABLE = Uint32Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; ++k) n = n & 1 ? 0xEDB88320 ^ n >>> 1 : n >>> 1;
    return n >>> 0;
});

function crc(bytes) {
    let c = 0xFFFFFFFF;
    for (const byte of bytes) c = TABLE[(c ^ byte) & 0xFF] ^ c >>> 8;
    return (c ^ 0xFFFFFFFF) >>> 0;
}

function chunk(type, data) {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, "latin1");
    out.set(data, 8);
    out.writeUInt32BE(crc(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
}

/// The bytes of a file with the picture: RGBA, the topmost row first.
function png({width, height, data}) {
    const header = Buffer.alloc(13), rows = Buffer.alloc(height * (4 * width + 1));
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 6, 0, 0, 0], 8);
    for (let y = 0; y < height; ++y) rows.set(data.subarray(4 * y * width, 4 * (y + 1) * width), y * (4 * width + 1) + 1);
    return Buffer.concat([Buffer.from([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]), chunk("IHDR", header), chunk("IDAT", deflateSync(rows)),
                          chunk("IEND", Buffer.alloc(0))]);
}

module.exports = {png};
