"""Failure stories about summaries, played with a model that fails or lies, and without one."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Callable, Iterator

import pytest
from redis import Redis

from shared.model.job import MODEL_REPORT
from tests.e2e.stack import Stack, User
from tests.e2e.test_stm_cases import append, newcomer, small_talk
from tests.fakes.summaries import asks_for_summary, hostile_summary
from tests.fakes.upstream import Body, Script, Upstream, UpstreamThread, say_last_message

pytestmark = pytest.mark.e2e

MARKS = {
    "BILAYER_SUMMARY_HIGH_WATERMARK_TOKENS": "400",
    "BILAYER_SUMMARY_LOW_WATERMARK_TOKENS": "100",
    "BILAYER_IDLE_FLUSH_SECONDS": "1",
}
"""Marks so low that the stories' short turns are summarised at all."""


class Teller:
    """A stack of the module's own, whose model summarises as a test says."""

    def __init__(self, stack: Stack, upstream: Upstream) -> None:
        self.stack = stack
        self.upstream = upstream

    def summarise(self, tell: Callable[[Body], str]) -> None:
        """Let the model answer requests for a summary with this from now on."""
        self.upstream.default = Script()
        self.upstream.reply = lambda body: tell(body) if asks_for_summary(body) else say_last_message(body)

    def fail(self, script: Script) -> None:
        """Let requests for a summary be answered by this script, and chats as ever.

        The outage of an earlier story is forgotten: else the work that comes due would wait for it to end.
        """
        with Redis.from_url(self.stack.redis_url) as client:
            client.delete(f"bilayer:report:{MODEL_REPORT}")
        self.upstream.default = script

    def asked(self, word: str) -> int:
        """Return how many requests for a summary named a word."""
        requests = list(self.upstream.requests)
        return sum(
            asks_for_summary(body) and word in json.dumps(body, ensure_ascii=False) for body in requests
        )

    def metrics(self) -> str:
        """Return the front's metrics."""
        with self.stack.admin() as admin:
            return admin.get("/metrics").text

    def reasons(self) -> set[str]:
        """Return why jobs that will be tried again have failed."""
        with self.stack.admin() as admin:
            jobs = admin.get("/v1/jobs", params={"status": "retrying", "limit": 200}).json()["items"]
        return {job["reason"] for job in jobs if job["job"] == "compact"}


@pytest.fixture(scope="module")
def teller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Teller]:
    with UpstreamThread() as upstream:
        environ = {"BILAYER_LLM_BASE_URL": upstream.base_url, **MARKS}
        with Stack(tmp_path_factory.mktemp("teller"), environ=environ) as stack:
            yield Teller(stack, upstream)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The same without a model: summaries are made by rule."""
    with Stack(tmp_path_factory.mktemp("quiet"), environ=MARKS) as stack:
        yield stack


def wait_for(claim: Callable[[], bool], *, seconds: float = 40.0) -> bool:
    deadline = time.monotonic() + seconds
    while not claim() and time.monotonic() < deadline:
        time.sleep(0.1)
    return claim()


def compacted_to(user: User, session_id: str) -> int:
    seq: int = user.get(f"/v1/sessions/{session_id}")["compacted_to"]
    return seq


ORDERS = [
    (
        (
            "订单号 PZ-88213，预算 46,500 元，交期 2026-04-17，联系人 叶知秋 电话尾号 6620，"
            "地址 B7-1903，不要发票，只能顺丰"
        ),
        ("闲聊填充{}，今天天气不错", "嗯嗯{}"), "把刚才订单的所有要点列给我",
        ("PZ-88213", "46,500", "2026-04-17", "叶知秋", "6620", "B7-1903", "不要发票", "只能顺丰"),
    ),
    (
        (
            "Order PZ-88213, budget $46,500, due 2026-04-17, contact Marta Ruiz, extension 6620, "
            "room B7-1903, no invoice, only use SF courier"
        ),
        ("just some small talk {}", "ok {}"), "List everything about my order",
        ("PZ-88213", "46,500", "2026-04-17", "Marta Ruiz", "6620", "B7-1903", "no invoice", "only use SF"),
    ),
]  # fmt: skip


@pytest.mark.parametrize("has_model", [True, False], ids=["hostile model", "no model"])
@pytest.mark.parametrize(("said", "filler", "asked", "values"), ORDERS, ids=["zh", "en"])
def test_eight_values_outlive_five_summaries(
    request: pytest.FixtureRequest,
    said: str,
    filler: tuple[str, str],
    *,
    asked: str,
    values: tuple[str, ...],
    has_model: bool,
) -> None:
    """The story of SUM-01. The model tries to lose, round, negate and soften them."""
    if has_model:
        teller: Teller = request.getfixturevalue("teller")
        teller.summarise(hostile_summary)
        user = newcomer(teller.stack, "sum1")
    else:
        user = newcomer(request.getfixturevalue("quiet"), "sum1")
    append(user, "s1", ("user", said))
    for turn in range(5):
        before = compacted_to(user, "s1")
        append(user, "s1", *small_talk(*filler, start=30 * turn))
        assert wait_for(lambda before=before: compacted_to(user, "s1") > before)  # type: ignore[misc]
    prompt = user.prompt("s1", asked)
    assert all(value in prompt for value in values)
    for wrong in ("约 5 万", "6602", "HT-999999", "最好", "倾向顺丰", "李建国"):
        assert wrong not in prompt


BROKEN = {
    "an error": Script(refuse=lambda body: 500 if asks_for_summary(body) else None),
    "no reply at all": Script(raw=b"<html>gateway</html>"),
    "nothing": Script(pieces=("",)),
    "a refusal": Script(pieces=("I cannot help with that.",)),
    "half an answer": Script(
        raw=json.dumps(
            {"choices": [{"message": {"content": '{"text": "half'}, "finish_reason": "length"}]}
        ).encode()
    ),
    "an invented number": Script(pieces=('{"text": "The budget is 99,999."}',)),
    "silence": Script(pieces=('{"text": "The user',), hang_after=0),
}

COUNTED = {"a refusal": "not_json", "an invented number": "number"}
"""What metrics call them; the job's reason is told too, and it is tried again."""


