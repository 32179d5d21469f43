// What a page's window has before the page's own scripts: `webglTestHarness`, to which pages of Khronos' suite report. There may be
// millions of results, so they are counted here, and what drives the browser (`tellDriver`) hears of them at most every second.
if (window === window.top) {
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
