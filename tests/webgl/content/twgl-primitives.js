// twgl.js: primitives, textures made of arrays, a program with structures of uniforms.
export default async stage => {
    await loadScript("/npm/twgl.js/dist/7.x/twgl-full.js");
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const gl = canvas.getContext("webgl2"), m4 = twgl.m4;
    const program = twgl.createProgramInfo(gl, [`#version 300 es
uniform mat4 world, view; in vec4 position; in vec3 normal; in vec2 texcoord; out vec3 n; out vec2 uv;
void main() { n = mat3(world) * normal; uv = texcoord; gl_Position = view * world * position; }`, `#version 300 es
precision highp float;
struct Light { vec3 way; vec3 color; };
uniform Light lights[2]; uniform sampler2D map; in vec3 n; in vec2 uv; out vec4 color;
void main() {
    vec3 sum = vec3(0.15);
    for (int i = 0; i < 2; ++i) sum += lights[i].color * max(dot(normalize(n), normalize(lights[i].way)), 0.0);
    color = vec4(texture(map, uv * 4.0).rgb * sum, 1.0);
}`]);
    const map = twgl.createTexture(gl, {min: gl.NEAREST, mag: gl.NEAREST, src: [255, 255, 255, 255, 192, 192, 192, 255, 192, 192, 192, 255, 255, 255, 255, 255]});
    const shapes = [twgl.primitives.createSphereBufferInfo(gl, 0.8, 32, 16), twgl.primitives.createTorusBufferInfo(gl, 0.6, 0.25, 32, 16),
        twgl.primitives.createTruncatedConeBufferInfo(gl, 0.7, 0.2, 1.4, 24, 1), twgl.primitives.createCubeBufferInfo(gl, 1.1),
        twgl.primitives.createCrescentBufferInfo(gl, 0.9, 0.6, 0.3, 0.4, 24), twgl.primitives.create3DFBufferInfo(gl)];
    gl.clearColor(0.15, 0.2, 0.3, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(program.program);
    const view = m4.multiply(m4.perspective(0.7, 4 / 3, 0.1, 50), m4.inverse(m4.lookAt([0, 2, 7], [0, 0, 0], [0, 1, 0])));
    return () => {
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        shapes.forEach((shape, i) => {
            let world = m4.rotateY(m4.translation([2.1 * (i % 3 - 1), i < 3 ? 1 : -1, 0]), 0.6);
            if (i === 5) world = m4.scale(world, [0.012, -0.012, 0.012]);
            twgl.setBuffersAndAttributes(gl, program, shape);
            twgl.setUniforms(program, {world, view, map, lights: [{way: [1, 1, 1], color: [0.9, 0.7, 0.5]}, {way: [-1, 0.3, 0.5], color: [0.2, 0.3, 0.6]}]});
            twgl.drawBufferInfo(gl, shape);
        });
    };
};
