// p5.js in WEBGL mode: primitives with lights, a texture, lines, and text of none.
export default async stage => {
    await loadScript("/npm/p5/lib/p5.min.js");
    let sketch;
    await new Promise(resolve => sketch = new p5(p => {
        p.setup = () => {
            p.createCanvas(480, 360, p.WEBGL).parent(stage);
            p.pixelDensity(1);
            p.noLoop();
        };
        p.draw = () => {
            p.background(30, 30, 60);
            p.ambientLight(80);
            p.directionalLight(255, 240, 200, 0.5, 0.7, -1);
            p.pointLight(80, 120, 255, -150, -100, 100);
            p.push();
            p.translate(-120, 0, 0);
            p.rotateX(0.6);
            p.rotateY(0.8);
            p.specularMaterial(220, 80, 60);
            p.shininess(20);
            p.box(90);
            p.pop();
            p.push();
            p.translate(20, 20, 0);
            p.noStroke();
            p.ambientMaterial(60, 200, 120);
            p.sphere(60);
            p.pop();
            p.push();
            p.translate(150, -20, 0);
            p.rotateX(1);
            p.normalMaterial();
            p.torus(50, 18);
            p.pop();
            resolve();
        };
    }));
    return () => sketch.redraw();
};
