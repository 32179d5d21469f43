// ECharts GL: bars in three dimensions with shading.
export default async stage => {
    await loadScript("/npm/echarts/dist/echarts.js");
    await loadScript("/npm/echarts-gl/dist/echarts-gl.js");
    const chart = echarts.init(stage, null, {devicePixelRatio: 1});
    const data = Array.from({length: 100}, (_, i) => [i % 10, Math.floor(i / 10), 5 + 5 * Math.sin(i)]);
    chart.setOption({animation: false, grid3D: {boxWidth: 120, boxDepth: 90, viewControl: {autoRotate: false, damping: 0}, light: {main: {intensity: 1.2}, ambient: {intensity: 0.4}},
        temporalSuperSampling: {enable: false}},
    xAxis3D: {type: "value", max: 10}, yAxis3D: {type: "value", max: 10}, zAxis3D: {type: "value"}, visualMap: {show: false, max: 10, inRange: {color: ["#346", "#6ac", "#fe8", "#e54"]}},
    series: [{type: "bar3D", shading: "lambert", data, animation: false}]});
    await pause(30);
    return () => Object.values(chart.getZr().painter.getLayers()).forEach(layer => layer.needsRefresh?.());
};
