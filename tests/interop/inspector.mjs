// The Inspector's command line, in both eras. It opens a session for each call, so that none can expire.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { signIn, start } from "./server.mjs";

const program = new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url);
/// It must find nobody's settings, and leave none.
const home = await mkdtemp(join(tmpdir(), "inspector-"));

/// Runs it against a host; its exit code, its result, and its error.
async function inspect(server, era, host, token, ...args) {
  const target = ["--cli", `${server.url}/${host}/mcp`, "--transport", "http", "--protocol-era", era];
  const options = ["--header", `Authorization: Bearer ${token}`, "--stored-auth-only", "--quiet", ...args];
  const child = spawn(process.execPath, [program.pathname, ...target, ...options], {
    env: { ...process.env, HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [result, error] = ["", ""];
  child.stdout.on("data", (data) => (result += data));
  child.stderr.on("data", (data) => (error += data));
  const [code] = await once(child, "close");
  return { code, result: result && JSON.parse(result), error };
}

async function story(era) {
  const [staff, admin] = [await signIn(server.url, "staff"), await signIn(server.url, "admin")];
  for (const [host, token, name] of [
    ["events", staff, "check_in_guest"],
    ["work", admin, "merge_meetings"],
    ["skills", staff, "json_schema_2020_12_tool"],
  ]) {
    const { code, result, error } = await inspect(server, era, host, token, "--method", "tools/list", "--strict");
    assert.equal(code, 0, error);
    assert.ok(result.tools.some((tool) => tool.name === name));
  }
  const call = (tool, ...args) => inspect(server, era, "events", staff, "--method", "tools/call", "--tool-name", tool, ...args);
  const listed = await call("list_events");
  assert.equal(listed.code, 0, listed.error);
  assert.ok(listed.result.structuredContent.events.length > 0);

  const refused = await call("get_event", "--tool-arg", "id=one");
  assert.equal(refused.code, 5, refused.error);
  assert.equal(JSON.parse(refused.result.content[0].text).error.code, "invalid_argument");

  const nobody = await inspect(server, era, "events", "nobody", "--method", "tools/list");
  assert.equal(nobody.code, 3, nobody.error);
  assert.match(nobody.error, /auth_required/);

  const fellow = await inspect(server, era, "staff", await signIn(server.url, "fellow"), "--method", "tools/list");
  assert.notEqual(fellow.code, 0);
  assert.match(fellow.error, /403/);

  const other = await signIn(busy.url, { legacy: "staff", modern: "owner" }[era]);
  const ends = [];
  for (let at = 0; at < 3; at += 1) ends.push(await inspect(busy, era, "events", other, "--method", "tools/list"));
  assert.equal(ends[0].code, 0, ends[0].error);
  assert.notEqual(ends[2].code, 0);
  // In the modern era it does not name the status that `server/discover` was refused with.
  assert.match(ends[2].error, { legacy: /429/, modern: /negotiation failed/ }[era]);
  console.log(`inspector --cli --strict, ${era} era`);
}

const server = await start();
/// Here a caller has two calls a minute, and two messages that open sessions.
const busy = await start(2);
try {
  await Promise.all([story("legacy"), story("modern")]);
} finally {
  await server.stop();
  await busy.stop();
  await rm(home, { recursive: true, force: true });
}
