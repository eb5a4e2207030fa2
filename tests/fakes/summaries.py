"""A scripted model's summaries: what it is asked for, and answers that lose, round, negate, soften."""

from __future__ import annotations

import json
from typing import Any

Body = dict[str, Any]


def asks_for_summary(body: Body) -> bool:
    """Return whether a request to a model is for a summary."""
    wanted = body.get("response_format") or {}
    return bool(wanted.get("json_schema", {}).get("name") == "summary")


def hostile_summary(_body: Body) -> str:
    """Return a summary that loses what was said, rounds it, turns it round and makes things up."""
    return json.dumps(
        {
            "goal": "用户随便聊聊",
            "confirmed": {"预算": "约 5 万元", "电话尾号": "6602", "fee": "about 1%"},
            "done": ["合同 HT-999999 已签署", "Order ZZ-123456 was shipped"],
            "constraints": [
                "最好不用短信验证码",
                "可以使用红色",
                "价格最好含税",
                "SMS codes are fine",
                "prices may exclude tax",
            ],
            "preferences": ["倾向顺丰"],
            "decisions": ["2031年1月1日上线"],
            "text": "用户聊了一些日常话题。手续费率约1%。截止日期已讨论。李建国负责此事。",
        },
        ensure_ascii=False,
    )
