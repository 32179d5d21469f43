// 3Dmol.js: spheres, sticks and a surface of a made-up molecule.
export default async stage => {
    await loadScript("/npm/3dmol/build/3Dmol-min.js");
    const atoms = Array.from({length: 40}, (_, i) => `${["C", "N", "O", "H"][i % 4]} ${(4 * Math.cos(i / 2.2)).toFixed(3)} ${(4 * Math.sin(i / 2.2)).toFixed(3)} ${(i / 3 - 6).toFixed(3)}`);
    stage.style.position = "relative";
    const view = $3Dmol.createViewer(stage, {backgroundColor: "white", antialias: true});
    view.addModel(`40\nspiral\n${atoms.join("\n")}\n`, "xyz");
    view.setStyle({}, {stick: {radius: 0.2}, sphere: {scale: 0.35}});
    view.addSphere({center: {x: 0, y: 0, z: 0}, radius: 2, color: "orange", alpha: 0.6});
    view.addArrow({start: {x: 0, y: 0, z: -6}, end: {x: 0, y: 0, z: 7}, radius: 0.3, color: "purple"});
    view.zoomTo();
    view.rotate(40, "x");
    view.render();
    await pause(6);
    return () => view.render();
};
