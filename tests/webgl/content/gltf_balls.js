// Balls of each kind of material of glTF and a panorama, in Khronos' viewer.
import {GltfView} from "gltf-viewer";

const MATERIALS = [
    {metallicFactor: 1, roughnessFactor: 0.15, baseColorFactor: [1.0, 0.77, 0.34, 1]},
    {metallicFactor: 0, roughnessFactor: 0.6, baseColorFactor: [0.7, 0.1, 0.1, 1], extensions: {KHR_materials_clearcoat: {clearcoatFactor: 1, clearcoatRoughnessFactor: 0.1}}},
    {metallicFactor: 0, roughnessFactor: 0.1, baseColorFactor: [0.9, 1, 0.95, 1],
     extensions: {KHR_materials_transmission: {transmissionFactor: 1}, KHR_materials_volume: {thicknessFactor: 0.6, attenuationDistance: 2, attenuationColor: [0.4, 0.9, 0.7]}}},
    {metallicFactor: 0, roughnessFactor: 0.9, baseColorFactor: [0.1, 0.1, 0.4, 1], extensions: {KHR_materials_sheen: {sheenColorFactor: [0.6, 0.7, 1], sheenRoughnessFactor: 0.4}}},
    {metallicFactor: 1, roughnessFactor: 0.25, baseColorFactor: [0.8, 0.8, 0.8, 1],
     extensions: {KHR_materials_iridescence: {iridescenceFactor: 1, iridescenceIor: 1.4, iridescenceThicknessMaximum: 420}}},
    {metallicFactor: 1, roughnessFactor: 0.4, baseColorFactor: [0.6, 0.5, 0.45, 1], extensions: {KHR_materials_anisotropy: {anisotropyStrength: 0.8}}},
];

/// A ball: places and normals (the same), places in textures, tangents, indices.
function ball(columns, rows) {
    const places = [], coordinates = [], tangents = [], indices = [];
    for (let y = 0; y <= rows; ++y)
        for (let x = 0; x <= columns; ++x) {
            const [across, down] = [2 * Math.PI * x / columns, Math.PI * y / rows];
            places.push(Math.sin(down) * Math.cos(across), Math.cos(down), Math.sin(down) * Math.sin(across));
            coordinates.push(x / columns, y / rows);
            tangents.push(-Math.sin(across), 0, Math.cos(across), 1);
            if (x < columns && y < rows) {
                const here = y * (columns + 1) + x;
                indices.push(here, here + 1, here + columns + 1, here + 1, here + columns + 2, here + columns + 1);
            }
        }
    return {places: new Float32Array(places), coordinates: new Float32Array(coordinates), tangents: new Float32Array(tangents), indices: new Uint16Array(indices)};
}

/// A .glb of a ball for each material, and a lamp.
function scene() {
    const {places, coordinates, tangents, indices} = ball(48, 32);
    const parts = [places, coordinates, tangents, indices], views = [], bytes = [];
    for (const part of parts) {
        views.push({buffer: 0, byteOffset: bytes.length, byteLength: part.byteLength});
        bytes.push(...new Uint8Array(part.buffer));
    }
    const accessor = (bufferView, componentType, type, count) => ({bufferView, componentType, type, count});
    const json = {
        asset: {version: "2.0"}, scene: 0, buffers: [{byteLength: bytes.length}], bufferViews: views,
        accessors: [{...accessor(0, 5126, "VEC3", places.length / 3), min: [-1, -1, -1], max: [1, 1, 1]}, accessor(1, 5126, "VEC2", places.length / 3),
                    accessor(2, 5126, "VEC4", places.length / 3), accessor(3, 5123, "SCALAR", indices.length)],
        materials: MATERIALS.map(({extensions, ...pbrMetallicRoughness}) => ({pbrMetallicRoughness, extensions})),
        meshes: MATERIALS.map((_, material) => ({primitives: [{attributes: {POSITION: 0, NORMAL: 0, TEXCOORD_0: 1, TANGENT: 2}, indices: 3, material}]})),
        nodes: [...MATERIALS.map((_, mesh) => ({mesh, translation: [2.3 * (mesh % 3 - 1), mesh < 3 ? 1.15 : -1.15, 0]})),
                {translation: [3, 4, 5], extensions: {KHR_lights_punctual: {light: 0}}}],
        scenes: [{nodes: [...MATERIALS.keys(), MATERIALS.length]}],
        extensions: {KHR_lights_punctual: {lights: [{type: "point", intensity: 120, color: [1, 0.9, 0.8]}]}},
        extensionsUsed: ["KHR_lights_punctual", ...MATERIALS.flatMap(({extensions}) => Object.keys(extensions ?? {}))],
    };
    const text = new TextEncoder().encode(JSON.stringify(json)), padded = length => (length + 3) & ~3;
    const all = new DataView(new ArrayBuffer(12 + 8 + padded(text.length) + 8 + padded(bytes.length)));
    [0x46546C67, 2, all.byteLength, padded(text.length), 0x4E4F534A].forEach((word, i) => all.setUint32(4 * i, word, true));
    const data = new Uint8Array(all.buffer);
    data.fill(0x20, 20, 20 + padded(text.length));
    data.set(text, 20);
    all.setUint32(20 + padded(text.length), padded(bytes.length), true);
    all.setUint32(24 + padded(text.length), 0x004E4942, true);
    data.set(bytes, 28 + padded(text.length));
    return all.buffer;
}

