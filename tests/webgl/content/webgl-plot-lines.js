// webgl-plot: a hundred lines of a thousand points.
import {ColorRGBA, WebglLine, WebglPlot} from "/npm/webgl-plot/dist/webglplot.esm.js";

export default async stage => {
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 360;
    stage.append(canvas);
    const plot = new WebglPlot(canvas, {antialias: true, preserveDrawingBuffer: true, backgroundColor: [0.05, 0.05, 0.1, 1]});
    for (let i = 0; i < 100; ++i) {
        const line = new WebglLine(new ColorRGBA(i / 100, 0.6, 1 - i / 100, 1), 1000);
        line.arrangeX();
        for (let k = 0; k < 1000; ++k) line.setY(k, 0.9 * Math.sin(k / 60 + i / 12) * (i + 10) / 110);
        plot.addLine(line);
    }
    return () => plot.update();
};
