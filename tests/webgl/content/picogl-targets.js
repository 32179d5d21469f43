// PicoGL.js: three targets at once, then a picture of them; a uniform buffer.
export default async stage => {
    await loadScript("/npm/picogl/build/picogl.min.js");
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const app = PicoGL.createApp(canvas).clearColor(0.05, 0.05, 0.1, 1).enable(PicoGL.DEPTH_TEST);
    const target = () => app.createTexture2D(240, 180, {internalFormat: PicoGL.RGBA16F});
    app.gl.getExtension("EXT_color_buffer_float");
    const gBuffer = app.createFramebuffer().colorTarget(0, target()).colorTarget(1, target()).colorTarget(2, app.createTexture2D(240, 180))
        .depthTarget(app.createRenderbuffer(240, 180, PicoGL.DEPTH_COMPONENT16));
    const [geometry, screen] = await app.createPrograms([`#version 300 es
layout(std140) uniform Scene { vec4 turn; vec4 tint; }; out vec3 at;
void main() {
    float i = float(gl_VertexID % 3) * 2.1 + float(gl_VertexID / 3) * 0.7 + turn.x, r = 0.9 - 0.07 * float(gl_VertexID / 3);
    at = vec3(r * cos(i), r * sin(i), float(gl_VertexID / 3) / 12.0);
    gl_Position = vec4(at.xy, 0.5 - at.z, 1.0);
}`, `#version 300 es
precision highp float;
layout(std140) uniform Scene { vec4 turn; vec4 tint; };
in vec3 at; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec4 c;
void main() { a = vec4(at * 2.0, 1.0); b = vec4(at.z * 4.0 - 1.0); c = tint * (0.5 + 0.5 * cos(30.0 * at.xyxy)); }`], [`#version 300 es
out vec2 uv; void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0; gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0); }`, `#version 300 es
precision highp float;
uniform sampler2D one, two, three; in vec2 uv; out vec4 color;
void main() { color = vec4(abs(texture(one, uv).rg), texture(two, uv).r * 0.3, 1.0) * 0.5 + texture(three, uv) * 0.5; }`]);
    const scene = app.createUniformBuffer([PicoGL.FLOAT_VEC4, PicoGL.FLOAT_VEC4]).set(0, new Float32Array([0.4, 0, 0, 0]))
        .set(1, new Float32Array([1, 0.7, 0.3, 1])).update();
    const first = app.createDrawCall(geometry, app.createVertexArray()).uniformBlock("Scene", scene).drawRanges([0, 36]);
    const second = app.createDrawCall(screen, app.createVertexArray()).drawRanges([0, 3]);
    ["one", "two", "three"].forEach((name, i) => second.texture(name, gBuffer.colorAttachments[i]));
    return () => {
        app.drawFramebuffer(gBuffer).viewport(0, 0, 240, 180).clear();
        first.draw();
        app.defaultDrawFramebuffer().defaultViewport().clear();
        second.draw();
    };
};
