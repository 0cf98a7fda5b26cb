// The official conformance suite.

import { spawn } from "node:child_process";
import { once } from "node:events";

const suite = new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;

export const revisions = ["2025-06-18", "2025-11-25", "2026-07-28"];

/// Runs the suite; what it printed.
export async function run(...args) {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  await once(child, "close");
  return said;
}

/// The scenarios for `servers` or `clients`, with their revisions; an extension of the protocol is for none of them.
export async function scenarios(kind) {
  const [servers, others] = (await run("list")).split("Client scenarios");
  const [clients] = others.split("Authorization server scenarios");
  const found = [...{ servers, clients }[kind].matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)];
  return found.map(([, name, revisions]) => [name, revisions.split(",")]);
}
