// A page that is the same each time: random numbers from a seed, and a clock that goes on by a sixtieth of a second a frame.
"use strict";

{
    let seed = 1;
    Math.random = () => {
        seed = (seed + 0x6D2B79F5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    window.stillClock = performance.now.bind(performance);  // what measures needs the time there is
    const start = 1700000000000, requestFrame = window.requestAnimationFrame.bind(window);
    let now = 1000;
    performance.now = () => now;
    Date.now = () => start + now;
    window.requestAnimationFrame = callback => requestFrame(() => callback(now));
    // Time passes with frames, not with what they take.
    const tick = () => { now += 1000 / 60; requestFrame(tick); };
    requestFrame(tick);
    window.stillFrame = requestFrame;
}

/// A script that is no module; what it defines is in the window then.
window.loadScript = path => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = path;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${path} is not there`));
    document.head.append(script);
});

window.loadStyle = path => new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = path;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${path} is not there`));
    document.head.append(link);
});

/// That many frames from now on.
window.pause = async count => { for (let i = 0; i < count; ++i) await new Promise(resolve => window.stillFrame(resolve)); };
