"""A substitute for 'tidewise serve' that answers with prepared runs."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "0123456789abcdef0123456789abcdef"


class StandIn:
    """`page`: the document; `accepted`: the data of a run; `answers`: the data of planned runs, in order."""

    def __init__(self, page, accepted, answers, mission, seconds=0.0):
        self.page, self.accepted, self.answers, self.mission = page, accepted, answers, mission
        self.seconds = seconds  # duration of a plan
        self.asked = []  # [(path, question)]
        self.count = 0
        self.number = "run-0"
        self.job = self.failed = self.proposal = self.fails = self.watch = None
        self.changes = {}
        self.early = None  # the proposal of a running job, with figures but without map data
        self.lock = threading.Lock()
        self.port = 0
        self.start()

    def start(self):
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, status, content, kind="application/json"):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Content-Security-Policy", "frame-ancestors 'none'")
                self.end_headers()
                self.wfile.write(content)

            def do_GET(self):  # noqa: N802
                if self.path == "/":
                    self.answer(200, owner.page.encode(), "text/html; charset=utf-8")
                else:
                    self.answer(404, b"")

            def do_POST(self):  # noqa: N802
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, answer = 403, {"error": "Wrong token.", "code": "wrong_token"}
                if self.headers["X-Tidewise-Token"] == TOKEN:
                    with owner.lock:
                        status, answer = owner.respond(self.path.removeprefix("/api/"), question)
                self.answer(status, json.dumps(answer).encode())

        self.http = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    token = TOKEN

    def stop(self):
        self.http.shutdown()
        self.http.server_close()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    def questions(self, path):
        return [question for requested, question in self.asked if requested == path]

    def respond(self, path, question):
        if path != "state":
            self.asked.append((path, question))
        self.finish()
        answer = getattr(self, f"answer_{path}")(question)
        return answer if isinstance(answer, tuple) else (200, answer)

    def finish(self):
        """End the job when its time is over."""
        if self.job is None or time.monotonic() < self.job + self.seconds:
            return
        self.job = None
        if self.fails:
            self.failed = self.fails
        else:
            self.propose("drag")

    def propose(self, reason):
        self.count += 1
        mission = {**self.mission, **self.changes}
        self.proposal = {"id": f"run-{self.count}", "reason": reason, "figures": {}, "mission": mission}
        self.proposed = self.answers[(self.count - 1) % len(self.answers)]

    def answer_run(self, _):
        return {**self.accepted, "id": self.number, "mission": self.mission, "proposal": self.proposal}

    def answer_plan(self, question):
        if self.job is not None:
            return 409, {"error": "A plan is being made.", "code": "busy"}
        self.changes = question
        self.job, self.failed = time.monotonic(), None
        return {"job": self.count + 1}

    def answer_state(self, _):
        work = {"job": None if self.job is None else 1, "work": "solving", "done": 0, "total": 100, "unit": "levels"}
        if self.job is not None:
            work["done"] = int(100 * (time.monotonic() - self.job) / self.seconds)
        return {**work, "failed": self.failed, "warnings": [],
                "proposal": self.early if self.early and self.job is not None else self.proposal, "watch": self.watch}

    def answer_cancel(self, _):
        self.job = None
        return {}

    def answer_proposal(self, _):
        return self.proposed

    def answer_accept(self, question):
        if self.proposal is None or question["id"] != self.proposal["id"]:
            return 409, {"error": "This proposal has been replaced.", "code": "no_proposal"}
        self.accepted, self.number, self.proposal = self.proposed, self.proposal["id"], None
        return {}

    def answer_reject(self, _):
        self.proposal = None
        return {}

    def answer_export(self, question):
        return {"name": f"route.{question['format']}", "text": f"a route as {question['format']}"}
