// Sigma: a graph of 400 nodes and its edges.
export default async stage => {
    await loadScript("/npm/graphology/dist/graphology.umd.min.js");
    await loadScript("/npm/sigma/dist/sigma.min.js");
    const graph = new graphology.MultiGraph();
    for (let i = 0; i < 400; ++i) {
        const a = i * 2.4, r = Math.sqrt(i);
        graph.addNode(i, {x: r * Math.cos(a), y: r * Math.sin(a), size: 2 + i % 3, color: ["#c0392b", "#2980b9", "#27ae60", "#8e44ad"][i % 4]});
        if (i > 4) graph.addEdge(i, i % 5 * 7 % i, {size: 1, color: "#ccd"});
        if (i > 20) graph.addEdge(i, i - 13, {size: 2, color: "#aab"});
    }
    const sigma = new Sigma(graph, stage, {renderLabels: false});
    await pause(10);
    return () => sigma.refresh();
};
