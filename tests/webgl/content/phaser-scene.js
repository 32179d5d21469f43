// Phaser: sprites, tints, blend modes and a tile sprite by its WebGL renderer.
export default async stage => {
    await loadScript("/npm/phaser/dist/phaser.min.js");
    await new Promise(resolve => new Phaser.Game({
        type: Phaser.WEBGL, width: 480, height: 360, parent: stage, backgroundColor: "#203040", banner: false, audio: {noAudio: true},
        render: {preserveDrawingBuffer: true},
        scene: {create() {
            const brush = this.make.graphics({add: false});
            brush.fillStyle(0xffffff).fillCircle(16, 16, 15).fillStyle(0x888888).fillRect(10, 10, 12, 12).generateTexture("disc", 32, 32);
            this.add.tileSprite(240, 300, 480, 120, "disc").setAlpha(0.4).setTint(0x44aa66);
            for (let i = 0; i < 120; ++i)
                this.add.image(480 * Math.random(), 260 * Math.random(), "disc").setTint(0xffffff * Math.random()).setScale(0.3 + 1.5 * Math.random())
                    .setRotation(6 * Math.random()).setBlendMode(i % 3 ? Phaser.BlendModes.NORMAL : Phaser.BlendModes.ADD);
            const lines = this.add.graphics();
            lines.lineStyle(4, 0xffcc00).strokeRoundedRect(30, 30, 420, 200, 24).fillGradientStyle(0xff0000, 0x00ff00, 0x0000ff, 0xffff00, 0.6)
                .fillRect(180, 90, 120, 80);
            this.time.delayedCall(100, resolve);
        }},
    }));
    return () => {};  // its loop draws each frame
};
