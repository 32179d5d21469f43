// Plotly: ten thousand points and a line by regl.
export default async stage => {
    await loadScript("/npm/plotly.js-dist-min/plotly.min.js");
    const n = 10000, x = Array.from({length: n}, () => Math.random() + Math.random()), y = x.map(v => v * v + Math.random());
    await Plotly.newPlot(stage, [{type: "scattergl", mode: "markers", x, y, marker: {size: 4, opacity: 0.4, color: y, colorscale: "Jet"}},
        {type: "scattergl", mode: "lines", x: [0, 0.5, 1, 1.5, 2], y: [0, 1, 0.5, 3, 4], line: {width: 4, color: "#222"}}],
    {width: 480, height: 360, margin: {l: 30, r: 10, t: 10, b: 30}, showlegend: false}, {staticPlot: true});
    await pause(4);
    return () => Plotly.redraw(stage);
};
