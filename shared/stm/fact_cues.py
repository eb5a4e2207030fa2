"""The words by which a clause is a prohibition, a requirement or a preference; Chinese and English.

Every pattern is read on a folded clause. What looks like a cue and is none (特别, 不要紧, 不得不,
"can't wait") is excluded where it stands: a false prohibition would bind the model to what nobody asked.
"""

import re
from typing import Final, NamedTuple

from shared.language.bare_nouns import is_bare_noun
from shared.language.sieve import Sieve
from shared.model.session_state import FactKind


class Cue(NamedTuple):
    """What a pattern says of the clause in which it stands; `english` is enough for a clause of ASCII."""

    kind: FactKind
    pattern: re.Pattern[str]
    english: re.Pattern[str]

    def stands_in(self, folded: str) -> bool:
        """Return whether the cue stands in a folded clause."""
        return (self.english if folded.isascii() else self.pattern).search(folded) is not None


_PROHIBITION_ZH: Final = (
    r"(?<!要)不要(?!紧|钱|脸|忘|错过|太?客气|担心|着急|急|谢)|不许|(?<![说拿吃])不准(?!确|时)|不得(?!不"
    r"|了|已|劲|而知)|禁止"
    r"|严禁|切勿|请勿|勿(?!忘)"
    r"|(?:^|[请千万都就也先可你您们后再了则是：:，,\s])别(?![的人处墅样名称离致扭忘急客担]|太客气|着急)"
    r"|(?<!我)(?<!我们)(?<!无)(?<!忍)(?<!自己)不(?:能|可以?)(?!不|够|思议|能|或缺|理解|同意|相信|接受得)"
    r"|避免|杜绝"
    r"|不应|不该|不接受|谢绝"
    r"|不想要|不允许|不放(?!心|假|弃)|不加(?!班|油|薪|入)"
)
_PROHIBITION_EN: Final = (
    r"\b(?:must|should|may|shall)(?: not|n't)\b|\b(?:you|we|they|it|this|that|there|nobody|prices?|colou?rs?)"
    r" (?:cannot|can't|can not)\b"
    r"|(?:^|\b(?:please|and|but|so|also|then|just|kindly|that you|you to) |[:;,] ?)"
    r"(?:do not|don't|never|avoid|stop|refrain from|no(?! (?:i|it|its|that|this|these|those|my|our"
    r"|your|his|her|their|the|a|an|we|you|he|she|they|there|not|no|sorry|actually|sir|madam|please|just|but|so"
    r"|then|because|since|nothing)\b))\b(?! (?:worry|worries|prob|be (?:afraid|shy|sad"
    r"|sorry)|get discouraged|give up|ever forget|problem|rush|doubt|idea|thanks"
    r"|forget|mind|hurry|way"
    r"|matter|one|need|you think|wonder|think (?:so|it)\b|know\b|care\b"
    r"|clue|luck|kidding|big deal|been\b|heard\b))"
    r"|\bnot allowed\b|\bforbidden\b|\bprohibited\b|\boff[- ]limits\b|\bunder no circumstances\b"
    r"|\bwithout (?:my|our|prior|written|explicit)\b.{0,20}\b(?:approval|consent|permission|sign-?off)\b"
)
_REQUIREMENT_ZH: Final = (
    r"(?<![不非无])必须(?!的|得?(?:承认|说))|务必|(?<!不)一定(?:要|得)|(?<!我)只(?:能|可以|可|许|准|用|收|发|要)(?!是|好"
    r"|不过|见|因|有)|必需"
    r"|要求|确保|保证|(?:别|不要|勿)忘|(?:^|[请要你您并也先，])记得|不得不(?!说|承认)|不能不(?!说|承认)|同意(?:后|之后"
    r"|了)?(?:才|再)"
    r"|(?<!刚)才(?:能|可以)"
    r"|对[^不没]{1,12}(?:过敏|敏感)|(?:所有|全部|一律|统一|凡是|每次|每份).{0,14}(?:用|走|发|按|通过|以|抄送)"
)
_REQUIREMENT_EN: Final = (
    r"(?<!you )(?<!that )(?<!he )(?<!she )(?<!it )\bmust\b(?!-| be (?:really|so|such|an?|very|hard|nice"
    r"|tough|great|exciting|kidding)\b| have| feel| felt| love|'ve| not|n't)"
    r"|(?:^|\b(?:please|and|but|so|also|then) |[:;,] ?)you(?: all| guys)? must (?!not\b|have\b|feel\b|know\b"
    r"|think\b|see\b|love\b|hate\b|like\b|want\b|mean\b|admit\b|agree\b|understand\b|reali[sz]e\b"
    r"|wonder\b|watch\b|visit\b|try\b|come\b(?! up)|be (?:an?|the|really|so|very|too|all|quite|just|kidding"
    r"|joking|tired|exhausted|busy|hungry|thirsty|thrilled|excited|proud|happy|sad|angry|upset|confused|mad|crazy"
    r"|right|wrong|mistaken|wondering|thinking|getting|having|feeling|new|sick|bored|fun|hard|nice)\b)"
    r"|\bit must (?!be|have|feel)|(?<!i )(?<!we )(?<!'ll )(?<!definitely )\b(?:have|has) to\b"
    r"|(?<!you )(?<!i )(?<!we )\bneeds? to be\b"
    r"|(?<!'ll )(?<!to )\bmake sure\b|\bensure\b|(?:^|\b(?:please|should|must) )always\b|\brequired?\b"
    r"|\bmandatory\b"
    r"|(?:^|\b(?:please|and|can|may|must|should) )only\b|\bonly (?:use|by|via|accept|in|after|with)\b"
    r"|\bdon't forget\b|\bdo not forget\b|\bremember to\b|"
    r"(?<!not )(?<!longer )(?<!no )\ballerg(?:ic|y|ies)\b|\bintoleran(?:t|ce)\b"
    r"|\bno (?:more|less|later|fewer|longer) than\b|\ball (?:reports?|invoices?|files?|messages?"
    r"|replies)\b.*\b(?:via|in|by|to|with)\b"
)
_PREFERENCE_ZH: Final = (
    r"(?:我|我们|孩子|家人|客户|老板|他|她)[^，。]{0,6}(?:喜欢|偏好|偏爱|习惯|讨厌|不爱|爱吃|爱喝|不吃"
    r"|不喝|受不了|更想|更愿意|倾向)"
    r"|(?:以后|今后)[^，。]{0,8}用|最好|尽量|优先|宁愿|不喜欢|偏好"
)
_PREFERENCE_EN: Final = (
    r"\b(?:i|we|he|she|my \w+)(?:'d| would)?(?: really| also| still| usually| much)?"
    r" (?:prefers?|hates?|dislikes?|can't stand|cannot stand|can ?not bear|can't bear|rather"
    r"|(?:don't|do not|doesn't|never) (?:like|eat|drink|use|want|need)"
    r"|(?:likes?|loves?|enjoys?)(?! (?:it|to|how|when|that|this|these|those|his|her|your|their|the|you|them"
    r"|him|what|where|being|seeing)\b))(?![a-z])"
    r"|\bmy favou?rite\b|\bprefer(?:red|ably)\b|\bideally\b|\bif possible\b"
)
_LIMIT: Final = (
    r"至少|至多|最多|最少|最晚|最迟|不少于|不低于|不多于|不超过|以内|之内|以下|之前|封顶"
    r"|\bat (?:least|most)\b|\bup to\b|\bwithin\b|\bunder\b|\bbelow\b|\bby (?=\d|mon|tue|wed|thu|fri|sat|sun)"
)

