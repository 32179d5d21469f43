// deck.gl: points, arcs, paths, polygons and columns, seen from aside.
export default async stage => {
    await loadScript("/npm/deck.gl/dist.min.js");
    const {Deck, ScatterplotLayer, ArcLayer, PathLayer, PolygonLayer, ColumnLayer} = deck;
    const at = () => [0.1 * (Math.random() - 0.5), 0.1 * (Math.random() - 0.5)];
    const data = Array.from({length: 300}, () => ({from: at(), to: at(), value: Math.random()}));
    stage.style.position = "relative";
    let view;
    await new Promise((resolve, reject) => {
        let isDone = false;
        view = new Deck({
            parent: stage, width: 480, height: 360, controller: false, useDevicePixels: false,
            initialViewState: {longitude: 0, latitude: 0, zoom: 11, pitch: 45, bearing: 15},
            layers: [
                new PolygonLayer({id: "ground", data: [[[-0.06, -0.06], [0.06, -0.06], [0.06, 0.06], [-0.06, 0.06]]], getPolygon: d => d, getFillColor: [40, 50, 70]}),
                new PathLayer({id: "path", data: [Array.from({length: 50}, (_, i) => [0.05 * Math.sin(i / 6), 0.002 * (i - 25)])], getPath: d => d, getColor: [255, 220, 80], widthMinPixels: 5}),
                new ScatterplotLayer({id: "points", data, getPosition: d => d.from, getRadius: d => 200 * d.value, getFillColor: d => [255 * d.value, 120, 200, 180]}),
                new ArcLayer({id: "arcs", data: data.slice(0, 40), getSourcePosition: d => d.from, getTargetPosition: d => d.to, getSourceColor: [0, 180, 255], getTargetColor: [255, 80, 0], getWidth: 2}),
                new ColumnLayer({id: "columns", data: data.slice(0, 60), getPosition: d => d.to, radius: 150, getElevation: d => 3000 * d.value, getFillColor: d => [90, 255 * d.value, 120], extruded: true}),
            ],
            onError: reject,
            onAfterRender: () => { if (!isDone) { isDone = true; resolve(); } },
        });
    });
    await pause(10);
    return () => view.redraw("again");
};
