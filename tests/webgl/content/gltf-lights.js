// The balls of gltf-viewer in the light of their lamp alone.
import {viewer} from "content/gltf_balls.js";

export default async stage => {
    const draw = await viewer(stage, false);
    return () => draw();
};
