// glslCanvas: a fragment shader of noise, as one finds them on pages of shaders.
export default async stage => {
    await loadScript("/npm/glslCanvas/dist/GlslCanvas.js");
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const sandbox = new GlslCanvas(canvas, {preserveDrawingBuffer: true});
    sandbox.load(`precision highp float;
uniform vec2 u_resolution;
float hash(vec2 p) { p = fract(p * vec2(0.1031, 0.1030)); p += dot(p, p.yx + 33.33); return fract((p.x + p.y) * p.x); }
float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x), mix(hash(i + vec2(0.0, 1.0)), hash(i + 1.0), f.x), f.y);
}
void main() {
    vec2 p = 6.0 * gl_FragCoord.xy / u_resolution.y;
    float sum = 0.0, part = 0.5;
    for (int i = 0; i < 6; ++i) { sum += part * noise(p); p = mat2(1.6, 1.2, -1.2, 1.6) * p; part *= 0.5; }
    gl_FragColor = vec4(mix(vec3(0.2, 0.4, 0.8), vec3(1.0), smoothstep(0.35, 0.7, sum)), 1.0);
}`);
    await pause(6);
    return () => {
        sandbox.forceRender = true;
        sandbox.render();
    };
};
