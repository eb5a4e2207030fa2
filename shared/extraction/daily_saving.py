"""Saving a thing of daily work: "The draft is bad, don't save it", 这版草稿不行，别保存了. Pure.

What is not to be saved there is a document, a picture or code that was just judged, and nothing that was said.
The words before must begin with the thing and judge it; where they speak of the user, or of what stands in the
thing, they may be private, and are what is not to be kept.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

_THING_EN: Final = r"(?:draft|document|doc|file|picture|photo|image|screenshot|sketch|drawing|chart|diagram|code|script|snippet|function|patch|branch|commit|query|spreadsheet|sheet|table|slides?|deck|presentation|version|copy|edits?|changes?|attachment|recording|video|clip|page|form|template|layout|design|essay|article|report|summary|letter|email|mail|translation|poster|resume|cv|config|output|result|one)"
_SUBJECT_EN: Final = rf"(?:the|this|that|these|those|your|my|our|his|her|their)\s+(?:[\w-]+\s+){{0,2}}?{_THING_EN}(?:\s+(?:that\s+)?you\s+(?:just\s+)?(?:wrote|made|drew|sent|generated|showed\s+me|gave\s+me))?"
_JUDGES_EN: Final = r"(?:'s|\s+(?:is|are|was|were|isn't|aren't|wasn't|looks?|seems?|sounds?|reads?|has|have|needs?|contains?|came\s+out|turned\s+out|doesn't\s+(?:work|look|read|compile|run|open)|didn't\s+(?:work|save|compile|open)|won't\s+(?:open|run|compile)))\b(?!\s+(?:about|on)\b)"
_SUBJECT_ZH: Final = r"(?:(?:那|嗯|唉|哎|这样|好吧)[，,\s]*)?[这那上刚才现在你我们咱他她的写画做生成给]{0,12}(?:一|几)?[个版份张段篇幅页些封套条]?的?[^，,。我他她你]{0,6}?(?:草稿|初稿|底稿|稿子|稿|文档|文件|图片|图|照片|截图|代码|脚本|函数|补丁|分支|表格|表|幻灯片|PPT|ppt|版本|版|视频|录音|附件|邮件|信|设计|模板|页面|排版|配置|文案|文章|作文|翻译|译文|摘要|海报|简历|方案|报告|结果)"
_JUDGES_ZH: Final = r"(?!.{0,20}(?:里有|里面有|显示|写着|提到|关于|说|记着))[^，,。]{0,8}?(?:不行|不好|不对|不合适|不满意|不够|不太|不能用|不是最终|不要了|不用了|有问题|有错|有误|错了|写错|做错|画错|太|没写完|没做完|没改完|未完成|还没|坏了|损坏|打不开|糊|丑|乱|旧|过期|作废|废了|没用|重写|重做|重来|重画|一般|烂|很差|失败|残缺)"
_STORES: Final = re.compile(
    r"\b(?:save|store|log)\s+(?:it|this|that|them)\b|(?:保存|存储|储存|留存|存档|存下来?|存|留底)"
)
_JUDGED: Final = re.compile(
    rf"\s*(?:(?:oh|ok|okay|well|hmm|so|no)[,\s]+){{0,2}}{_SUBJECT_EN}{_JUDGES_EN}|\s*{_SUBJECT_ZH}{_JUDGES_ZH}"
)
_OWN: Final = re.compile(r"\b(?:i|i'\w+|me|my|mine|we|our|us)\b|[我咱]|本人")
_MOST_CHARS: Final = 120


def is_of_a_document(before: str, asked: str) -> bool:
    """True where `asked` is not to save what the sentence `before` judges, and says nothing of the user.

    Both are folded. A request that is about noting or remembering speaks of the memory.
    """
    if len(before) > _MOST_CHARS or not _STORES.search(asked):
        return False
    judged = _JUDGED.match(before)
    return judged is not None and not _OWN.search(before, judged.end())
