// Plotly: points and lines in three dimensions.
export default async stage => {
    await loadScript("/npm/plotly.js-dist-min/plotly.min.js");
    const n = 400, of = f => Array.from({length: n}, (_, i) => f(i));
    await Plotly.newPlot(stage, [{type: "scatter3d", mode: "markers+lines", x: of(i => Math.cos(i / 12) * i), y: of(i => Math.sin(i / 12) * i), z: of(i => i),
        marker: {size: 4, color: of(i => i), colorscale: "Viridis"}, line: {width: 2, color: "#888"}},
    {type: "mesh3d", x: [0, 300, 0, 0], y: [0, 0, 300, 0], z: [0, 0, 0, 300], i: [0, 0, 0, 1], j: [1, 2, 3, 2], k: [2, 3, 1, 3], opacity: 0.4, color: "#cc6644"}],
    {width: 480, height: 360, margin: {l: 0, r: 0, t: 0, b: 0}}, {displayModeBar: false});
    await pause(12);
    return () => Plotly.redraw(stage);
};
