// The official TypeScript clients: that of the handshake revisions, and the newer one in both eras.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import * as modern from "@modelcontextprotocol/client";
import { Client as HandshakeClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HandshakeTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { signIn, start } from "./server.mjs";

const about = { name: "frontdesk-interop", version: "0" };
const withOutputs = { "frontdesk/outputSchemas": true };

/// Opens a client of each kind at an address with a token; `version` is the revision that it must agree on.
const kinds = [
  {
    name: "sdk 1, handshake",
    version: "2025-11-25",
    client: () => new HandshakeClient(about),
    Transport: HandshakeTransport,
  },
  {
    name: "client 2, handshake",
    version: "2025-11-25",
    client: () => new modern.Client(about),
    Transport: modern.StreamableHTTPClientTransport,
  },
  {
    name: "client 2, whatever both speak",
    version: "2026-07-28",
    client: () => new modern.Client(about, { versionNegotiation: { mode: "auto" } }),
    Transport: modern.StreamableHTTPClientTransport,
  },
];

/// The HTTP status that a client was refused with: what it calls a status or a code, or its kind of error for a 401.
async function status(promise) {
  const error = await promise.then(() => assert.fail("it was not refused"), (error) => error);
  if (error.code === "ERR_ASSERTION") throw error;
  if (error.name === "UnauthorizedError" || error.constructor.name === "UnauthorizedError") return 401;
  return error.status ?? error.data?.status ?? error.code;
}

async function story({ name, version, client, Transport }, server) {
  const open = async (token, host) => {
    const opened = client();
    const headers = { Authorization: `Bearer ${token}` };
    await opened.connect(new Transport(new URL(`${server.url}/${host}/mcp`), { requestInit: { headers } }));
    return opened;
  };
  const call = (caller, name, args) => caller.callTool({ name, arguments: args });
  const staff = await signIn(server.url, "staff");

  const desk = await open(staff, "events");
  assert.equal(desk.getNegotiatedProtocolVersion?.() ?? desk.transport.protocolVersion, version, name);
  const { tools } = await desk.listTools();
  assert.equal(tools.length, 35);
  assert.ok(tools.every(({ outputSchema }) => outputSchema === undefined));
  // Asked for, they are listed, and it holds what comes back to them.
  const complete = await desk.listTools({ _meta: withOutputs }, { cacheMode: "refresh" });
  assert.ok(complete.tools.every(({ outputSchema }) => outputSchema.type === "object"));
  const { structuredContent } = await call(desk, "list_events", {});
  const [event] = structuredContent.events;
  const refused = await call(desk, "get_event", { id: "one" });
  assert.equal(refused.isError, true);
  assert.equal(JSON.parse(refused.content[0].text).error.code, "invalid_argument");

  // Work's results share definitions.
  const work = await open(await signIn(server.url, "admin"), "work");
  const works = await work.listTools({ _meta: withOutputs });
  assert.ok(works.tools.some(({ name }) => name === "merge_meetings"));
  assert.ok((await call(work, "list_meeting_series", {})).structuredContent.series.length > 0);
  await work.close();

  assert.equal(await status(open("nobody", "events")), 401);

  const teacher = await open(await signIn(server.url, "teacher"), "events");
  assert.equal(await status(call(teacher, "update_event", { id: event.id, name: "Mine" })), 403);
  await teacher.close();

  const owner = await open(await signIn(server.url, "owner"), "quiz");
  const list = () => owner.listTools(undefined, { cacheMode: "bypass" });
  for (let at = 0; at < 100; at += 1) await list();
  // One after the other they would wait for their turn.
  const many = Array.from({ length: 20 }, list);
  assert.equal(await status(Promise.all(many)), 429);
  await owner.close();

  await server.advance(24 * 60 * 60);
  if (version === "2026-07-28") {
    assert.ok((await call(desk, "list_events", {})).structuredContent.events.length > 0);
  } else {
    assert.equal(await status(call(desk, "list_events", {})), 404);
    const again = await open(staff, "events");
    assert.equal((await again.listTools()).tools.length, 35);
    await again.close();
  }
  await desk.close();
  console.log(`${name}: ${version}`);
}

/// Gets every prompt of all hosts, with the first suggestion for each of its arguments.
async function prompts({ name, client, Transport }, url) {
  const owner = client();
  const headers = { Authorization: `Bearer ${await signIn(url, "owner")}` };
  await owner.connect(new Transport(new URL(`${url}/agents/mcp`), { requestInit: { headers } }));
  const { prompts } = await owner.listPrompts();
  assert.equal(prompts.length, 6, name);
  for (const prompt of prompts) {
    const args = {};
    for (const argument of prompt.arguments) {
      const ref = { type: "ref/prompt", name: prompt.name };
      const { completion } = await owner.complete({ ref, argument: { name: argument.name, value: "" } });
      assert.ok(completion.values.length > 0 || !argument.required, `${prompt.name} ${argument.name}`);
      if (completion.values.length > 0) args[argument.name] = completion.values[0];
    }
    const { messages } = await owner.getPrompt({ name: prompt.name, arguments: args });
    const texts = messages.map(({ content }) => content.text ?? JSON.stringify(content.resource)).join("\n");
    for (const value of Object.values(args)) assert.ok(texts.includes(value.split("~").at(-1)), `${prompt.name}: ${texts}`);
  }
  await owner.close();
  console.log(`${name}: ${prompts.length} prompts`);
}

const server = await start(100);
try {
  for (const kind of kinds) await story(kind, server);
} finally {
  await server.stop();
}

// The fixture host has the prompts of the conformance suite instead of the hosts' own.
const program = new URL("../../target/debug/frontdesk-server", import.meta.url).pathname;
const options = ["serve", "--demo", "--database", "memory", "--rate-limit", "0", "--listen", "127.0.0.1:0"];
const env = { ...process.env, RUST_LOG: "warn" };
const hosts = spawn(program, options, { env, stdio: ["ignore", "pipe", "inherit"] });
try {
  const lines = createInterface({ input: hosts.stdout })[Symbol.asyncIterator]();
  const { value: line } = await lines.next();
  assert.ok(line, `${program} ended; \`cargo build --workspace\` builds it`);
  for (const kind of kinds) await prompts(kind, line.replace("listening on ", ""));
} finally {
  hosts.kill();
}