@pytest.mark.parametrize("kind", BROKEN)
def test_no_turn_leaves_before_a_summary_of_it_is_good(teller: Teller, kind: str) -> None:
    """The story of SUM-03. Then it is made as soon as the model is well again."""
    user = newcomer(teller.stack, "sum3")
    word = uuid.uuid4().hex[:8]
    teller.fail(BROKEN[kind])
    try:
        append(
            user,
            "s1",
            *small_talk(
                f"fact {word} {{}}: colour {{}}".replace("{}: colour {}", "{0}: colour {0}"),
                "noted {}",
                turns=60,
            ),
        )
        if kind != "an error":
            assert wait_for(lambda: teller.asked(word) >= 1)
        if kind in COUNTED:
            counter = f'bilayer_summary_repairs_total{{reason="{COUNTED[kind]}"}}'
            assert wait_for(lambda: counter in teller.metrics())
            assert wait_for(lambda: "summary_refused" in teller.reasons())
        time.sleep(1.0)
        session = user.get("/v1/sessions/s1")
        assert (session["compacted_to"], session["summary"]) == (0, None)
        assert len(user.history("s1")) == 120
        assert "fact" in user.prompt("s1", "go on")
    finally:
        teller.summarise(lambda _: json.dumps({"goal": "colours", "text": "The user named colours."}))


def test_one_summary_at_a_time_and_one_block_of_it(teller: Teller) -> None:
    """The story of SUM-05."""
    user = newcomer(teller.stack, "sum5")
    word = f"w{uuid.uuid4().hex[:8]}"
    answer = json.dumps({"goal": "talk", "text": "S"})

    def slowly(_: Body) -> str:
        time.sleep(0.8)
        return answer

    teller.summarise(slowly)
    append(user, "s1", *small_talk(word + " {}", "r {}", turns=60))
    for number in range(8):
        user.turn("s1", f"more {number}")
    assert wait_for(lambda: compacted_to(user, "s1") > 0)
    assert teller.asked(word) == 1
    append(user, "s1", *small_talk("t2 {}", "r2 {}", turns=60))
    first = compacted_to(user, "s1")
    assert wait_for(lambda: compacted_to(user, "s1") > first)
    assert user.get("/v1/sessions/s1")["summary"]["version"] == 2
    prompt = user.prompt("s1", "go")
    assert len(re.findall(r"\[Summary\]|【摘要】", prompt)) == 1


