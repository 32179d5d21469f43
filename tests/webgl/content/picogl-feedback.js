// PicoGL.js: places that a vertex program writes, sixteen times in turn, drawn as points.
export default async stage => {
    await loadScript("/npm/picogl/build/picogl.min.js");
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const app = PicoGL.createApp(canvas).clearColor(1, 1, 1, 1), count = 4000;
    const nothing = "#version 300 es\nprecision highp float; out vec4 c; void main() { c = vec4(1.0); }";
    const [move, draw] = await app.createPrograms([`#version 300 es
layout(location = 0) in vec4 state; out vec4 next;
void main() {
    vec2 p = state.xy, v = state.zw;
    vec2 pull = -p / (0.05 + dot(p, p)) + vec2(-p.y, p.x);
    v = 0.98 * v + 0.01 * pull;
    next = vec4(p + 0.05 * v, v);
    gl_Position = vec4(0.0);
}`, nothing, {transformFeedbackVaryings: ["next"]}], [`#version 300 es
layout(location = 0) in vec4 state; out vec3 tint;
void main() { tint = vec3(0.5 + state.z, 0.3, 0.5 + state.w); gl_Position = vec4(state.xy * 0.8, 0.0, 1.0); gl_PointSize = 3.0; }`,
    "#version 300 es\nprecision highp float; in vec3 tint; out vec4 c; void main() { c = vec4(tint, 1.0); }"]);
    const start = new Float32Array(4 * count).map((_, i) => i % 4 < 2 ? 2 * Math.random() - 1 : 0);
    const buffers = [app.createVertexBuffer(PicoGL.FLOAT, 4, start), app.createVertexBuffer(PicoGL.FLOAT, 4, new Float32Array(4 * count))];
    const arrays = buffers.map(buffer => app.createVertexArray().vertexAttributeBuffer(0, buffer));
    const feedback = buffers.map(buffer => app.createTransformFeedback().feedbackBuffer(0, buffer));
    const moves = arrays.map((array, i) => app.createDrawCall(move, array).primitive(PicoGL.POINTS).transformFeedback(feedback[1 - i]));
    const points = app.createDrawCall(draw, arrays[0]).primitive(PicoGL.POINTS);
    return () => {
        for (let i = 0; i < 16; ++i) {
            app.enable(PicoGL.RASTERIZER_DISCARD);
            moves[i % 2].draw();
        }
        app.disable(PicoGL.RASTERIZER_DISCARD).clear();
        points.draw();
    };
};