/// A panorama in Radiance's format, its lines not packed: a sky, a ground and a sun.
function panorama(width, height) {
    const header = new TextEncoder().encode(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`);
    const all = new Uint8Array(header.length + 4 * width * height);
    all.set(header);
    for (let y = 0; y < height; ++y)
        for (let x = 0; x < width; ++x) {
            const sun = Math.hypot(x - 0.3 * width, y - 0.25 * height) < 0.03 * width, up = 1 - 2 * y / height;
            const color = sun ? [60, 50, 40] : up > 0 ? [0.4 + 0.2 * up, 0.6 + 0.3 * up, 1.0] : [0.25, 0.2 - 0.1 * up, 0.15];
            const exponent = Math.ceil(Math.log2(Math.max(...color)));
            all.set([...color.map(value => Math.min(255, Math.floor(value * 2 ** (8 - exponent)))), 128 + exponent], header.length + 4 * (y * width + x));
        }
    return all.buffer;
}

/// What cloth reflects of light at an angle and a roughness, roughly: the viewer has a picture of that, its package has not.
function sheen() {
    const canvas = Object.assign(document.createElement("canvas"), {width: 64, height: 64}), context = canvas.getContext("2d");
    const image = context.createImageData(64, 64);
    for (let i = 0; i < 64 * 64; ++i) image.data.set(Array(3).fill(Math.round(255 * (0.1 + 0.4 * (1 - (i % 64) / 63) * ((i >> 6) / 63)))).concat(255), 4 * i);
    context.putImageData(image, 0, 0);
    return canvas.toDataURL();
}

/// The viewer with the balls, lit by the environment and a lamp, or by the lamp alone, as a function that draws.
export async function viewer(stage, environment) {
    const canvas = Object.assign(document.createElement("canvas"), {width: 480, height: 360});
    stage.append(canvas);
    const view = new GltfView(canvas.getContext("webgl2", {alpha: false, antialias: true}));
    const state = view.createState();
    await loadScript("/npm/@khronosgroup/gltf-viewer/dist/libs/libktx.js");
    const loader = view.createResourceLoader(undefined, undefined, "/npm/@khronosgroup/gltf-viewer/dist/libs/");
    state.gltf = await loader.loadGltf(scene());
    state.environment = await loader.loadEnvironment(panorama(256, 128), {lut_sheen_E_file: sheen()});
    state.renderingParameters.useIBL = state.renderingParameters.renderEnvironmentMap = environment;
    state.sceneIndex = 0;
    state.userCamera.perspective.aspectRatio = 4 / 3;
    state.userCamera.resetView(state.gltf, state.sceneIndex);
    state.userCamera.zoomBy(8);
    return () => view.renderFrame(state, canvas.width, canvas.height);
}
