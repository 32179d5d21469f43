// deck.gl: aggregation of twenty thousand points into hexagons, and a heat map made by the GPU.
export default async stage => {
    await loadScript("/npm/deck.gl/dist.min.js");
    const {Deck, HexagonLayer, HeatmapLayer} = deck;
    const data = Array.from({length: 20000}, () => [0.05 * (Math.random() + Math.random() - 1), 0.05 * (Math.random() + Math.random() - 1)]);
    let view;
    await new Promise((resolve, reject) => {
        let count = 0;
        view = new Deck({
            parent: stage, width: 480, height: 360, controller: false, useDevicePixels: false,
            initialViewState: {longitude: 0, latitude: 0, zoom: 11.5, pitch: 40, bearing: 0},
            layers: [
                new HeatmapLayer({id: "heat", data, getPosition: d => d, radiusPixels: 30, opacity: 0.6}),
                new HexagonLayer({id: "hexagons", data, getPosition: d => d, radius: 400, elevationScale: 10, extruded: true, coverage: 0.7}),
            ],
            onError: reject,
            onAfterRender: () => { if (++count === 2) resolve(); },
        });
    });
    await pause(20);
    return () => view.redraw("again");
};
