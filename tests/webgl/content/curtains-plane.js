// curtains.js: a plane over a picture of the page, bent by its shaders.
export default async stage => {
    await loadScript("/npm/curtainsjs/dist/curtains.umd.js");
    const picture = document.createElement("canvas");
    picture.width = picture.height = 256;
    const context = picture.getContext("2d");
    for (let i = 0; i < 256; ++i) {
        context.fillStyle = `hsl(${i * 11}, 65%, ${25 + i / 5}%)`;
        context.fillRect(16 * (i % 16), 16 * Math.floor(i / 16), 16, 16);
    }
    const container = document.createElement("div"), plane = document.createElement("div");
    container.style.cssText = "position: absolute; inset: 0";
    plane.style.cssText = "position: absolute; left: 60px; top: 40px; width: 360px; height: 280px";
    stage.append(container, plane);
    const curtains = new Curtains({container, pixelRatio: 1, watchScroll: false, autoRender: false, preserveDrawingBuffer: true});
    const mesh = new Plane(curtains, plane, {widthSegments: 20, heightSegments: 20, vertexShader: `precision highp float;
attribute vec3 aVertexPosition; attribute vec2 aTextureCoord; uniform mat4 uMVMatrix, uPMatrix; varying vec2 uv;
void main() { vec3 p = aVertexPosition; p.z = 0.15 * sin(6.0 * p.x) * cos(4.0 * p.y); uv = aTextureCoord; gl_Position = uPMatrix * uMVMatrix * vec4(p, 1.0); }`,
    fragmentShader: "precision highp float; uniform sampler2D picture; varying vec2 uv; void main() { gl_FragColor = texture2D(picture, uv); }"});
    mesh.loadCanvas(picture, {sampler: "picture"});
    for (let i = 0; i < 6; ++i) {
        await pause(2);
        curtains.render();
    }
    return () => curtains.render();
};