PERSONAS = [
    ("你说话要像老北京", ("聊{}，随便说说家里的事", "得嘞{}"), "用户在装修厨房", "接着说", "老北京"),
    (
        "Talk like a pirate",
        ("chat {}, just things at home", "aye {}"), "The user rebuilds a kitchen", "go on", "pirate",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("system", "filler", "told", "then", "word"), PERSONAS, ids=["zh", "en"])
def test_system_text_once_then_the_summary_then_the_recent_turns(
    teller: Teller, system: str, filler: tuple[str, str], *, told: str, then: str, word: str
) -> None:
    """The story of SUM-07."""
    user = newcomer(teller.stack, "sum7")
    teller.summarise(lambda _: json.dumps({"text": f"{told}。"}, ensure_ascii=False))
    append(user, "s1", ("system", system), *small_talk(*filler, turns=40))
    assert wait_for(lambda: compacted_to(user, "s1") > 0)
    prompt = user.prompt("s1", then)
    assert told in prompt
    assert prompt.count(word) == 1
    assert prompt.index(word) < prompt.index(told) < prompt.rindex(then)
    turn = user.turn("s1", then)
    sent = next(body for body in reversed(teller.upstream.requests) if not asks_for_summary(body))
    assert json.dumps(sent, ensure_ascii=False).count(told) == 1
    assert turn["reply"]["content"].startswith("You said")


RULES = [
    (
        "规则：不要用红色，文案里不准出现竞品名字，未经我同意不能发邮件",
        ("第{}轮普通讨论，内容随意填充一些字", "收到第{}轮"), "出一版海报文案并处理后续",
        ("不要.*红色|禁.*红", "竞品", "同意.*(不能|不得|才).*邮件|邮件.*同意"), "使用红色",
    ),
    (
        "Rules: do not use red, never mention competitors, don't send emails without my approval",
        ("Round {} of an ordinary talk, filled with words", "noted round {}"), "Write the poster",
        ("not use red", "never mention competitors", "without my approval"), "uses red",
    ),
]  # fmt: skip


@pytest.mark.parametrize("has_model", [True, False], ids=["hostile model", "no model"])
@pytest.mark.parametrize(("said", "filler", "asked", "rules", "wrong"), RULES, ids=["zh", "en"])
def test_prohibitions_and_approvals_stay_binding(
    request: pytest.FixtureRequest,
    said: str,
    filler: tuple[str, str],
    *,
    asked: str,
    rules: tuple[str, ...],
    wrong: str,
    has_model: bool,
) -> None:
    """The story of NEG-04."""
    if has_model:
        teller: Teller = request.getfixturevalue("teller")
        denied = ["最好不用红色", "it uses red at times"]
        soft = {"text": "未提到红色。可以使用红色。", "constraints": denied}
        teller.summarise(lambda _: json.dumps(soft, ensure_ascii=False))
        user = newcomer(teller.stack, "neg4")
    else:
        user = newcomer(request.getfixturevalue("quiet"), "neg4")
    append(user, "s1", ("user", said), *small_talk(*filler, turns=40))
    if has_model:
        teller.summarise(lambda _: json.dumps({"goal": "海报", **soft}, ensure_ascii=False))
    assert wait_for(lambda: compacted_to(user, "s1") > 0)
    prompt = user.prompt("s1", asked)
    assert all(re.search(rule, prompt) for rule in rules)
    assert wrong not in prompt
    assert "最好不用红色" not in prompt


@pytest.mark.parametrize(
    ("said", "forget", "filler"),
    [
        ("记住我的储物柜是7719号", "忘记我的储物柜", "闲聊 {}"),
        ("Remember my locker is number 7719", "forget my locker", "small talk {}"),
    ],
    ids=["zh", "en"],
)
def test_a_forgotten_memory_is_in_no_summary_that_is_shown(
    teller: Teller, said: str, forget: str, filler: str
) -> None:
    user = newcomer(teller.stack, "gone")
    told = {"text": said, "goal": said, "preferences": [said]}
    teller.summarise(lambda _: json.dumps(told, ensure_ascii=False))
    user.turn("s1", said)
    append(user, "s1", *small_talk(filler, "r {}", turns=60))
    assert wait_for(lambda: compacted_to(user, "s1") > 0)
    assert "7719" in json.dumps(user.get("/v1/sessions/s1")["summary"])
    user.turn("s2", forget)
    with teller.stack.admin() as admin:
        held = admin.get("/v1/show", params={"session_id": "s1"}, headers=user.client.headers).json()
    for shown in (user.get("/v1/sessions/s1"), held["session"]):
        assert shown["summary"]["version"] > 0
        assert "7719" not in json.dumps([shown["summary"], shown["key_facts"]])
    assert "7719" not in user.prompt("s1", "?")
