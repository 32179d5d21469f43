// Shows pages in Chromium one by one and tells what became of each. Usage: node drive.mjs JOB.json; playwright-core is where
// NODE_PATH says. The job (browsers.py writes it) is
//   {address: "http://...", browser: program, sandbox: boolean, arguments: [...], quiet: seconds, patience: seconds,
//    viewport: {width, height}, pages: [{page, version, path, picture?, timed?}, ...]}
// and each page's result is a line of JSON on standard output; the last line is {"done": true}.
//
// A page is a tab of its own in one browser. It reports as pages of Khronos' suite do, to `webglTestHarness` of its window
// (harness.js); pages that draw a picture call `webglTestHarness.notifyFinished()` when it stands, and have `drawFrames` then if
// they are to be timed. A browser that crashes, or whose page says nothing for `quiet` seconds, is started anew for the next
// page. What draws is asked of each browser before its first page.
import {createRequire} from "node:module";
import {readFileSync} from "node:fs";

const {chromium} = createRequire(process.env.NODE_PATH + "/")("playwright-core");
const job = JSON.parse(readFileSync(process.argv[2]));
const say = line => process.stdout.write(JSON.stringify(line) + "\n");

// --- The browser ---

let browser = null, context = null;

async function renderer() {
    const page = await context.newPage();
    try {
        return await page.evaluate(() => {
            const gl = document.createElement("canvas").getContext("webgl");
            const extension = gl?.getExtension("WEBGL_debug_renderer_info");
            return extension ? gl.getParameter(extension.UNMASKED_RENDERER_WEBGL) : "no WebGL";
        });
    } finally {
        await page.close();
    }
}

async function open() {
    browser = await chromium.launch({executablePath: job.browser, args: job.arguments, chromiumSandbox: job.sandbox, timeout: 120000});
    context = await browser.newContext({viewport: job.viewport});
    say({renderer: await renderer(), browser: browser.version()});
}

async function close() {
    const process_ = browser;
    browser = context = null;
    await Promise.race([process_?.close().catch(() => {}), new Promise(resolve => setTimeout(resolve, 10000))]);
}

// Frames of a page for each second of a processor that the process with the driver takes: what else the machine does, and the
// browser's 60 frames a second, are not in it. The first frames are not counted, as their shaders are being compiled; of
// three measurements it is the median.
async function frameRate(page) {
    const session = await browser.newBrowserCDPSession();
    const spent = async () => (await session.send("SystemInfo.getProcessInfo")).processInfo.find(one => one.type === "GPU").cpuTime;
    await page.evaluate(() => window.drawFrames(60, 2));
    const rates = [];
    for (let i = 0; i < 3; ++i) {
        const before = await spent(), frames = await page.evaluate(() => window.drawFrames(30, 1));
        rates.push(frames / Math.max(await spent() - before, 0.01));
    }
    await session.detach();
    return rates.sort((a, b) => a - b)[1];
}

async function show(entry) {
    const began = performance.now();
    const page = await context.newPage();
    let found = {passed: 0, failed: 0, skipped: 0, messages: []}, end;
    const ended = new Promise(resolve => { end = resolve; });
    let heard = performance.now();
    await page.exposeFunction("tellDriver", text => {
        const told = JSON.parse(text);
        found = told.found;
        heard = performance.now();
        if (told.finished) end("finished");
    });
    await page.addInitScript({path: new URL("harness.js", import.meta.url).pathname});
    page.on("dialog", dialog => dialog.accept().catch(() => {}));
    page.on("crash", () => end("crash"));
    page.on("pageerror", error => {
        if (found.messages.length < 5) found.messages.push(`error: ${error.message}`.slice(0, 500));
    });
    browser.on("disconnected", () => end("crash"));
    const watch = setInterval(() => {
        const now = performance.now();
        if (now - heard > 1000 * job.quiet || now - began > 1000 * job.patience) end("timeout");
    }, 250);
    page.goto(`${job.address}${entry.path}`, {waitUntil: "commit", timeout: 0}).catch(error => {
        if (!/closed|crash/.test(error.message)) found.messages.push(String(error.message).slice(0, 500));
    });
    let how = await ended;
    clearInterval(watch);
    if (how === "finished" && entry.picture)
        await page.screenshot({path: entry.picture, timeout: 120000}).catch(error => {
            how = "timeout";
            found.messages.push(`no picture: ${error.message}`.slice(0, 500));
        });
    let rate = null;
    if (how === "finished" && entry.timed)
        rate = await frameRate(page).catch(error => {
            found.messages.push(`not timed: ${error.message}`.slice(0, 500));
            return null;
        });
    const result = how !== "finished" ? how : found.failed > 0 || (entry.picture && found.messages.length > 0) ? "fail" :
        found.passed > 0 ? "pass" : found.skipped > 0 ? "skip" : entry.picture ? "pass" : "fail";
    say({page: entry.page, version: entry.version, result, seconds: Math.round(performance.now() - began) / 1000,
        ...(entry.timed ? {rate} : {}), ...found});
    if (how === "finished") await page.close({runBeforeUnload: false});
    else await close();
}

for (const entry of job.pages) {
    if (!browser?.isConnected()) await open();
    try {
        await Promise.race([show(entry), new Promise((_, reject) => setTimeout(reject, 1000 * (job.patience + 150), new Error("the driver hangs")))]);
    } catch (error) {
        say({page: entry.page, version: entry.version, result: "crash", seconds: 0, passed: 0, failed: 0, skipped: 0, messages: [String(error.message)]});
        await close();
    }
}
await close();
say({done: true});
process.exit(0);
