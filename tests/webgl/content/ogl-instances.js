// OGL: a program, instanced cubes, a render target.
import {Renderer, Camera, Transform, Program, Mesh, Box, Plane, RenderTarget} from "ogl";

export default async stage => {
    const renderer = new Renderer({width: 480, height: 360, dpr: 1, antialias: true});
    const gl = renderer.gl;
    stage.append(gl.canvas);
    const camera = new Camera(gl, {fov: 40, aspect: 1});
    camera.position.set(3, 3, 5);
    camera.lookAt([0, 0, 0]);
    const scene = new Transform(), geometry = new Box(gl);
    geometry.addAttribute("offset", {instanced: 1, size: 3, data: new Float32Array(300).map(() => 4 * (Math.random() - 0.5))});
    const program = new Program(gl, {
        vertex: `attribute vec3 position, normal, offset; uniform mat4 modelViewMatrix, projectionMatrix; varying vec3 n;
void main() { n = normal; gl_Position = projectionMatrix * modelViewMatrix * vec4(0.3 * position + offset, 1.0); }`,
        fragment: "precision highp float; varying vec3 n; void main() { gl_FragColor = vec4(0.5 + 0.5 * normalize(n), 1.0); }",
    });
    new Mesh(gl, {geometry, program}).setParent(scene);
    const target = new RenderTarget(gl, {width: 256, height: 256});
    gl.clearColor(0.9, 0.9, 0.85, 1);
    const screen = new Mesh(gl, {geometry: new Plane(gl, {width: 2, height: 2}), program: new Program(gl, {
        uniforms: {map: {value: target.texture}}, depthTest: false,
        vertex: "attribute vec3 position; attribute vec2 uv; varying vec2 at; void main() { at = uv; gl_Position = vec4(position, 1.0); }",
        fragment: "precision highp float; uniform sampler2D map; varying vec2 at; void main() { gl_FragColor = texture2D(map, fract(2.0 * at)); }",
    })});
    return () => {
        renderer.render({scene, camera, target});
        renderer.render({scene: screen});
    };
};
