// MapLibre: polygons, lines, circles, extruded houses and a heat map of data that is given, tilted.
import * as maplibregl from "/npm/maplibre-gl/dist/maplibre-gl.mjs";

export default async stage => {
    await loadStyle("/npm/maplibre-gl/dist/maplibre-gl.css");
    const feature = (type, coordinates, properties = {}) => ({type: "Feature", properties, geometry: {type, coordinates}});
    const square = (x, y, s) => [[[x, y], [x + s, y], [x + s, y + s], [x, y + s], [x, y]]];
    const houses = Array.from({length: 36}, (_, i) => feature("Polygon", square(0.004 * (i % 6) - 0.012, 0.004 * Math.floor(i / 6) - 0.012, 0.0025),
        {height: 100 + 400 * Math.random(), color: `hsl(${i * 10}, 60%, 55%)`}));
    const points = Array.from({length: 120}, () => feature("Point", [0.04 * (Math.random() - 0.5), 0.03 * (Math.random() - 0.5)]));
    const river = feature("LineString", Array.from({length: 60}, (_, i) => [0.001 * (i - 30), 0.006 * Math.sin(i / 8) - 0.014]));
    const source = features => ({type: "geojson", data: {type: "FeatureCollection", features}});
    const map = new maplibregl.Map({
        container: stage, interactive: false, attributionControl: false, fadeDuration: 0, center: [0, -0.002], zoom: 14, pitch: 50, bearing: 20,
        style: {version: 8, sources: {houses: source(houses), points: source(points), river: source([river])}, layers: [
            {id: "ground", type: "background", paint: {"background-color": "#e8efe0"}},
            {id: "river", type: "line", source: "river", paint: {"line-color": "#4d8fd1", "line-width": 14, "line-blur": 2}},
            {id: "dashes", type: "line", source: "river", paint: {"line-color": "#ffffff", "line-width": 2, "line-dasharray": [3, 2]}},
            {id: "heat", type: "heatmap", source: "points", paint: {"heatmap-radius": 30, "heatmap-opacity": 0.5}},
            {id: "dots", type: "circle", source: "points", paint: {"circle-radius": 4, "circle-color": "#c03030", "circle-stroke-width": 1, "circle-stroke-color": "#fff"}},
            {id: "houses", type: "fill-extrusion", source: "houses", paint: {"fill-extrusion-height": ["get", "height"], "fill-extrusion-color": ["get", "color"]}},
        ]},
    });
    await new Promise((resolve, reject) => {
        map.on("idle", resolve);
        map.on("error", event => reject(event.error));
    });
    return () => map.triggerRepaint();
};
