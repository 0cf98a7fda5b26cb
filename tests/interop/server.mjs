// What the scripts share: a server of their own, a signed-in account, and a proxy that adds its token.

import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import readline from "node:readline";

const program = new URL("../../target/debug/fixture-host", import.meta.url).pathname;

/// Starts the server, with this many calls a minute for a caller at a host (0 is no limit) or `empty`. It is ready when it
/// says where it listens. `advance` puts its clock forward by seconds, `line` reads its next line, `stop` ends it.
export async function start(argument = 0) {
  const child = spawn(program, [`${argument}`], { stdio: ["pipe", "pipe", "inherit"] });
  const failed = Promise.race([
    once(child, "exit").then(([code]) => `it ended with ${code}`),
    once(child, "error").then(([error]) => error.message),
  ]).then((why) => {
    throw new Error(`${program}: ${why}; \`cargo build --workspace\` builds it`);
  });
  failed.catch(() => {});
  const lines = readline.createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => (await Promise.race([lines.next(), failed])).value;
  const url = (await line()).replace("listening on ", "");
  return {
    url,
    line,
    async advance(seconds) {
      child.stdin.write(`${seconds}\n`);
      await line();
    },
    async stop() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}

/// The access token of an account of the demo organisation.
export async function signIn(url, account) {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: "demo", "content-type": "application/json" },
    body: JSON.stringify({ email: `${account}@demo.test`, password: "demo-password" }),
  });
  if (!answer.ok) throw new Error(`${account} cannot sign in: ${answer.status}`);
  return (await answer.json()).access_token;
}

/// A proxy before `path` of the server that adds the token to what passes, and changes nothing else.
export async function proxy(url, path, token) {
  const { hostname, port } = new URL(url);
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const onward = http.request({ hostname, port, path, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
