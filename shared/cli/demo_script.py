"""What `bilayer demo` says over two sessions, and what must come of it: the demo checks itself.

The checks are of memory, not of a model's wording, so that they also hold with a model of one's own.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shared.cli.chat import Conversation, Turn
from shared.cli.show import describe_held

SOONER_SECONDS = 1.0
JOB_SECONDS = 15.0
POLL_SECONDS = 0.1
OVER = frozenset({"finished", "dead"})


@dataclass(frozen=True)
class Line:
    """What the user says, and what the turn must show: a question, a command, a recalled row, a prompt."""

    text: str
    asks: str = ""
    applies: str = ""
    recalls: str = ""
    prompt_holds: str = ""


FIRST = (
    Line("你好，我是张工，负责ABC项目", asks="项目编号"),
    Line("项目编号是PROJ-2024-001", applies="business_context.project_id"),
    Line("记住我的邮箱是zhang@example.com", applies="user_profile.contact.email"),
    Line("Remember: the quarterly report goes out on the first Friday.", applies="remember"),
    Line("机房的备用钥匙在前台李姐那里"),
    Line("The printer on the third floor takes only A4 paper."),
)
SECOND = (
    Line("备用钥匙在谁那里？", recalls="李姐"),
    Line("When does the quarterly report go out?", recalls="first Friday"),
    Line("我的项目编号是多少？", prompt_holds="PROJ-2024-001"),
)
AFTER_ARCHIVE = (
    Line("机房的备用钥匙放在哪里？", recalls="李姐"),
    Line("Which paper does the printer on the third floor take?", recalls="A4 paper"),
)


class Play:
    """The conversation as it is played; `problems` are sentences about what was not as it should be."""

    def __init__(self, first: Conversation, second: Conversation, *, stranger: Conversation) -> None:
        self.first = first
        self.second = second
        self.stranger = stranger
        self.remote = first.remote
        self.problems: list[str] = []

    def run(self) -> list[str]:
        """Play it all; returns the problems.

        Raises:
            Refused, Unreachable: a turn could not be taken.
        """
        self.head("Session one: an introduction, a question answered, two commands, two remarks")
        self.say_all(self.first, FIRST)
        time.sleep(SOONER_SECONDS)
        self.head("Session two, one second later: what the first one said is known, no job has moved it")
        self.say_all(self.second, SECOND)
        self.archive()
        self.head("After the archive: the same, now from long-term memory")
        self.say_all(self.second, AFTER_ARCHIVE)
        self.head("Another user asks: nothing of this is theirs")
        self.say_line(self.stranger, SECOND[0].text)
        if self.stranger.take(SECOND[0].text).recalled:
            self.problems.append("Another user's question recalled something.")
        self.show_held()
        return self.problems

    def say_all(self, conversation: Conversation, lines: Sequence[Line]) -> None:
        for line in lines:
            self.say_line(conversation, line.text)
            turn = conversation.take(line.text)
            self.problems += find_problems(line, turn)
            if line.prompt_holds and line.prompt_holds not in self.prompt_of(conversation, line.text):
                self.problems.append(f'The prompt of "{line.text}" lacks {line.prompt_holds}.')

    def prompt_of(self, conversation: Conversation, text: str) -> str:
        """Return the prompt that this message would be sent with now, as one text."""
        sent = self.remote.post(f"/v1/sessions/{conversation.session}/context", {"message": text})
        return "\n".join(str(message["content"]) for message in sent["messages"][:-1])

    def archive(self) -> None:
        """Archive both sessions and wait until it is done."""
        sessions = [self.first.session, self.second.session]
        for session in sessions:
            for job_id in self.remote.post(f"/v1/sessions/{session}/flush")["job_ids"]:
                if self.wait_for(job_id) != "finished":
                    self.problems.append(f"The archive of session {session} did not finish.")
            state = self.remote.get(f"/v1/sessions/{session}")
            if state["archived_to"] < state["messages"]:
                self.problems.append(f"Session {session} is not archived as a whole.")

    def wait_for(self, job_id: str) -> str:
        """Return a job's status once it is over, or as it stands when patience ends."""
        deadline = time.monotonic() + JOB_SECONDS
        while True:
            status = str(self.remote.get(f"/v1/jobs/{job_id}")["status"])
            if status in OVER or time.monotonic() > deadline:
                return status
            time.sleep(POLL_SECONDS)

    def show_held(self) -> None:
        """Print what is held, and which jobs ran; a field or memory that is missing is a problem."""
        held = self.remote.get("/v1/show")
        self.head("What is held")
        for row in describe_held(held):
            self.first.say(row, style="")
        wanted = {line.applies for line in FIRST if "." in line.applies}
        missing = wanted - {field["path"] for field in held["fields"]}
        if missing or not held["memories"]:
            self.problems.append(f"Long-term memory lacks {', '.join(sorted(missing)) or 'the memory'}.")
        self.head("Jobs")
        jobs = self.remote.get("/v1/jobs", limit=200)["items"]
        for row in describe_jobs(jobs):
            self.first.say(row, style="")
        if any(job["status"] == "dead" for job in jobs):
            self.problems.append("A job failed for good.")

    def say_line(self, conversation: Conversation, text: str) -> None:
        conversation.say(f"> {text}", style="bold")

    def head(self, text: str) -> None:
        self.first.say(f"\n== {text} ==\n", style="bold magenta")


def find_problems(line: Line, turn: Turn) -> Iterator[str]:
    """Yield what a turn lacks of what its line must show."""
    done = turn.done
    if done["degraded"]:
        yield f'The model did not answer "{line.text}"; the reply came from memory.'
    if line.asks and line.asks not in done["reply"]["content"]:
        yield f'The reply to "{line.text}" does not ask for {line.asks}.'
    applied = {name for one in done["commands"] if one["outcome"] == "applied" for name in names_of(one)}
    if line.applies and line.applies not in applied:
        yield f'"{line.text}" did not apply {line.applies}.'
    if line.recalls and not any(line.recalls in row["text"] for row in turn.recalled):
        yield f'"{line.text}" did not recall "{line.recalls}".'


def names_of(command: dict[str, Any]) -> set[str]:
    return {str(command["kind"]), str(command["path"])}


def describe_jobs(jobs: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield how many jobs of each name ended how."""
    ends = [(job["job"], job["status"]) for job in jobs]
    for name, status in sorted(set(ends)):
        yield f"  {name}: {ends.count((name, status))} {status}"