_FORGET_EN: Final = r"\b(?:don't|do not) forget\b|\bno (?:more|less|later|fewer) than\b"


def _cue(kind: FactKind, chinese: str, *, english: str) -> Cue:
    return Cue(kind, re.compile(f"{chinese}|{english}"), re.compile(english))


CUES: Final = (
    _cue("requirement", "(?:别|不要|勿)忘|不得不(?!说|承认)|不能不(?!说|承认)", english=_FORGET_EN),
    _cue("prohibition", _PROHIBITION_ZH, english=_PROHIBITION_EN),
    _cue("requirement", _REQUIREMENT_ZH, english=_REQUIREMENT_EN),
    _cue("preference", _PREFERENCE_ZH, english=_PREFERENCE_EN),
)
"""In the order in which they are tried: the first that stands in a clause says its kind."""

SOME_CUE: Final = Sieve([cue.pattern.pattern for cue in CUES])
"""Lets every text pass in which a cue may stand."""

_IDLE_ZH: Final = (
    r"不要|不许|不准|不得|禁止|严禁|[切请]?勿|别|不(?:能|可以?|行|用|必|对|是)|避免|杜绝|不应该?|不该|不接受|谢绝|不想要"
    r"|不允许|[不没]|必须|务必|一定[要得]|必需|要求|确保|保证|多?谢|请|麻烦|可以|应该|那就|还是|暂时|现在|真的|这么|那么"
    r"|[这那][样个些]|[了吧啊呀啦哦噢嗯呢的嘛它我们你您就也都先再了做办弄行好]"
)
_IDLE_EN: Final = (
    r"\b(?:no|nope|nah|not|never|don't|do|did|stop|avoid|must|mustn't|should|shouldn't|shall|may|can|can't|cannot"
    r"|required?|needed|ensure|make sure|allowed|forbidden|prohibited|i|me|you|we|us|they|it|this|that|these"
    r"|those|there|such|and|but|so|then|also|just|please|kindly|thanks?|thx|cheers|very|much|sir|ma'am|madam"
    r"|sorry|ok|okay|now|yet|again|any ?more|at all|ever|always|be|is|are|said|say|things?)\b"
)
_IDLE: Final = re.compile(f"{_IDLE_ZH}|{_IDLE_EN}")
_TO_MEMORY_ZH: Final = (
    r"记(?:录|住|得|着)?(?:下来?)?|[保留]存|[存储]储?(?:下来?)?|告诉|提醒|[问说提](?:的话)?|忘[记掉]?"
    r"|[帮给替]|一?[条句段点件](?:话|事)?|[刚上前][才刚面]"
)
_TO_MEMORY_EN: Final = (
    r"\b(?:sav(?:e|ing)|stor(?:e|ing)|record|remember|memori[sz]e|log|note|keep|write|forget|ask(?:ing)?"
    r"|tell(?:ing)?|remind(?:ing)?|mention|down|about|what|just|told|wrote|last|message|part|above|anywhere"
    r"|to|in|my|your|memory|any|of)\b"
)
_TO_MEMORY: Final = re.compile(f"{_TO_MEMORY_ZH}|{_TO_MEMORY_EN}")
_BEARS_IN_MIND: Final = re.compile(
    r"(?:(?:别|不要|勿)忘[记掉]?了?|记得|\b(?:don't|do not|never) forget(?: about)?\s)\s*(?P<thing>.+?)"
    r"(?:[,\s]*(?:please|pls|ok|okay|thanks|[吧啊哦呀啦哈]))*$"
)


