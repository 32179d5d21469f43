// Drives the page of `tessera playground` in Debian's Chromium, as somebody would who looks around. Usage:
// node check.mjs ADDRESS SCREENSHOT.png; playwright-core is where NODE_PATH says.
import {createRequire} from "node:module";
import assert from "node:assert";

const {chromium} = createRequire(process.env.NODE_PATH + "/")("playwright-core");
const [address, screenshot] = process.argv.slice(2);
const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox"]});
const page = await browser.newPage({viewport: {width: 1400, height: 900}});
const problems = [];
page.on("console", message => { if (message.type() === "error") problems.push(message.text()); });
page.on("pageerror", error => problems.push(String(error)));

const drawn = async () => Number(await page.locator("body").getAttribute("data-drawn"));
const until = async (what, condition) => {
    for (let i = 0; i < 300; ++i) {
        if (await condition()) return;
        await page.waitForTimeout(50);
    }
    assert.fail(what);
};
const colorAt = (x, y) => page.evaluate(([x, y]) =>
    [...document.getElementById("picture").getContext("2d").getImageData(x, y, 1, 1).data], [x, y]);

await page.goto(address);
await until("no picture", async () => await drawn() >= 1);
// The first example: rings, whose corners are discarded.
assert.deepEqual(await colorAt(0, 0), [0, 0, 0, 0]);
assert.equal((await colorAt(160, 120))[3], 255);
const listing = await page.locator("#listing > div").count();
assert.ok(listing > 8, `${listing} instructions`);
assert.match(await page.locator("#cost").textContent(), /^fragment program: \d+ instructions, \d+ to \d+ cycles/);

// An instruction under the pointer marks its line, and a line its instructions.
await page.locator("#listing > div").first().hover();
assert.equal(await page.locator("#marks div.on").count(), 1);
assert.ok(await page.locator("#listing div.on").count() >= 1);

// The lanes of a pixel.
const box = await page.locator("#picture").boundingBox();
await page.mouse.move(box.x + 170, box.y + 100);
await until("no lanes", () => page.locator("#group").isVisible());
await page.mouse.click(box.x + 170, box.y + 100);
await until("not held", async () => /\(held\)/.test(await page.locator("#where").textContent()));
assert.equal(await page.locator(".block span").count(), 32);
assert.equal(await page.locator(".block span.this").count(), 1);
await page.locator("#step").focus();
await page.keyboard.press("Home");
assert.match(await page.locator("#instruction").textContent(), /^1 of \d+, line \d+/);
assert.equal(await page.locator("#listing div.at").count(), 1);

// A uniform changes the picture; a mistake is told at its place, and what was there stays.
const before = await drawn(), colorBefore = await colorAt(200, 120);
await page.locator("#uniforms input[type=number]").first().fill("3");
await until("no other picture", async () => await drawn() > before);
assert.notDeepEqual(await colorAt(200, 120), colorBefore);
const text = await page.locator("#text").inputValue();
await page.locator("#text").fill(text.replace("length(place)", "lenght(place)"));
await until("no problem", () => page.locator("#problems .error").first().isVisible());
assert.match(await page.locator("#problems").textContent(), /^7:17: error: 'lenght'/);
assert.equal(await page.locator("#gutter div.wrong").count(), 1);
await page.locator("#text").fill(text);
await until("a problem", () => page.locator("#problems").isHidden());

// Each example is a program; those of fragments draw.
for (const name of await page.locator("#examples option").allTextContents()) {
    const count = await drawn();
    await page.locator("#examples").selectOption(name);
    if (name.startsWith("a kernel"))
        await until(name, async () => /draws no picture/.test(await page.locator("#state").textContent()));
    else
        await until(name, async () => await drawn() > count);
    assert.ok(await page.locator("#problems").isHidden(), name);
}
// Integers: another output, shown by its last bits, and by its whole value for the pixel under the pointer.
await page.locator("#examples").selectOption(await page.locator("#examples option").nth(3).textContent());
await until("no outputs", () => page.locator("#outputs").isVisible());
assert.deepEqual(await page.locator("#output option").allTextContents(), ["color: vec4", "bits: uvec3, its last eight bits"]);
await page.locator("#output").selectOption("1");
// The first output's picture may be under way still, and comes before.
await until("not the other output",
            async () => String(await colorAt(300, 239)) === String([150, 450 & 255, 1050 & 255, 255]));
await page.mouse.move(box.x + 301, box.y + 238);
await until("not its value", async () => /bits 150, 450, 1050$/.test(await page.locator("#where").textContent()));

// Lanes that leave a loop one by one, for the picture.
await page.locator("#examples").selectOption({index: 1});
await until("no Mandelbrot", async () => /Mandelbrot/.test(await page.locator("#examples").inputValue()) &&
    /pixels in/.test(await page.locator("#state").textContent()));
await page.mouse.move(box.x + 240, box.y + 60);
await until("no lanes", async () => /pixel 239,59|pixel 240,60/.test(await page.locator("#where").textContent()));
await page.locator("#step").fill("60");
await page.screenshot({path: screenshot});
assert.deepEqual(problems.filter(problem => !/favicon/.test(problem)), []);
await browser.close();
console.log("the playground's page: right in Chromium");
