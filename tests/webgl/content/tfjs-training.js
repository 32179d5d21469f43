// TensorFlow.js on its WebGL back end: a small network is trained for some steps and shown over the plane.
export default async stage => {
    await loadScript("/npm/@tensorflow/tfjs/dist/tf.min.js");
    await tf.setBackend("webgl");
    await tf.ready();
    const init = seed => tf.initializers.glorotUniform({seed});
    const model = tf.sequential({layers: [tf.layers.dense({inputShape: [2], units: 16, activation: "tanh", kernelInitializer: init(1)}),
        tf.layers.dense({units: 16, activation: "tanh", kernelInitializer: init(2)}), tf.layers.dense({units: 1, activation: "sigmoid", kernelInitializer: init(3)})]});
    model.compile({optimizer: tf.train.adam(0.05), loss: "meanSquaredError"});
    const points = Array.from({length: 256}, () => [2 * Math.random() - 1, 2 * Math.random() - 1]);
    const inside = points.map(([x, y]) => [x * x + y * y < 0.5 ? 1 : 0]);
    await model.fit(tf.tensor2d(points), tf.tensor2d(inside), {epochs: 15, batchSize: 256, shuffle: false, yieldEvery: "never"});
    const grid = tf.tensor2d(Array.from({length: 64 * 64}, (_, i) => [(i % 64) / 32 - 1, Math.floor(i / 64) / 32 - 1]));
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    canvas.style.width = canvas.style.height = "320px";
    stage.append(canvas);
    const context = canvas.getContext("2d"), image = context.createImageData(64, 64);
    return async () => {
        const result = model.predict(grid), values = await result.data();
        result.dispose();
        values.forEach((value, i) => image.data.set([255 * value, 90, 255 - 255 * value, 255], 4 * i));
        context.putImageData(image, 0, 0);
    };
};
