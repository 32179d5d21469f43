// p5.js with a shader of its user's, and that as a texture.
export default async stage => {
    await loadScript("/npm/p5/lib/p5.min.js");
    let sketch;
    await new Promise(resolve => sketch = new p5(p => {
        let shader;
        p.setup = () => {
            p.createCanvas(480, 360, p.WEBGL).parent(stage);
            p.pixelDensity(1);
            p.noLoop();
            shader = p.createShader(`precision highp float;
attribute vec3 aPosition; attribute vec2 aTexCoord; varying vec2 uv;
void main() { uv = aTexCoord; gl_Position = vec4(aPosition.xy * 2.0 - 1.0, 0.0, 1.0); }`, `precision highp float;
varying vec2 uv; uniform float time;
void main() {
    vec2 z = 3.0 * (uv - 0.5), c = vec2(-0.8, 0.156);
    float n = 0.0;
    for (int i = 0; i < 64; ++i) { if (dot(z, z) > 4.0) break; z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c; n += 1.0; }
    gl_FragColor = vec4(0.5 + 0.5 * cos(time + n / 10.0 + vec3(0.0, 2.0, 4.0)), 1.0);
}`);
        };
        p.draw = () => {
            p.noStroke();
            p.shader(shader);
            shader.setUniform("time", 1);
            p.rect(0, 0, 480, 360);
            resolve();
        };
    }));
    return () => sketch.redraw();
};
