"""Words of which a message with a command holds at least one, unless it names a label of the schema.

Looked for in raw text (`ltm.raw_words`), so that a message without any of them is never folded.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split("/"))


_NO_MORE: Final = tuple(
    f"{no}再{verb}" for no in "别要许准能必需用想意望算" for verb in "提聊谈讨说问记继跟对主和老总一让保存留"
)

TRIGGERS_ZH: Final = _NO_MORE + _words(
    """
    记件 记条 记笔 别记 用记 必记 需记 须记 要记 勿记 甭记
    记住 记好 记牢 记着 记下 记一 记个 记上 记录 记得 记成 记作 记为 记入 记到 记进 记在 牢记 记忆 备忘
    存档 写下
    备注 标记 存一下 存下 存好 存起 保存 登记 录入 别忘 要忘 能忘 勿忘 许忘 准忘 以后 今后 从现在 从今
    往后 接下来 从此 更正 更新 改一下 改下 纠正 修正 勘误 订正 改正 忘掉 忘了 忘记 忘却 忘吧 忘光
    别保留 要保留 别留 要留着 勿保留 用保留 必保留 删除 删掉 删了
    删去 删吧
    删一 删干 删我 删光 删你 删这 删那 清除
    清掉 清空 抹掉 抹去 移除 去掉 拿掉 撤掉 重置 别提 要讨论 要聊 要谈 能提 能聊 暂时别 要提 别聊
    别谈 别说 别讨论 别跟我 要跟我 想再 想聊 想谈 想提 不想 不愿 不希望 先不 停止 禁止 请勿 别老 别总
    别一直 重新 可以聊 可以谈 可以提 可以讨论 可以再 可以继续 能聊 能谈 解除 撤销 撤回 撤消 回退 回滚
    还原 改回 换回 恢复 取消 确认 确定 同意 拒绝 驳回 否决 忽略 当我没说 作废
    """
)
TRIGGERS_EN: Final = _words(
    """
    remember remembering rember remeber remembr remenber rememeber remmember rememer
    memorize memorise memory memories mind forget note notes jot save saving store
    storing record log henceforth onwards correction update edit fix erratum amendment misspoke delete
    remove erase wipe clear purge scrub drop mention mentioning discuss discussing undo revert restore
    confirm reject decline dismiss discard unremember lift raise raising avoid steer
    """
) + _phrases(
    """
    write down / put down / take down / from now on / from here on / going forward / from today / in
    future / in the future / change of plan / change of plans / stand corrected / correct that /
    correct myself / get rid / bring up / bringing up / talk about / talking about / talk to me /
    talking to me / speak about / speak of / ask about / ask me about / asking about / asking me about
    / this down / following down / memo / for the record / on file / on record / for later
    / it back / that back
    / remind me / reminding me / refer to / hear about / chat about / stay away / stay clear / roll
    back / take back / go back to / bring back / am sure / turn down / keep that / don't keep
    / do not keep / want you to / rather you / prefer you / hold on to / stop
    keeping / no longer keep / no more questions
    """
)
