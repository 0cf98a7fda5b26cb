"""The desks: each repeats a call until it is answered, and notes what was confirmed."""
import collections
import http.client
import json
import threading
import time
import uuid

DESKS = 6
VERSION = "2026-07-28"
# The pause before a call is repeated; a `Retry-After` is longer.
PAUSE = 0.2
READS = ("list_changes", "get_event_guest")


class Desks:
    def __init__(self, servers):
        self.servers = servers
        self.token = self.sign_in()
        events = self.once(servers[0], "events", "list_events", {}, None)["structuredContent"]["events"]
        self.event = events[0]["id"]
        # What must be there once: keys of calls, guests by name, and meetings.
        self.keys, self.guests, self.meetings = [], {}, []

    def post(self, server, path, body, headers):
        connection = http.client.HTTPConnection(server, timeout=40)
        try:
            connection.request("POST", path, json.dumps(body), {"content-type": "application/json", **headers})
            answer = connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read() or b"{}")
        finally:
            connection.close()

    def sign_in(self):
        body = {"email": "owner@demo.test", "password": "demo-password"}
        path = "/auth/v1/token?grant_type=password"
        status, _, answer = self.post(self.servers[0], path, body, {"apikey": "demo"})
        assert status == 200, answer
        return answer["access_token"]

    def once(self, server, area, tool, arguments, key):
        meta = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
        if key:
            meta["idempotencyKey"] = key
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {
            "authorization": f"Bearer {self.token}", "accept": "application/json", "mcp-protocol-version": VERSION,
            "mcp-method": "tools/call", "mcp-name": tool,
        }
        status, heads, answer = self.post(server, f"/{area}/mcp", body, headers)
        if status in (429, 502, 503, 504):
            raise Repeat(str(status), float(heads.get("retry-after") or 0))
        if status != 200 or "error" in answer or answer["result"].get("isError"):
            raise Refused(f"{tool}: {status} {json.dumps(answer)[:300]}")
        return answer["result"]

    def call(self, desk, area, tool, arguments):
        """Repeats the call at the other server until it is answered."""
        key = str(uuid.uuid4())
        began = time.monotonic()
        while True:
            server = self.servers[desk.server]
            try:
                result = self.once(server, area, tool, arguments, key)
                break
            except (OSError, http.client.HTTPException) as error:
                self.errors[type(error).__name__] += 1
                pause = PAUSE
            except Repeat as repeat:
                self.errors[str(repeat)] += 1
                pause = max(PAUSE, min(repeat.after, 1))
            desk.server = 1 - desk.server
            time.sleep(pause)
        seconds = time.monotonic() - began
        with self.lock:
            if tool not in READS:
                self.keys.append(key)
            self.seconds.append(seconds)
            self.ends.append(time.monotonic())
        return result

    def begin(self, what):
        self.what, self.stopping, self.lock = what, False, threading.Lock()
        self.errors, self.seconds, self.ends = collections.Counter(), [], [time.monotonic()]
        self.desks = [Desk(self, number) for number in range(DESKS)]
        for desk in self.desks:
            desk.start()

    def end(self):
        self.stopping = True
        for desk in self.desks:
            desk.join()
        refused = [desk.refused for desk in self.desks if desk.refused]
        assert not refused, refused
        gap = max(later - earlier for earlier, later in zip(self.ends, self.ends[1:]))
        errors = ", ".join(f"{name} {count}" for name, count in sorted(self.errors.items())) or "none"
        slow = sum(seconds > 1 for seconds in self.seconds)
        return (
            f"{self.what}: {len(self.seconds)} calls, none for {gap:.1f} s, slowest {max(self.seconds):.1f} s, "
            f"{slow} over 1 s, answers to repeat: {errors}"
        )

    def compare(self, sql):
        """What is confirmed and missing or there twice."""
        failures = []

        def counts(text):
            return dict(line.rsplit("|", 1) for line in sql(text))

        def once(what, have, wanted):
            wrong = [f"{what} {one}: {have.get(one, 0)} times" for one in wanted if have.get(one) != "1"]
            failures.extend(wrong)
            print(f"compared: {len(wanted)} × {what}")

        once("entry", counts("select idempotency_key, count(*) from app.changes group by 1"), self.keys)
        guests = counts("select name || ' ' || (check_in_at is not null), count(*) from events.guests group by 1")
        once("guest", guests, [f"{name} {str(arrived).lower()}" for name, arrived in self.guests.items()])
        extra = sql("select count(*) from events.guests where name like 'C %'")
        if extra != [str(len(self.guests))]:
            failures.append(f"{extra} guests instead of {len(self.guests)}")
        events = counts("select subject_id, count(*) from webhooks.events where type = 'meeting.created' group by 1")
        once("event", events, self.meetings)
        return failures


class Desk(threading.Thread):
    def __init__(self, desks, number):
        super().__init__(daemon=True)
        self.desks, self.server, self.name, self.refused = desks, number % 2, uuid.uuid4().hex[:8], None

    def run(self):
        try:
            number = 0
            while not self.desks.stopping:
                self.round(f"C {self.name} {number}")
                number += 1
        except (Refused, KeyError) as error:
            self.refused = repr(error)

    def round(self, name):
        desks = self.desks
        call = lambda *arguments: desks.call(self, *arguments)
        guest = call("events", "add_event_guest", {"event_id": desks.event, "name": name})
        guest = guest["structuredContent"]["guest"]["id"]
        desks.guests[name] = False
        call("events", "check_in_guest", {"id": guest})
        desks.guests[name] = True
        call("events", "update_event_guest", {"id": guest, "name": f"{name} edited"})
        # Both servers show it, whichever node answers them.
        for _ in desks.servers:
            self.server = 1 - self.server
            shown = call("events", "get_event_guest", {"id": guest})["structuredContent"]["guest"]["name"]
            if shown != f"{name} edited":
                raise Refused(f"{name} is shown as it was: {shown}")
        # The result of a repeated call does not have the change.
        wanted = {"record_id": guest, "tool": "update_event_guest"}
        changes = call("ops", "list_changes", wanted)["structuredContent"]["changes"]
        call("ops", "undo_change", {"change_id": changes[0]["id"]})
        rows = [f"{name} row {row}" for row in range(10)]
        calls = [{"tool": "add_event_guest", "arguments": {"event_id": desks.event, "name": row}} for row in rows]
        call("ops", "run_batch", {"host": "events", "calls": calls})
        desks.guests.update(dict.fromkeys(rows, False))
        meeting = call("work", "create_meeting", {"title": name, "meeting_date": "2026-12-01T10:00:00Z"})
        desks.meetings.append(meeting["structuredContent"]["meeting"]["id"])


class Repeat(Exception):
    def __init__(self, status, after):
        super().__init__(status)
        self.after = after


class Refused(Exception):
    pass
