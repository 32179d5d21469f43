// Starts the language server, `tessera lsp`. The client is Microsoft's vscode-languageclient, which `npm install` in this
// folder brings; without it highlighting, problem matcher and debugger work as they do.
"use strict";

const vscode = require("vscode");

let client;

function activate() {
    let library;
    try {
        library = require("vscode-languageclient/node");
    } catch {
        vscode.window.showInformationMessage(
            "Tessera: for errors as you type, type npm install in the extension's folder (editors/README.md).");
        return;
    }
    const command = vscode.workspace.getConfiguration("tessera").get("command");
    client = new library.LanguageClient("tessera", "Tessera", {command, args: ["lsp"]}, {
        documentSelector: [{language: "tsa"}, {language: "glsl"}],
    });
    return client.start();
}

function deactivate() {
    return client && client.stop();
}

module.exports = {activate, deactivate};
