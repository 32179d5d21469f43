// Khronos' viewer of glTF: a panorama is filtered into environments on the GPU, and lights balls of each kind of material.
import {viewer} from "content/gltf_balls.js";

export default async stage => {
    const draw = await viewer(stage, true);
    return () => draw();
};
