// The scenarios for clients of the official conformance suite, with our command line as the client, in every revision that
// they are for.

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { revisions, run, scenarios } from "./suite.mjs";

const command = new URL("client_command.mjs", import.meta.url).pathname;
const scope = JSON.parse(await readFile(new URL("scope.json", import.meta.url))).client;
/// How many scenarios are run at once.
const together = 3;

const known = await scenarios("clients");
const runs = revisions.flatMap((revision) => known.filter(([, of]) => of.includes(revision)).map(([name]) => [name, revision]));
const problems = Object.keys(scope)
  .filter((name) => !runs.some(([scenario, revision]) => name === scenario || name === `${scenario}, ${revision}`))
  .map((name) => `${name} is listed as out of scope, and is no scenario`);

/// What is wrong with the outcome of a scenario. One that is excused must indeed fail.
async function judge(scenario, revision) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const asked = ["--scenario", scenario, "--spec-version", revision, "--output-dir", folder];
  const said = await run("client", "--command", `${process.execPath} ${command}`, ...asked);
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith("checks.json"));
  const checks = files.length === 1 ? JSON.parse(await readFile(join(folder, files[0]))) : [];
  await rm(folder, { recursive: true });
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const wrong = failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
  if (!checks.some(({ status }) => status === "SUCCESS")) wrong.push(`nothing was checked:\n${said}`);
  const excused = scope[scenario] ?? scope[`${scenario}, ${revision}`];
  if (!excused) return wrong;
  return wrong.length ? [] : ["passes, and is listed as out of scope"];
}

let passed = 0;
const queue = runs.values();
const work = async () => {
  for (const [scenario, revision] of queue) {
    const wrong = await judge(scenario, revision);
    if (!wrong.length && !scope[scenario] && !scope[`${scenario}, ${revision}`]) passed += 1;
    problems.push(...wrong.map((problem) => `${scenario}, ${revision}: ${problem}`));
  }
};
await Promise.all(Array.from({ length: together }, work));
console.log(`${passed} of ${runs.length} runs pass`);
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
