// The official conformance suite against the real wire, with a host that has the suite's tools. Every scenario for a
// server is run in every revision that it is for, but for those that scope.json names with a reason.

import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { proxy, signIn, start } from "./server.mjs";
import { revisions, run, scenarios } from "./suite.mjs";

const scope = JSON.parse(await readFile(new URL("scope.json", import.meta.url)));
/// How many scenarios are run at once.
const together = 3;

/// The checks that a scenario makes.
async function checks(url, scenario, revision) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const asked = ["--url", url, "--scenario", scenario, "--spec-version", revision, "--output-dir", folder];
    const said = await run("server", ...asked);
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith("checks.json"));
    if (files.length !== 1) throw new Error(`${scenario} left no checks:\n${said}`);
    return JSON.parse(await readFile(join(folder, files[0])));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/// What is wrong with the outcome of a scenario. A check that is excused must indeed fail.
function judge(scenario, checks) {
  const excused = scope.checks[scenario] ?? {};
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const wrong = failed.filter(({ id }) => !excused[id]).map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
  for (const id of Object.keys(excused)) {
    if (!failed.some((check) => check.id === id)) wrong.push(`${id} passes, and is listed as out of scope`);
  }
  if (!checks.some(({ status }) => status === "SUCCESS")) wrong.push("nothing was checked");
  return wrong;
}

const server = await start();
const front = await proxy(server.url, "/skills/mcp", await signIn(server.url, "staff"));
const known = await scenarios("servers");
const problems = Object.keys(scope.scenarios)
  .filter((scenario) => !known.some(([name]) => name === scenario))
  .map((scenario) => `${scenario} is listed as out of scope, and is no scenario`);
const counts = new Map(revisions.map((revision) => [revision, { scenarios: 0, checks: 0 }]));
const queue = revisions
  .flatMap((revision) => known.filter(([, of]) => of.includes(revision)).map(([name]) => [name, revision]))
  .filter(([name]) => !scope.scenarios[name])
  .values();
const work = async () => {
  for (const [scenario, revision] of queue) {
    const made = await checks(front.url, scenario, revision);
    problems.push(...judge(scenario, made).map((problem) => `${scenario}, ${revision}: ${problem}`));
    const count = counts.get(revision);
    count.scenarios += 1;
    count.checks += made.filter(({ status }) => status === "SUCCESS").length;
  }
};
await Promise.all(Array.from({ length: together }, work));
front.stop();
await server.stop();
for (const [revision, { scenarios, checks }] of counts) {
  console.log(`${revision}: ${scenarios} scenarios, ${checks} checks pass`);
}
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
