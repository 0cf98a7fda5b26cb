// The official TypeScript clients sign in by themselves: they are given the address of a host and nothing else, find
// where to sign in, register, send somebody to the page, and call. Then they refresh.

import assert from "node:assert/strict";

import * as modern from "@modelcontextprotocol/client";
import { auth as handshakeAuth } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as HandshakeClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HandshakeTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { start } from "./server.mjs";

const about = { name: "frontdesk-interop", version: "0" };

/// Somebody with a browser, and a client's memory of its registration and tokens.
class Person {
  redirectUrl = "http://127.0.0.1:5000/callback";
  clientMetadata = {
    client_name: "frontdesk-interop",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  clientInformation = () => this.client;
  saveClientInformation = (client) => void (this.client = client);
  tokens = () => this.saved;
  saveTokens = (tokens) => void (this.saved = tokens);
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);

  /// What a browser does: it opens the page, sends the form with its cookie, and is sent back.
  async redirectToAuthorization(address) {
    const page = await fetch(address);
    assert.equal(page.status, 200);
    const text = await page.text();
    assert.match(text, /frontdesk-interop/);
    const [, action] = text.match(/action="([^"]+)"/);
    const [, flow] = text.match(/name="flow" value="([^"]+)"/);
    const answer = await fetch(action, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: page.headers.get("set-cookie").split(";")[0], origin: new URL(action).origin },
      body: new URLSearchParams({ flow, email: "staff@demo.test", password: "demo-password" }),
    });
    assert.equal(answer.status, 303, await answer.text());
    this.end = new URL(answer.headers.get("location"));
    assert.ok(this.end.href.startsWith(this.redirectUrl));
  }
}

const kinds = [
  {
    name: "sdk 1",
    client: () => new HandshakeClient(about),
    Transport: HandshakeTransport,
    finish: (transport, end) => transport.finishAuth(end.get("code")),
    auth: handshakeAuth,
  },
  {
    name: "client 2",
    client: () => new modern.Client(about, { versionNegotiation: { mode: "auto" } }),
    Transport: modern.StreamableHTTPClientTransport,
    finish: (transport, end) => transport.finishAuth(end),
    auth: modern.auth,
  },
];

async function story({ name, client, Transport, finish, auth }, server) {
  const address = new URL(`${server.url}/events/mcp`);
  const person = new Person();
  const transport = () => new Transport(address, { authProvider: person });
  const first = transport();
  await assert.rejects(client().connect(first), (error) => error.constructor.name === "UnauthorizedError");
  await finish(first, person.end.searchParams);
  const desk = client();
  await desk.connect(transport());
  assert.equal((await desk.listTools()).tools.length, 35);
  await desk.close();

  const { access_token, refresh_token } = person.saved;
  assert.equal(await auth(person, { serverUrl: address }), "AUTHORIZED");
  assert.notEqual(person.saved.refresh_token, refresh_token);
  assert.ok(access_token);
  const again = client();
  await again.connect(transport());
  assert.equal((await again.listTools()).tools.length, 35);
  await again.close();
  console.log(`${name}: signed in, and refreshed`);
}

const server = await start();
try {
  for (const kind of kinds) await story(kind, server);
} finally {
  await server.stop();
}
