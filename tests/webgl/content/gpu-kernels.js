// GPU.js: kernels that are fragment shaders; a Mandelbrot set and the product of two matrices.
export default async stage => {
    await loadScript("/npm/gpu.js/dist/gpu-browser.min.js");
    const gpu = new GPU.GPU({mode: "webgl2"});
    const set = gpu.createKernel(function () {
        let x = 0, y = 0, count = 0;
        const u = this.thread.x / 160 - 2, v = this.thread.y / 160 - 1.1;
        for (let i = 0; i < 80; i++) {
            if (x * x + y * y < 4) {
                const t = x * x - y * y + u;
                y = 2 * x * y + v;
                x = t;
                count += 1;
            }
        }
        this.color(count / 80, 0.5 * count / 80, 0.3, 1);
    }, {output: [480, 360], graphical: true});
    const product = new GPU.GPU({mode: "webgl2"}).createKernel(function (a, b) {
        let sum = 0;
        for (let i = 0; i < 64; i++) sum += a[this.thread.y][i] * b[i][this.thread.x];
        return sum;
    }, {output: [64, 64]});
    const a = Array.from({length: 64}, (_, i) => Array.from({length: 64}, (_, j) => (i * 7 + j * 3) % 11));
    let wanted = 0;
    for (let i = 0; i < 64; ++i) wanted += a[5][i] * a[i][9];
    return () => {
        set();
        stage.append(set.canvas);
        const found = product(a, a);
        if (Math.abs(found[5][9] - wanted) > 1e-3 * wanted) throw new Error(`the product is ${found[5][9]}, not ${wanted}`);
    };
};
