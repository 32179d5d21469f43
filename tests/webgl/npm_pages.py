"""Pages made of packages from npm that never heard of Tessera: content/NAME.js shows what NAME needs of which packages."""

import dataclasses

#: What is fetched, once, into the build tree.
VERSIONS = {
    "three": "0.187.0",
    "pixi.js": "8.22.0",
    "babylonjs": "9.35.0",
    "regl": "2.1.1",
    "p5": "2.3.4",
    "maplibre-gl": "6.17.0",
    "deck.gl": "9.4.0",
    "@tensorflow/tfjs": "4.22.0",
    "plotly.js-dist-min": "4.1.2",
    "ogl": "1.0.11",
    "twgl.js": "7.0.0",
    "picogl": "0.17.9",
    "playcanvas": "2.23.3",
    "phaser": "4.2.1",
    "sigma": "4.0.4",
    "graphology": "0.26.0",
    "ngl": "2.5.0",
    "3dmol": "2.5.5",
    "two.js": "0.8.24",
    "cytoscape": "3.35.0",
    "echarts": "6.1.0",
    "echarts-gl": "2.1.0",
    "gpu.js": "2.24.1",
    "webgl-plot": "0.7.2",
    "curtainsjs": "8.1.6",
    "glslCanvas": "0.2.6",
    "postprocessing": "6.39.6",
    "@khronosgroup/gltf-viewer": "1.1.0",
}


@dataclasses.dataclass
class Page:
    name: str                 # content/NAME.js
    packages: tuple
    note: str = ""
    # How far the pictures of two drivers may be apart: the worst channel's mean in 1/255, and the share of pixels that
    # differ by more than 8. Lines, filters' last bits and samples' places are left to a driver.
    mean: float = 0.5
    share: float = 0.01
    # Why llvmpipe's picture tells nothing of ours: what is wrong with it, seen in a program of its own.
    incomparable: str = ""


PAGES = [
    Page("three-lights", ("three",)),
    Page("three-environment", ("three",)),
    Page("three-instances", ("three",), mean=3, share=0.08, note="llvmpipe's gl_PointCoord is half a pixel off where there are samples"),
    Page("three-bloom", ("three",)),
    Page("three-volume", ("three",)),
    Page("three-lines", ("three",)),
    Page("three-morph", ("three",), mean=2, share=0.08, note="anisotropic filters are left to the driver"),
    Page("three-sky", ("three",)),
    Page("three-extrude", ("three",)),
    Page("postprocessing-effects", ("postprocessing", "three")),
    Page("gltf-viewer", ("@khronosgroup/gltf-viewer",), incomparable="llvmpipe reverses bits to 0, by which the viewer scatters its samples of the environment"),
    Page("gltf-lights", ("@khronosgroup/gltf-viewer",)),
    Page("pixi-sprites", ("pixi.js",)),
    Page("pixi-filters", ("pixi.js",), mean=4, share=0.1, note="noise of sin() of large numbers, of which llvmpipe's is nearly constant"),
    Page("pixi-text", ("pixi.js",)),
    Page("babylon-materials", ("babylonjs",)),
    Page("babylon-postprocess", ("babylonjs",), share=0.02, note="edges are made stronger"),
    Page("babylon-particles", ("babylonjs",)),
    Page("playcanvas-scene", ("playcanvas",)),
    Page("phaser-scene", ("phaser",)),
    Page("regl-instances", ("regl",), mean=0.8, note="nearest lookups where texels meet"),
    Page("ogl-instances", ("ogl",)),
    Page("twgl-primitives", ("twgl.js",)),
    Page("picogl-targets", ("picogl",)),
    Page("picogl-feedback", ("picogl",)),
    Page("curtains-plane", ("curtainsjs",)),
    Page("glslcanvas-clouds", ("glslCanvas",)),
    Page("webgl-plot-lines", ("webgl-plot",), mean=1, share=0.02, note="lines of one pixel are left to the driver"),
    Page("p5-webgl", ("p5",)),
    Page("p5-shader", ("p5",)),
    Page("two-shapes", ("two.js",), share=0.02, note="textures between texels"),
    Page("maplibre-map", ("maplibre-gl",)),
    Page("deck-layers", ("deck.gl",), share=0.02, note="layers in one plane"),
    Page("deck-grid", ("deck.gl",)),
    Page("tfjs-convolution", ("@tensorflow/tfjs",)),
    Page("tfjs-training", ("@tensorflow/tfjs",)),
    Page("gpu-kernels", ("gpu.js",)),
    Page("plotly-surface", ("plotly.js-dist-min",), mean=1, share=0.15, note="Plotly draws by timers of its own: pictures differ between runs, llvmpipe's too"),
    Page("plotly-points", ("plotly.js-dist-min",), mean=1, share=0.05, note="drawn a second time, its edges add up; as plotly-surface"),
    Page("plotly-scattergl", ("plotly.js-dist-min",), mean=1, share=0.05, note="gl_PointCoord, as above"),
    Page("echarts-bars", ("echarts", "echarts-gl")),
    Page("sigma-graph", ("sigma", "graphology"), mean=0.8, share=0.03, note="edges are as wide as a derivative"),
    Page("cytoscape-graph", ("cytoscape",)),
    Page("ngl-molecule", ("ngl",)),
    Page("3dmol-molecule", ("3dmol",)),
]
