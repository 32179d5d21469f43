// Plotly: a surface in three dimensions with contours.
export default async stage => {
    await loadScript("/npm/plotly.js-dist-min/plotly.min.js");
    const z = Array.from({length: 40}, (_, y) => Array.from({length: 40}, (_, x) => Math.sin(x / 6) * Math.cos(y / 5) + x * y / 900));
    await Plotly.newPlot(stage, [{type: "surface", z, contours: {z: {show: true, usecolormap: true, project: {z: true}}}}],
        {width: 480, height: 360, margin: {l: 0, r: 0, t: 0, b: 0}}, {displayModeBar: false});
    await pause(12);
    return () => Plotly.redraw(stage);
};
