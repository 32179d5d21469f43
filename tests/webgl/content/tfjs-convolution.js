// TensorFlow.js on its WebGL back end: convolution, pooling, a matrix product and softmax, shown as squares of grey.
export default async stage => {
    await loadScript("/npm/@tensorflow/tfjs/dist/tf.min.js");
    await tf.setBackend("webgl");
    await tf.ready();
    if (tf.getBackend() !== "webgl") throw new Error(`TensorFlow.js took its back end ${tf.getBackend()}`);
    const picture = tf.tensor4d(Array.from({length: 64 * 64}, (_, i) => Math.sin(i / 7) * Math.cos((i >> 6) / 5)), [1, 64, 64, 1]);
    const kernel = tf.tensor4d(Array.from({length: 5 * 5 * 8}, (_, i) => Math.sin(i * i)), [5, 5, 1, 8]);
    const matrix = tf.tensor2d(Array.from({length: 64}, (_, i) => Math.cos(i)), [8, 8]);
    const canvas = document.createElement("canvas");
    canvas.width = 256;
    canvas.height = 128;
    stage.append(canvas);
    const context = canvas.getContext("2d"), image = context.createImageData(256, 128);
    return async () => {
        const result = tf.tidy(() => {
            const maps = tf.maxPool(tf.relu(tf.conv2d(picture, kernel, 1, "same")), 2, 2, "same");
            return tf.softmax(tf.matMul(maps.reshape([1024, 8]), matrix));
        });
        const values = await result.array();
        result.dispose();
        values.flat().forEach((value, i) => {
            for (let k = 0; k < 4; ++k) image.data.set([255 * value, 255 * value, 128 + 100 * value, 255], 4 * (4 * i + k));
        });
        context.putImageData(image, 0, 0);
    };
};
