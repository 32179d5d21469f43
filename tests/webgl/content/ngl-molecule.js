// NGL: atoms and bonds as impostor spheres and cylinders, from a text in PDB's format.
export default async stage => {
    await loadScript("/npm/ngl/dist/ngl.js");
    const atoms = Array.from({length: 60}, (_, i) => `ATOM  ${String(i + 1).padStart(5)}  ${["C ", "N ", "O ", "S "][i % 4]}  ALA A${String(1 + Math.floor(i / 4)).padStart(4)}    ` +
        [6 * Math.cos(i / 3), 6 * Math.sin(i / 3), i / 3 - 10].map(n => n.toFixed(3).padStart(8)).join("") + `  1.00  0.00           ${["C", "N", "O", "S"][i % 4]}`).join("\n");
    const view = new NGL.Stage(stage, {backgroundColor: "white", quality: "medium", sampleLevel: 0});
    const molecule = await view.loadFile(new Blob([atoms], {type: "text/plain"}), {ext: "pdb"});
    molecule.addRepresentation("ball+stick", {multipleBond: false});
    molecule.addRepresentation("spacefill", {sele: "@0,10,20,30", opacity: 0.6});
    view.setSize("480px", "360px");
    molecule.autoView();
    await pause(30);
    return () => view.viewer.requestRender();
};