def is_bare(folded: str) -> bool:
    """Return whether a folded clause binds nothing: "No, thanks", 不要了, "don't do that" only answer."""
    return not any(ch.isalnum() for ch in _IDLE.sub("", folded))


def is_said_to_memory(folded: str) -> bool:
    """Return whether a whole folded clause only forbids us to keep, ask or tell: 别存, "don't save that"."""
    forbids = any(cue.stands_in(folded) for cue in CUES[:2])
    return forbids and is_bare(_TO_MEMORY.sub("", folded))


def is_bare_reminder(folded: str) -> bool:
    """Return whether a folded clause only names a thing, and binds nothing: "don't forget my boss"."""
    match = _BEARS_IN_MIND.search(folded)
    return match is not None and is_bare_noun(match["thing"])


LIMIT: Final = re.compile(_LIMIT)
"""A bound on a number; with a labelled value in the clause it is a requirement."""

IS_ONCE: Final = re.compile(
    r"这次|这一次|这回|这一条|这条|这一句|这句|仅此一次|今天(?=.*(?:回答|回复|详细|简短))"
    r"|\bthis (?:time|once|message|reply|answer|one)\b|\bjust (?:this )?once\b|\bfor this\b"
)
"""A wish for one reply only: it is no standing preference."""

OPENS_CONDITION: Final = re.compile(
    r"^(?:但|可|而且?|并且?|那么?|所以|而)?(?:如果|要是|假如|假设|若|倘若|万一|除非|只要|一旦|每当|当"
    r"|关于|对于|至于|针对|没有|未经|在没|除了)"
    r"|^(?:and |but |so )?(?:if|when|whenever|unless|once|while|as long as|until|before|after|without"
    r"|in case|for|regarding|except)\b"
)
"""A clause that binds the next one: neither means the same alone."""

CLOSES_CONDITION: Final = re.compile(
    r"^(?:除非|除了|但.{0,6}除外|否则|不然|直到|(?:只要|如果).*的话)|除外$"
    r"|^(?:unless|except|until|without|if|when|before|after|because|otherwise|or else)\b"
)
"""A clause that binds the one before it."""

_PERMIT_ZH: Final = (
    r"(?:现在|以后|从现在起|那就|其实|又|还是|重新|你|您|也|都|就)*(?<!不)(?:可以|允许|能)(?!不)(?:重新"
    r"|再|继续|又|开始)*(?P<a>[^不别没勿].*)"
    r"|(?P<b>.+?)(?:也|都|又|重新|现在)*(?:可以|没关系|没问题|行|没事)(?:了|的|啦)*$"
)
_PERMIT_EN: Final = (
    r"\b(?:you|we|they|it)(?: now)? (?:may|can|could) (?:now |again )?(?P<c>(?!not\b|'t).+)"
    r"|\b(?:it's|it is|it's now) (?:ok|okay|fine|alright|all right|allowed) (?:now "
    r"|again )?(?:for you )?to (?P<d>.+)"
    r"|\bfeel free to (?P<e>.+)|^(?P<f>.+?) (?:is|are) (?:ok|okay|fine|allowed|back) (?:again|now|after all)"
)
_RELEASE_ZH: Final = (
    r"(?P<g>.*?)(?:不用|不必|不需要|无需|没必要|不再要求|不强求|取消|不一定要?|不是必须)(?:再)?(?P<h>.*)"
    r"|(?P<i>.+?)(?:不做要求|就算了|也行|也可以)"
)
_RELEASE_EN: Final = (
    r"(?P<j>.*?)\b(?:no need to|no longer (?:need|have|has|must)s?(?: to)?|(?:don't|doesn't|do not"
    r"|does not|needn't) (?:need to|have to)"
    r"|not (?:required|necessary|mandatory)(?: to)?|optional)\b(?P<k>.*)"
)
PERMIT: Final = re.compile(f"{_PERMIT_ZH}|{_PERMIT_EN}")
"""可以用短信验证码了 / "you may use red again": takes back a prohibition of what the groups name."""

RELEASE: Final = re.compile(f"{_RELEASE_ZH}|{_RELEASE_EN}")
"""不用含税了 / "no need to use SMS any more": takes back a requirement of what the groups name."""
