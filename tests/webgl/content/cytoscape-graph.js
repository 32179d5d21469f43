// Cytoscape.js with its WebGL renderer.
export default async stage => {
    await loadScript("/npm/cytoscape/dist/cytoscape.min.js");
    const elements = [];
    for (let i = 0; i < 80; ++i) {
        elements.push({data: {id: `n${i}`}, position: {x: 40 * (i % 10), y: 40 * Math.floor(i / 10)}});
        if (i > 0) elements.push({data: {id: `e${i}`, source: `n${i}`, target: `n${(i * 7) % i}`}});
    }
    const graph = cytoscape({container: stage, elements, layout: {name: "preset"}, renderer: {name: "canvas", webgl: true},
        style: [{selector: "node", style: {"background-color": "#4a7", shape: "hexagon", width: 24, height: 24}},
            {selector: "edge", style: {"line-color": "#99a", "curve-style": "haystack", width: 2}}]});
    graph.fit();
    await pause(20);
    return () => graph.forceRender();
};
