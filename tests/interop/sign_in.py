"""The official Python client and FastMCP's sign in by themselves: they are given the address of a host and nothing
else, find where to sign in, register, send somebody to the page, and call."""

import asyncio
import re
import threading
import webbrowser

import fastmcp
import httpx2
from fastmcp.client.auth import OAuth
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

from python_client import Server

BACK = "http://127.0.0.1:5000/callback"


def visit(address):
    """What a browser does: it opens the page, sends the form with its cookie, and is told where to go."""
    with httpx2.Client() as browser:
        page = browser.get(address).raise_for_status()
        action = re.search(r'action="([^"]+)"', page.text)[1]
        flow = re.search(r'name="flow" value="([^"]+)"', page.text)[1]
        form = {"flow": flow, "email": "staff@demo.test", "password": "demo-password"}
        answer = browser.post(action, data=form)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]


class Memory:
    """A client's memory of its registration and tokens."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def official(server):
    url = f"{server.url}/events/mcp"
    end = None

    async def redirect(address):
        nonlocal end
        end = httpx2.URL(await asyncio.to_thread(visit, address)).params

    async def called_back():
        return AuthorizationCodeResult(code=end["code"], state=end["state"], iss=end["iss"])

    memory = Memory()
    metadata = OAuthClientMetadata(client_name="frontdesk-interop", redirect_uris=[BACK])
    auth = OAuthClientProvider(url, metadata, memory, redirect, called_back)
    async with httpx2.AsyncClient(auth=auth) as http:
        async with Client(streamable_http_client(url, http_client=http)) as desk:
            assert len((await desk.list_tools()).tools) == 35
        first = memory.tokens.refresh_token
        # Its token is over, as far as it knows.
        auth.context.token_expiry_time = 1
        async with Client(streamable_http_client(url, http_client=http)) as desk:
            assert len((await desk.list_tools()).tools) == 35
        assert memory.tokens.refresh_token != first
    print("mcp: signed in, and refreshed")


async def of_fastmcp(server):
    def browse(address):
        # The page sends the browser to the client's own server, which may not listen yet.
        location = visit(address)
        transport = httpx2.HTTPTransport(retries=10)
        threading.Thread(target=lambda: httpx2.Client(transport=transport).get(location)).start()

    webbrowser.open = browse
    async with fastmcp.Client(f"{server.url}/events/mcp", auth=OAuth()) as desk:
        assert len(await desk.list_tools()) == 35
    print("fastmcp: signed in")


async def main():
    async with Server() as server:
        await official(server)
        await of_fastmcp(server)


asyncio.run(main())
