// The pages that people open, in the system's Chromium: filled in by keyboard, on a phone, in both colour schemes, under
// the pages' own policy. Without a browser they are left out.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import http from "node:http";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import axe from "axe-core";
import { chromium } from "playwright-core";

import { signIn, start } from "./server.mjs";

const PHONE = { width: 390, height: 844 };
const SIGN_IN = "/auth/v1/oauth/authorize";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath)) {
  console.log(`left out: there is no ${executablePath}`);
  process.exit(0);
}

/// A page on a phone, with what its console complains about. That a form was refused is no complaint.
async function phone() {
  const context = await browser.newContext({ viewport: PHONE });
  // Before the page's policy applies.
  await context.addInitScript(axe.source);
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(`${error}`));
  page.on("console", (message) => {
    const isRefusal = /status of 4\d\d/.test(message.text()) && message.location().url === page.url();
    if (!isRefusal && ["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  return page;
}

/// Looks at the page: nothing is wider than the phone, and axe finds nothing in either scheme.
async function look(page, name) {
  const backgrounds = new Set();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const seen = await page.evaluate(async () => {
      // The language of an article is not known.
      const { violations } = await axe.run({ rules: { "html-has-lang": { enabled: !!document.documentElement.lang } } });
      const { scrollWidth } = document.documentElement;
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      const control = document.querySelector("input:not([type=hidden]), body");
      return { scrollWidth, found, background: getComputedStyle(control).backgroundColor };
    });
    assert.deepEqual(seen.found, [], `${name}, ${colorScheme}`);
    assert.ok(seen.scrollWidth <= PHONE.width, `${name} is ${seen.scrollWidth} wide`);
    backgrounds.add(seen.background);
  }
  assert.equal(backgrounds.size, 2, `${name} is the same in the dark: ${[...backgrounds]}`);
  assert.deepEqual(page.complaints, [], name);
  console.log(name);
}

/// Fills in the form by keyboard: the first field has the focus, Tab leads to the next, Enter in the last sends it. The
/// name that password managers and browsers go by stands beside some.
async function fill(page, fields) {
  for (const [at, [name, text, autocomplete]] of fields.entries()) {
    if (at > 0) await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    assert.equal(await focused.getAttribute("name"), name, `${page.url()}: the focus`);
    if (autocomplete) assert.equal(await focused.getAttribute("autocomplete"), autocomplete);
    const isChoice = await focused.evaluate((field) => field.localName === "select");
    if (text && !isChoice) await page.keyboard.press("ControlOrMeta+A");
    if (text) await page.keyboard.type(text);
  }
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
}

/// The error stands below its field, which has the focus and refers to it.
async function beside(page, name, says) {
  const field = page.locator(":focus");
  assert.equal(await field.getAttribute("name"), name);
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  const error = page.locator(`#${await field.getAttribute("aria-describedby")}`);
  assert.match(await error.innerText(), says);
  const [above, below] = [await field.boundingBox(), await error.boundingBox()];
  const gap = below.y - above.y - above.height;
  assert.ok(gap >= 0 && gap < 24, `${gap} px are between the field ${name} and its error`);
}

const says = async (page, text) => assert.match(await page.locator("body").innerText(), text);

async function setUp() {
  const server = await start("empty");
  try {
    const page = await phone();
    await page.goto(await server.line());
    await look(page, "set-up");
    const form = (slug, password) => [
      ["organization", "Riverside School", "organization"],
      ["slug", slug],
      ["time_zone", "lisb"],
      ["currency", "eu"],
      ["name", "Ana Souza", "name"],
      ["email", "ana@riverside.test", "username"],
      ["password", password, "new-password"],
    ];
    await fill(page, form("", "password"));
    await beside(page, "password", /first that others try/);
    await look(page, "set-up with an error");
    assert.equal(await page.inputValue("[name=time_zone]"), "Europe/Lisbon");
    assert.equal(await page.inputValue("[name=currency]"), "EUR");
    await fill(page, [["password", "a good password"]]);
    await says(page, /Riverside School has been created/);
    await look(page, "set-up done");
  } finally {
    await server.stop();
  }
}

/// The links of an owner for a new account, and for a forgotten password.
async function links(server) {
  const owner = new Client({ name: "frontdesk-interop", version: "0" });
  const headers = { Authorization: `Bearer ${await signIn(server.url, "owner")}` };
  await owner.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/staff/mcp`), { requestInit: { headers } }));
  const call = async (name, args) => (await owner.callTool({ name, arguments: args })).structuredContent;
  const invited = await call("invite_staff", { name: "Rui Alves", email: "rui@demo.test", role: "staff" });
  const { staff_users: accounts } = await call("list_staff", {});
  const teacher = accounts.find(({ email }) => email === "teacher@demo.test");
  const forgotten = await call("issue_password_link", { id: teacher.id });
  await owner.close();
  return [invited.link, forgotten.link];
}

async function choosePassword(link, name, done) {
  const page = await phone();
  await page.goto(link);
  await look(page, name);
  assert.equal(await page.locator("[autocomplete=username]").count(), 1);
  await fill(page, [["password", "password", "new-password"]]);
  await beside(page, "password", /first that others try/);
  await look(page, `${name} with an error`);
  await fill(page, [["password", "a good password"]]);
  await says(page, done);
  await look(page, `${name} done`);
  await page.goto(link);
  await look(page, `${name} used`);
}

async function signInOfProgram(server) {
  const program = http.createServer((_, response) => response.end("<!doctype html><title>Program</title>Signed in"));
  program.listen(0, "127.0.0.1");
  await once(program, "listening");
  const back = `http://127.0.0.1:${program.address().port}/callback`;
  const registered = await fetch(`${server.url}/auth/v1/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "A program", redirect_uris: [back] }),
  });
  const { client_id } = await registered.json();
  const challenge = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
  const query = new URLSearchParams({ response_type: "code", client_id, redirect_uri: back, ...challenge });
  const page = await phone();
  await page.goto(`${server.url}${SIGN_IN}?${query}`);
  await look(page, "sign-in");
  await fill(page, [
    ["email", "staff@demo.test", "username"],
    ["password", "not this one", "current-password"],
  ]);
  await beside(page, "password", /wrong/);
  await look(page, "sign-in with an error");
  await fill(page, [["password", "demo-password"]]);
  await page.waitForURL(`${back}?**`);
  assert.ok(new URL(page.url()).searchParams.get("code"));
  await page.goto(`${server.url}${SIGN_IN}`);
  await look(page, "sign-in refused");
  program.closeAllConnections();
  program.close();
}

async function wiki(server) {
  const page = await phone();
  await page.goto(`${server.url}/`);
  await look(page, "the server's page");
  await page.getByRole("link", { name: "Public wiki" }).click();
  await look(page, "wikis");
  await page.getByRole("link", { name: "Casa Aurora" }).click();
  await look(page, "a wiki");
  await page.getByRole("link", { name: "Holidays" }).click();
  await look(page, "an article");
  assert.match(await page.title(), /^Holidays – Casa Aurora/);
  // The tree is folded on a phone, and Enter unfolds it.
  const tree = page.getByRole("navigation", { name: "Contents" });
  const other = tree.getByRole("link", { name: "Cleaning" });
  assert.equal(await other.isVisible(), false);
  await tree.locator("summary").press("Enter");
  await other.waitFor();
  await look(page, "an article with its tree");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  assert.ok(await other.isVisible(), "the tree beside the article");
  await page.setViewportSize(PHONE);
  await page.getByRole("link", { name: "Opening hours" }).first().click();
  await page.getByRole("link", { name: "Casa Aurora" }).click();
  assert.match(await page.locator("h1").innerText(), /^Casa Aurora/);
  await page.goto(`${page.url()}/nothing`);
  await look(page, "no article");
  await page.getByRole("link", { name: "Casa Aurora" }).click();
  assert.match(await page.locator("h1").innerText(), /^Casa Aurora/);
}

const browser = await chromium.launch({ executablePath });
try {
  await setUp();
  const server = await start();
  try {
    const [invitation, forgotten] = await links(server);
    await choosePassword(invitation, "invitation", /You now belong to Casa Aurora/);
    await choosePassword(forgotten, "new password", /Your password has been changed/);
    await signInOfProgram(server);
    await wiki(server);
  } finally {
    await server.stop();
  }
} finally {
  await browser.close();
}
