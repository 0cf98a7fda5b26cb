"""The official Python client, in both eras."""

import asyncio
import json
import os
import pathlib

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult, PromptReference

BUILT = pathlib.Path(__file__).parent / "../../target/debug"
PROGRAM = BUILT / "fixture-host"
# The hosts with their own prompts; the fixture host has those of the conformance suite.
HOSTS = [BUILT / "frontdesk-server", "serve", "--demo", "--database", "memory", "--rate-limit", "0", "--listen", "127.0.0.1:0"]
DAY = 24 * 60 * 60
WITH_OUTPUTS = {"frontdesk/outputSchemas": True}


class Server:
    """The server, with 100 calls a minute for a caller at a host."""

    def __init__(self, *command):
        self.command = command or (PROGRAM, "100")

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        env = {**os.environ, "RUST_LOG": "warn"}
        self.process = await asyncio.create_subprocess_exec(*self.command, stdin=pipe, stdout=pipe, env=env)
        line = await self.process.stdout.readline()
        self.url = line.decode().strip().removeprefix("listening on ")
        assert self.url, f"{self.command[0]} ended; `cargo build --workspace` builds it"
        return self

    async def __aexit__(self, *_):
        self.process.stdin.close()
        if self.command[0] != PROGRAM:
            self.process.terminate()
        await self.process.wait()

    async def advance(self, seconds):
        self.process.stdin.write(f"{seconds}\n".encode())
        await self.process.stdout.readline()

    async def sign_in(self, account):
        """The access token of an account of the demo organisation."""
        async with httpx2.AsyncClient(headers={"apikey": "demo"}) as http:
            answer = await http.post(
                f"{self.url}/auth/v1/token?grant_type=password",
                json={"email": f"{account}@demo.test", "password": "demo-password"},
            )
            return answer.raise_for_status().json()["access_token"]


class Caller:
    """A client that is signed in, and the statuses of what it was answered."""

    def __init__(self, server, host, token, mode, asked=None):
        self.status = None
        self.statuses = set()

        async def see(response):
            if response.request.method == "POST":
                self.status = response.status_code
                self.statuses.add(response.status_code)

        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx2.AsyncClient(headers=headers, event_hooks={"response": [see]})
        transport = streamable_http_client(f"{server.url}/{host}/mcp", http_client=self.http)
        # Without a cache: every list is asked for.
        self.client = Client(transport, mode=mode, cache=None, elicitation_callback=asked)

    async def __aenter__(self):
        await self.http.__aenter__()
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *error):
        await self.client.__aexit__(*error)
        await self.http.__aexit__(*error)

    async def call(self, tool, **arguments):
        return await self.client.call_tool(tool, arguments)

    async def refused(self, status, call):
        """The call must end in the client's own error, with this status."""
        try:
            await call
        except MCPError:
            assert self.status == status, f"{self.status} is not {status}"
        else:
            raise AssertionError(f"it was not refused with {status}")


async def question(server, mode):
    """A person is asked before an invitation, and it is made only after a yes."""
    answers = [ElicitResult(action="decline"), ElicitResult(action="accept", content={"confirm": True})]
    questions = []

    async def asked(_, params):
        questions.append(params.message)
        return answers.pop(0)

    async with Caller(server, "staff", await server.sign_in("owner"), mode, asked) as owner:
        invitation = {"name": "Bia", "email": f"bia-{mode}@demo.test", "role": "staff"}
        refused = await owner.call("invite_staff", **invitation)
        assert refused.is_error and "did not agree" in refused.content[0].text, refused
        made = await owner.call("invite_staff", **invitation)
        assert made.structured_content["invitation"]["name"] == "Bia", made
    assert len(questions) == 2 and "invitation (“Bia”)" in questions[0], questions


async def story(server, mode, version):
    staff = await server.sign_in("staff")
    async with Caller(server, "events", staff, mode) as desk:
        assert desk.client.protocol_version == version, desk.client.protocol_version
        listed = (await desk.client.list_tools()).tools
        assert len(listed) == 35
        assert all(tool.output_schema is None for tool in listed)
        # Asked for, they are listed, and it holds what comes back to them.
        listed = (await desk.client.list_tools(meta=WITH_OUTPUTS)).tools
        assert all(tool.output_schema for tool in listed)
        event = (await desk.call("list_events")).structured_content["events"][0]
        refused = await desk.call("get_event", id="one")
        assert refused.is_error
        assert json.loads(refused.content[0].text)["error"]["code"] == "invalid_argument"

        async with Caller(server, "work", await server.sign_in("admin"), mode) as work:
            tools = (await work.client.list_tools(meta=WITH_OUTPUTS)).tools
            assert "merge_meetings" in [tool.name for tool in tools]
            assert (await work.call("list_meeting_series")).structured_content["series"]

        nobody = Caller(server, "events", "nobody", mode)
        await nobody.http.__aenter__()
        try:
            await nobody.client.__aenter__()
        except BaseException:  # A group of errors, of which none says 401.
            assert nobody.status == 401, nobody.status
        else:
            raise AssertionError("nobody was let in")
        await nobody.http.__aexit__(None, None, None)

        async with Caller(server, "events", await server.sign_in("teacher"), mode) as teacher:
            await teacher.refused(403, teacher.call("update_event", id=event["id"], name="Mine"))

        async with Caller(server, "quiz", await server.sign_in("owner"), mode) as owner:

            for _ in range(100):
                await owner.client.list_tools()
            # One after the other they would wait for their turn.
            many = [owner.client.list_tools() for _ in range(20)]
            ends = await asyncio.gather(*many, return_exceptions=True)
            assert any(isinstance(end, MCPError) for end in ends), ends
            assert 429 in owner.statuses, owner.statuses

        await server.advance(DAY)
        if mode == "legacy":
            await desk.refused(404, desk.call("list_events"))
            async with Caller(server, "events", staff, mode) as again:
                assert len((await again.client.list_tools()).tools) == 35
        else:
            assert (await desk.call("list_events")).structured_content["events"]
    await question(server, mode)
    print(f"mcp, {mode}: {version}")


async def prompts(server, mode):
    """Gets every prompt of all hosts, with the first suggestion for each of its arguments."""
    async with Caller(server, "agents", await server.sign_in("owner"), mode) as owner:
        listed = (await owner.client.list_prompts()).prompts
        assert len(listed) == 6, listed
        for prompt in listed:
            arguments = {}
            for argument in prompt.arguments:
                about = PromptReference(type="ref/prompt", name=prompt.name)
                answer = await owner.client.complete(about, {"name": argument.name, "value": ""})
                values = answer.completion.values
                assert values or not argument.required, (prompt.name, argument.name)
                if values:
                    arguments[argument.name] = values[0]
            messages = (await owner.client.get_prompt(prompt.name, arguments)).messages
            contents = [message.content for message in messages]
            text = "\n".join(one.text if one.type == "text" else f"{one.resource.uri} {one.resource.text}" for one in contents)
            for value in arguments.values():
                assert value.split("~")[-1] in text, (prompt.name, text)
    print(f"mcp, {mode}: {len(listed)} prompts")


async def main():
    async with Server() as server:
        await story(server, "legacy", "2025-11-25")
        await story(server, "auto", "2026-07-28")
    async with Server(*HOSTS) as server:
        await prompts(server, "legacy")
        await prompts(server, "auto")


if __name__ == "__main__":
    asyncio.run(main())
