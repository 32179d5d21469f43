// The balls of gltf-viewer in the light of their lamp alone.
import {balls} from "content/gltf-viewer.js";

export default stage => balls(stage, false);
