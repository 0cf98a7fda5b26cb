// The command line as the client of one scenario of the conformance suite, which gives the address of its server: signs in
// if that is asked for, lists the tools, and calls each.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = new URL("../../target/debug/frontdesk", import.meta.url).pathname;
const url = process.argv.at(-1);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || "{}");
const home = await mkdtemp(join(tmpdir(), "client-"));

/// Starts the program; `said` is called with what it has printed so far.
async function frontdesk(args, said = () => {}) {
  const env = { ...process.env, HOME: home, FRONTDESK_HOME: home, FRONTDESK_CONFIG: join(home, "config.toml"), BROWSER: "true" };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => said((out += data) + err));
  child.stderr.on("data", (data) => said(out + (err += data)));
  const [code] = await once(child, "close");
  process.stderr.write(`frontdesk ${args.join(" ")}: ${code}\n${err}`);
  return { code, out };
}

/// Signs in, as a user does whose browser follows every redirect.
async function signIn() {
  let visited;
  const visit = async (address) => {
    const answer = await fetch(address, { redirect: "manual" });
    const next = answer.headers.get("location");
    if (next) await visit(new URL(next, address));
  };
  await frontdesk(["login", "--server", "it"], (said) => {
    const [address] = said.match(/https?:\/\/\S+[?&]response_type=code\S*/) ?? [];
    // The address is whole once the line is.
    if (address && said.includes(`${address}\n`)) visited ??= visit(address).catch(() => {});
  });
}

/// Runs a command. If it needs a sign-in, or another one, signs in and runs it again: twice, as the authorization server
/// can change in between.
async function withSignIn(args) {
  for (let tries = 0; ; tries += 1) {
    const ended = await frontdesk(args);
    if ((ended.code !== 3 && ended.code !== 4) || tries === 2) return ended;
    await signIn();
  }
}

/// A value that fits the schema of an argument.
function sample(schema) {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  return { integer: 1, number: 1.5, boolean: true, array: [], object: {}, null: null }[type] ?? "a";
}

/// The document that the suite hosts for clients that are known by the address of one.
const document = "https://conformance-test.local/client-metadata.json";
if (process.env.MCP_CONFORMANCE_SCENARIO === "auth/basic-cimd") context.client_id = document;

/// Arguments for a schema; one that is a schema itself is the one given.
function samples(schema, other) {
  const fields = Object.entries(schema?.properties ?? {});
  return Object.fromEntries(fields.map(([name, field]) => [name, name === "schema" ? other : sample(field)]));
}

const lines = ["[servers.it]", `url = ${JSON.stringify(url)}`];
if (context.client_id) lines.push(`client_id = ${JSON.stringify(context.client_id)}`);
if (context.client_secret) {
  const file = join(home, "secret");
  await writeFile(file, context.client_secret, { mode: 0o600 });
  lines.push(`client_secret_file = ${JSON.stringify(file)}`);
}
await writeFile(join(home, "config.toml"), `${lines.join("\n")}\n`);
try {
  const listed = await withSignIn(["tools", "it", "--json"]);
  if (listed.code !== 0) process.exit(1);
  const schemas = new Map();
  for (const { name } of JSON.parse(listed.out)) {
    const described = await frontdesk(["describe", "it", name, "--json"]);
    schemas.set(name, JSON.parse(described.out).inputSchema);
  }
  const [[, first]] = [...schemas, [, {}]];
  for (const { name, arguments: given } of context.toolCalls ?? [...schemas].map(([name, schema]) => ({ name, arguments: samples(schema, first) }))) {
    // Null is what is not given.
    const words = Object.entries(given).filter(([, value]) => value !== null).map(([name, value]) => `${name}:=${JSON.stringify(value)}`);
    await withSignIn(["call", "it", name, ...words, "--answer", "unasked=1"]);
  }
} finally {
  await rm(home, { recursive: true });
}
