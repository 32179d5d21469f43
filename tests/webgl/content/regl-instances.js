// Instances in a framebuffer, and that through a wavy lookup.
export default async stage => {
    await loadScript("/npm/regl/dist/regl.js");
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const regl = createREGL({canvas, extensions: ["angle_instanced_arrays"]});
    const fbo = regl.framebuffer({radius: 256});
    const triangle = regl({
        frag: "precision mediump float; varying vec3 c; void main() { gl_FragColor = vec4(c, 1.0); }",
        vert: `attribute vec2 position; attribute vec3 color; attribute vec2 offset; varying vec3 c;
void main() { c = color; gl_Position = vec4(position * 0.08 + offset, 0.0, 1.0); }`,
        attributes: {
            position: [[0, 1], [-1, -1], [1, -1]],
            offset: {buffer: Array.from({length: 100}, (_, i) => [i % 10 / 5 - 0.9, Math.floor(i / 10) / 5 - 0.9]), divisor: 1},
            color: {buffer: Array.from({length: 100}, (_, i) => [i / 100, 1 - i / 100, Math.sin(i) ** 2]), divisor: 1},
        },
        count: 3, instances: 100, framebuffer: regl.prop("target"),
    });
    const screen = regl({
        frag: "precision mediump float; uniform sampler2D tex; varying vec2 uv; void main() { gl_FragColor = texture2D(tex, uv + 0.02 * sin(30.0 * uv.yx)); }",
        vert: "attribute vec2 position; varying vec2 uv; void main() { uv = 0.5 * position + 0.5; gl_Position = vec4(position, 0.0, 1.0); }",
        attributes: {position: [[-1, -1], [3, -1], [-1, 3]]}, uniforms: {tex: fbo}, count: 3, depth: {enable: false},
    });
    return () => {
        regl.clear({color: [0.1, 0.1, 0.2, 1], depth: 1, framebuffer: fbo});
        triangle({target: fbo});
        regl.clear({color: [0, 0, 0, 1], depth: 1});
        screen();
    };
};
