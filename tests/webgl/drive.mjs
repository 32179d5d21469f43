// Shows pages in Chromium one by one and tells what became of each. Usage: node drive.mjs JOB.json; playwright-core is where
// NODE_PATH says. The job (webgl.py writes it) is
//   {roots: {"/name/": folder}, arguments: [...], renderer: "what UNMASKED_RENDERER has to name", quiet: seconds,
//    patience: seconds, pages: [{page, version, path, picture?}, ...]}
// and each page's result is a line of JSON on standard output; the last line is {"done": true}.
//
// A page is a tab of its own in one browser. It reports as pages of Khronos' suite do, to `webglTestHarness` of its window;
// pages that draw a picture call `webglTestHarness.notifyFinished()` when it stands. A browser that crashes, or whose page
// says nothing for `quiet` seconds, is started anew for the next page. What draws is asked of each browser before its first page.
import {createRequire} from "node:module";
import {createServer} from "node:http";
import {createReadStream, readFileSync, statSync} from "node:fs";
import path from "node:path";

const {chromium} = createRequire(process.env.NODE_PATH + "/")("playwright-core");
const job = JSON.parse(readFileSync(process.argv[2]));
const say = line => process.stdout.write(JSON.stringify(line) + "\n");

// --- Files, on the loopback interface ---

const kinds = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json",
    ".png": "image/png", ".jpg": "image/jpeg", ".svg": "image/svg+xml", ".mp4": "video/mp4", ".webm": "video/webm",
    ".wasm": "application/wasm", ".txt": "text/plain"};

function serve(request, response) {
    const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const root = Object.keys(job.roots).find(prefix => name.startsWith(prefix));
    const file = root && path.join(job.roots[root], path.normalize("/" + name.slice(root.length)));
    let size;
    try {
        const found = statSync(file);
        if (!found.isFile()) throw new Error();
        size = found.size;
    } catch {
        response.writeHead(404).end();
        return;
    }
    const head = {"Content-Type": kinds[path.extname(file).toLowerCase()] ?? "application/octet-stream", "Accept-Ranges": "bytes"};
    // Videos are asked for in parts.
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const first = range ? Number(range[1]) : 0, last = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
    if (range && first > last) {
        response.writeHead(416, {"Content-Range": `bytes */${size}`}).end();
        return;
    }
    if (range) head["Content-Range"] = `bytes ${first}-${last}/${size}`;
    response.writeHead(range ? 206 : 200, {...head, "Content-Length": last - first + 1});
    if (size === 0) response.end();
    else createReadStream(file, {start: first, end: last}).on("error", () => response.destroy()).pipe(response);
}

const server = createServer(serve);
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}`;

// --- What a page's window has ---

// Runs in the page before its own scripts. There may be millions of results, so they are counted there, and the process
// that drives hears of them at most every second.
function harness() {
    if (window !== window.top) return;
    const found = {passed: 0, failed: 0, skipped: 0, messages: []};
    let told = performance.now();
    window.webglTestHarness = {
        reportResults(url, success, message, skipped) {
            if (skipped) ++found.skipped;
            else if (success) ++found.passed;
            else {
                ++found.failed;
                if (found.messages.length < 5) found.messages.push(String(message).slice(0, 500));
            }
            const now = performance.now();
            if (now - told > 1000) {
                told = now;
                window.tellDriver(JSON.stringify({found}));
            }
        },
        notifyFinished() { window.tellDriver(JSON.stringify({found, finished: true})); },
    };
    window.addEventListener("error", event => {
        if (found.messages.length < 5) found.messages.push(`error: ${event.message}`.slice(0, 500));
    });
}

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
    context = await browser.newContext({viewport: job.viewport ?? {width: 1024, height: 768}});
    const draws = await renderer();
    if (!draws.includes(job.renderer)) {
        say({error: `another driver answers: ${draws}, not ${job.renderer}`});
        await browser.close();
        process.exit(2);
    }
    say({renderer: draws, browser: browser.version()});
}

async function close() {
    const process_ = browser;
    browser = context = null;
    await Promise.race([process_?.close().catch(() => {}), new Promise(resolve => setTimeout(resolve, 10000))]);
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
    await page.addInitScript(harness);
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
    page.goto(`${address}${entry.path}`, {waitUntil: "commit", timeout: 0}).catch(error => {
        if (!/closed|crash/.test(error.message)) found.messages.push(String(error.message).slice(0, 500));
    });
    let how = await ended;
    clearInterval(watch);
    if (how === "finished" && entry.picture)
        await page.screenshot({path: entry.picture, timeout: 120000}).catch(error => {
            how = "timeout";
            found.messages.push(`no picture: ${error.message}`.slice(0, 500));
        });
    const result = how !== "finished" ? how : found.failed > 0 || (entry.picture && found.messages.length > 0) ? "fail" :
        found.passed > 0 ? "pass" : found.skipped > 0 ? "skip" : entry.picture ? "pass" : "fail";
    say({page: entry.page, version: entry.version, result, seconds: Math.round(performance.now() - began) / 1000, ...found});
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
