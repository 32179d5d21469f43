"""Pages in Debian's Chromium, on Tessera or on Mesa's llvmpipe: drive.mjs with a job, and what it says."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import session  # noqa: E402

#: What drives the browser, from npm; fetched once, into the build tree.
PLAYWRIGHT = "playwright-core@1.49.1"

#: Chromium draws with the system's EGL by the first three (docs/webgl.md); the others are those of Chromium's own runs of the
#: suite: videos play without a click, a page that loses its context does not shut WebGL off for those after it.
SWITCHES = ["--use-gl=angle", "--use-angle=gles-egl", "--ignore-gpu-blocklist", "--autoplay-policy=no-user-gesture-required",
            "--disable-domain-blocking-for-3d-apis", "--disable-gpu-process-crash-limit", "--js-flags=--expose-gc",
            "--enable-features=SharedArrayBuffer", "--force-color-profile=srgb"]

#: What a driver's name in UNMASKED_RENDERER has to have.
RENDERERS = {"tessera": "Tessera", "mesa": "llvmpipe"}


def node_modules(place, *packages):
    """The folder of npm's packages in `place`, where those named ("name@version") are."""
    missing = [name for name in ("chromium", "node", "npm") if shutil.which(name) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} missing; Debian's packages chromium, nodejs and npm have them")
    folder = place / "node_modules"
    wanted = [package for package in packages if version(folder, package.rpartition("@")[0]) != package.rpartition("@")[2]]
    if wanted:
        place.mkdir(parents=True, exist_ok=True)
        # What is there stays only if it is named again; npm removes the rest.
        subprocess.run(["npm", "install", "--no-save", "--no-package-lock", "--silent", "--ignore-scripts", "--legacy-peer-deps",
                        "--prefix", str(place), *packages], check=True)
    return folder


def version(folder, name):
    try:
        return json.loads((folder / name / "package.json").read_text())["version"].removeprefix("v")
    except (OSError, ValueError, KeyError):
        return None


def results(build, driver, pages, roots, modules, quiet, patience, viewport=(1024, 768)):
    """Shows each page (page, version, path; picture) and yields what became of it, as drive.mjs says it."""
    environment = session.driver_environment(build, driver, by_name=True)
    environment.pop("TESSERA_LOG", None)
    environment.update(NODE_PATH=str(modules))
    # Chromium refuses its sandbox to root, and nobody else reads the files of a root's checkout.
    job = {"roots": roots, "browser": shutil.which("chromium"), "sandbox": os.geteuid() != 0, "arguments": SWITCHES,
           "renderer": RENDERERS[driver], "quiet": quiet, "patience": patience,
           "viewport": {"width": viewport[0], "height": viewport[1]}, "pages": pages}
    with tempfile.TemporaryDirectory(prefix="tessera-webgl-") as place:
        file = pathlib.Path(place) / "job.json"
        file.write_text(json.dumps(job))
        log = open(build / "webgl" / f"{driver}.log", "a")
        process = subprocess.Popen(["node", str(HERE / "drive.mjs"), str(file)], env=environment, text=True, stdout=subprocess.PIPE, stderr=log)
        try:
            for line in process.stdout:
                found = json.loads(line)
                if "error" in found:
                    raise SystemExit(found["error"])
                yield found
                if "done" in found:
                    return
            raise SystemExit(f"what drives the browser ended with status {process.wait()}; {log.name} has its words")
        finally:
            process.terminate()
            process.wait()
