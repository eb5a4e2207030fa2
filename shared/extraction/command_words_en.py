"""How commands are said in English. All patterns are for folded text and begin at a clause's start.

The twin of `command_words_zh`. "I remember that …", "she told me to remember …" and "how do I remember …"
are no commands since what precedes the verb is no courtesy; "remember when …" and "remember me" recall or
greet.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

PREFIX: Final = (
    r"(?:[\s,:]|please\b(?!\s+note\b)|pls\b|plz\b|plese\b|pleas\b|kindly\b|psst\b|hey\b|hi\b|hello\b|ok\b|okay\b|so\b|and\b|also\b|then\b|now\b|just\b|well\b|oh\b|actually\b|but\b"
    r"|by the way\b|btw\b|one more thing\b|alright\b|all right\b|great\b|thanks\b|thank you\b|yes\b|yeah\b|no\b(?!\s+(?:longer|more|need|records?|notes?|logs?)\b)|sorry\b|right\b|cool\b|perfect\b"
    r"|i(?:'d| would) like you to\b|i want you to\b|i need you to\b|you should\b|you must\b(?!\s+not\b)|you need to\b|make sure (?:to|you)\b|be sure to\b"
    r"|do\b(?!\s+not\b)|always\b|for the record\b(?!\s*:)|for future reference\b|(?:just\s+)?for\s+(?:today|tonight|now|the\s+moment|the\s+time\s+being)\b(?=[\s,]+(?:please\s+)?(?:just\s+)?(?:remember|note|keep)\b)|for next time\b|next time\b|if possible\b|if you (?:can|could|don't mind)\b|let's\b(?!\s+(?:not|talk|start|go\s+back|speak)\b)|let us\b(?!\s+not\b)|go ahead and\b"
    r"|i(?:'ve|\s+have)?\s+changed\s+my\s+mind\b|(?:on\s+)?second\s+thoughts?\b|change\s+of\s+plans?\b|请|麻烦|帮我|first\b|second\b|third\b|finally\b|lastly\b|next\b|quick note\b|from now on\b|going forward\b|assistant\b|bilayer\b|\d{1,2}[.)]|[-*•]\s)*+"
)
POLITE_QUESTION: Final = r"(?P<polite>(?:can|could|would|will)\s+you\s+(?:please\s+|pls\s+|plz\s+|kindly\s+|also\s+|just\s+)*|would you mind\s+)?"

REMEMBER: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:remember(?:ing)?|rember|remeber|remembr|rememeber|remmember|rememer|remenber|memori[sz]e|keep\s+(?:it\s+)?in\s+mind|bear\s+in\s+mind|(?:make|take|keep)\s+(?:a\s+)?(?:mental\s+)?note(?:\s+of)?"
    r"|(?:write|jot|note|put|take)\s+(?:this|the\s+following)\s+down(?=\s*(?:[:,-]|$))|(?:memo(?:\s+to\s+(?:self|myself))?|note\s+to\s+(?:self|myself)|for\s+the\s+record)(?=\s*[:-])|(?:just\s+)?keep\s+(?:this|the\s+following)\s+(?:on\s+file|on\s+record|for\s+later)(?=\s*[:,-])|the\s+thing\s+to\s+remember\s+is(?=\s+that\b)|jot\s+down|write\s+down|note\s+down|put\s+down|note(?=\s*:|\s+that\b|\s+this\b|\s+for\b)|please\s+note|take\s+down|commit\s+to\s+memory|store\s+in\s+memory"
    r"|(?:save|store|record|add|put|commit|log)\s+(?:this|that|it|the following)?\s*(?:to|in|into)\s+(?:your\s+|my\s+|the\s+|long-term\s+)*(?:memory|notes|profile|records?)"
    r"|(?:save|store|record|log|note)\s+(?:this|the following|the fact that|that)|save|store|record|note)\b(?!-[a-z])"
    r"(?:\s*,?\s*(?:for\s+(?:me|later|next\s+time|the\s+future|future\s+reference)|down|this|the\s+following(?:\s+(?:things|facts|points))?|these(?:\s+(?:things|facts|points))?)\b)*(?:\s*[:,-])?\s*(?:that\b(?!\s+(?:scene|time|day|one|guy|movie|song|night|place|year|moment|feeling|summer)\b)|the\s+fact\s+that\b)?"
)
MUST_ASSIGN: Final = re.compile(
    r"(?:save|store|record|note|log|write down|put down|jot down|take down)\s*(?:down\s*)?$"
)
NOTES: Final = re.compile(r"\b(?:note|write|put|jot|take)\b")
"""Verbs of noting, which are rarely said of files: note the staging url https://… ."""

KEEP_MIND: Final = re.compile(
    rf"{PREFIX}(?:(?:don't|do not|dont|never|you must not|you mustn't|don't you|let's not)\s+(?:ever\s+|you\s+)?forget|not to forget)\b(?:\s+(?:about\s+)?(?:the\s+fact\s+)?that\b|\s+about\b)?(?:\s*[:,-])?"
)
NOT_CONTENT: Final = re.compile(
    r"\s*(?:when\b|the\s+(?:time|day|good\s+old|first\s+time|last\s+time)\b|how\b|why\b|who\b|whom\b|whose\b|what\b|where\b|which\b|whether\b|if\s+i\b|last\s+(?:year|week|time|month|summer)\b|those\b|back\s+when\b"
    r"|me\b(?!\s+as\b)|him\b|her\b(?!\s+\w+\s+is\b)|us\b|them\b|to\s+(?:subscribe|like|save|commit|breathe)\b|password\b(?!\s+is)|the\s+milk\b|remember\b|button\b|feature\b|checkbox\b|option\b|token\b|function\b|cookie\b|-me\b|ing\b|s\b|ed\b)"
)
NOTICE: Final = re.compile(
    r"\W*(?:please\s+)?note\s*(?::\s*(?:this|the)|that\s+(?:this|these|the\s+(?:above|following)))\s+(?:letter|e-?mail|document|message|form|page|notice|report|file|offer|agreement|contract|quote|invoice|ticket)\s+(?:is|was|does|has|contains|supersedes|may|will|must|cannot)\b"
)
"""Note: this letter is for reference only: a text speaks of itself."""

REMINISCES: Final = re.compile(
    r"\s*(?:[\w'-]+\s+){1,4}?(?:(?:that|which|who)\s+)?(?:i|we)(?:'ve|\s+have|\s+had)?\s+(?:(?:just|once|already|briefly)\s+)?"
    r"(?:told\s+you(?:\s+about)?|mentioned|(?:talked|spoke|chatted)\s+about|discussed|described|showed\s+you|sent\s+you)"
    r"(?:\s+(?:to\s+you|yesterday|earlier|before|once|again|here|the\s+other\s+day|last\s+\w+|this\s+\w+|a\s+while\s+(?:ago|back)))*[\s.!]*"
)
"""remember that movie I told you about: a thing that was spoken of, of which nothing is told."""

TITLE: Final = re.compile(
    r"\W{0,8}(?:Remember|Save|Note|Forget)\s+(?:(?:the|a|The|A)\s+(?:[A-Z][\w'-]*\s+){1,4}|[Mm]e\s+|[Uu]s\s+)"
    r"(?:is|was)\s+(?:an?|the|one\s+of\s+the|such\s+an?|called)\s+(?:(?!of\b|for\b|about\b|who\b|in\b)[\w-]+\s+){0,3}"
    r"(?:movie|film|song|book|novel|show|series|album|game|musical|poem|episode)s?(?=\s*(?:$|[,.!;]|(?:by|from|with|about|that|and|starring|i|we)\b))"
)
"""Remember the Titans is a great movie: the name of a work, in capitals, which a sentence tells about. Unfolded."""

TO_DO: Final = re.compile(
    r"\s*to\s+(?!(?:me|my|you|your|him|her|us|them|the|an?|this|that|be\s+(?:honest|fair|frank|clear))\b)(?=[a-z])"
)
"""remember to buy milk: what is kept is buy milk."""

ASKS_TO_NOTE: Final = re.compile(
    r"\s*(?:(?:please|hey|hi|ok|so|also)[\s,]+)*(?:can|could|would|will)\s+you\s+(?:(?:please|kindly|just|also)\s+)*"
    r"(?:(?:write|note|jot|take)\s+(?:this|something|the\s+following)\s+down|note\s+this|(?:remember|note|memorize)\s+(?:something|the\s+following)|(?:make|take)\s+a\s+note(?:\s+of\s+(?:this|something))?|keep\s+(?:this|something)\s+in\s+mind)"
    r"(?:\s+(?:for\s+me|please|thanks))*\s*"
)
"""could you write this down? What it is stands behind it."""

TRAILING: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:remember(?:\s+(?:that|this|it))?|keep\s+(?:that|this|it)\s+in\s+mind|bear\s+(?:that|this|it)\s+in\s+mind|(?:make|take)\s+(?:a\s+)?note(?:\s+of\s+(?:that|this|it))?|note\s+(?:that|this|it)(?:\s+down)?|write\s+(?:that|this|it)\s+down"
    r"|save\s+(?:that|this|it)|jot\s+(?:that|this|it)\s+down|(?:don't|do not|dont)\s+forget(?:\s+(?:that|this|it))?|memorize\s+(?:that|this|it)|store\s+(?:that|this|it)|record\s+(?:that|this|it)|add\s+(?:that|this|it)\s+to\s+(?:your\s+)?memory|save\s+(?:that|this|it)\s+(?:to|in)\s+(?:your\s+)?memory|update\s+(?:that|this|it))"
    r"(?:\s+(?:for\s+(?:me|later|next\s+time|future\s+reference)|please|pls|ok|okay|thanks|thank\s+you|down|too|as\s+well|from\s+now\s+on))*[\s!.,]*"
)
FROM_NOW: Final = re.compile(
    r"(?:[\s,:]|please\b|ok\b|so\b|and\b|also\b|remember\b|btw\b|by the way\b)*(?P<clause>(?:from\s+now\s+on(?:wards?)?|from\s+here\s+on(?:\s+out)?|going\s+forward|from\s+today(?:\s+on)?|in\s+(?:the\s+)?future(?!,?\s+(?:\S+\s+){1,4}?will\b)|henceforth)\s*,?\s*"
    r"(?:please\s+|always\s+|only\s+|just\s+|you\s+(?:should|must|can|will)\s+|i(?:'d| would)\s+like\s+you\s+to\s+|i\s+want\s+you\s+to\s+|kindly\s+)*(?:use|call|answer|reply|respond|write|send|speak|talk|address|format|give|show|keep|put|include|quote|express|don't|do not|never|stop|default|avoid|refer|treat|assume|round|report|start|sign|(?:all|every|any|the|my|prices?|dates?|amounts?|reports?)\b(?=.*\b(?:should|must|shall|needs?|ha(?:ve|s)\s+to|be|is|are|in|as|with|without)\b))\b.+)"
    r"|(?:[\s,:]|please\b|so\b|and\b)*(?P<tail>(?:please\s+|always\s+)*(?:use|call|answer|reply|respond|write|send|speak|address|format|quote|report)\b[^,]+\b(?:from\s+now\s+on|going\s+forward|from\s+here\s+on|henceforth|from\s+today\s+on)\b.*)"
)
CORRECTION: Final = re.compile(
    r"(?:[\s,-]|oops\b|sorry\b|wait\b|quick\b|small\b|a\b|one\b|no\b|ok\b|and\b|also\b|minor\b|slight\b)*(?:correction|update|edit|fix|amendment|erratum|change of plan|change of plans|i stand corrected|let me correct that|to correct myself|i misspoke)\s*(?::|,|-+|—|–)\s*(?=\S)"
)
SET_FIRST: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?P<verb>set|save|store|record|register|log|update|correct|fix|put|enter|note|use|define|mark)(?:\s+(?:down|up|in))?\s+"
)
SET_IT: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:set|save|store|record|put|mark|make|change)\s+(?:it|that|this)(?:\s+down)?\s+(?:to|as|at)\s+"
)
"""set it to May 6, after a clause that names the field: the deadline - …"""

USE_AS: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:use|take|save|put|store|record|set|register|note|enter|write|treat)(?:\s+down)?\s+(?P<value>.{{1,60}}?)(?:\s+down)?\s+as\s+(?P<label>(?:my|our|the)\s+[a-z][a-z\s-]{{1,30}}?)(?:\s+(?:please|pls|plz|thanks|thx|from\s+now\s+on|going\s+forward|now))*\s*$"
)

FORGET: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:you\s+can\s+|you\s+may\s+)?(?:forget|never\s*mind(?=\s+(?:about\s+)?(?:what|everything|all)\s+(?:that\s+)?(?:i|we)\b))\b(?:\s+(?:all\s+)?about\b(?!\s+me\s*$))?(?P<target>.*)"
)
FORGET_IT: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:delete|erase|remove|forget)\s+(?:it|that|them|those|all\s+of\s+(?:it|that))(?:\s+(?:please|pls|now|too|for\s+good))*\s*$"
)
"""delete that, after a clause that names what: what I told you about the discount, …"""

NAMED_THING: Final = re.compile(
    r"\s*(?:everything|anything|all|what|the\s+(?:thing|bit|part|note|stuff))\s+(?:that\s+)?(?:i|we|you)\b|\s*(?:my|the)\s+(?:note|memory|record)s?\s+(?:about|of|on)\b"
)
STOP_KEEPING: Final = re.compile(
    rf"{PREFIX}(?:stop\s+(?:remembering|storing|saving|keeping)|cancel\s+(?:remembering|the\s+memory\s+of)|unremember|no\s+longer\s+(?:remember|keep|store)|(?:you\s+)?(?:don't|do not)\s+(?:need\s+to\s+|have\s+to\s+)?(?:remember|keep|store)(?=.*\b(?:anymore|any\s+more|any\s+longer)\b))\b(?P<target>.+)"
)
NOT_TO_KEEP: Final = re.compile(
    rf"{PREFIX}(?:(?:don't|do\s+not|dont|never)\s+(?:ever\s+)?|(?P<told>you\s+(?:don't|do\s+not)\s+(?:need|have)\s+to\s+|you\s+need(?:n't|\s+not)\s+|no\s+need\s+to\s+|i\s+(?:don't|do\s+not)\s+want\s+you\s+to\s+))"
    r"(?:remember|memori[sz]e|keep\s+in\s+mind|(?:make|take)\s+(?:a\s+)?note(?:\s+of)?|note(?:\s+down)?)\s+"
    r"(?P<target>(?P<stated>(?:the\s+fact\s+)?that\s+(?:i|we|he|she|my|our)(?:'\w+)?\s+(?!(?:ever|just|already|also|even|have|had|did)*\s*(?:said|told|agreed|asked|mentioned|wrote|promised|did|say|tell)\b)).+|(?:about\s+)?my\s+.+)"
)
"""please don't remember that I drive a Tesla. "Don't remember my password" alone may tell of a bad memory."""

NOT_WANTED: Final = re.compile(
    rf"{PREFIX}(?:(?P<wish>i\s+(?:really\s+)?(?:don't|do\s+not|dont|never)\s+(?:really\s+)?want\s+you\s+to|i(?:'d|\s+would)\s+(?:rather|prefer(?:\s+(?:it\s+if|that))?)\s+(?:that\s+)?you\s+(?:didn't|don't|did\s+not|do\s+not|not))|don't|do\s+not|dont|never)"
    r"\s+(?:to\s+)?(?:(?P<keep>keep|hold\s+on\s+to|retain)|(?P<know>remember|memori[sz]e|know|have|store|save))\s+"
    r"(?P<target>(?:any\s+(?:record|note|memory)s?\s+(?:of|about)\s+|(?:anything|everything)\s+about\s+)?my\s+[^.,;:!?]+?|(?:the\s+fact\s+)?that\s+(?:i|we|my)\b[^.,;:!?]+?)"
    r"(?:\s+(?:on\s+(?:file|record)|in\s+(?:your\s+)?(?:memory|records?)|any\s*more|any\s+longer|please))*[\s.!]*$"
)
"""I don't want you to remember my email: what is held of it goes as well."""

FORGET_ME: Final = re.compile(
    r"(?:[\s,.!]|(?:please|pls|just|ok(?:ay)?|so|now|well|then|(?:can|could|would|will)\s+you(?:\s+please)?|i\s+want\s+you\s+to|i'd\s+like\s+you\s+to)(?=[\s,]))*+"
    r"(?:(?:forget|erase)\s+(?:all\s+)?(?:about\s+)?me|forget\s+(?:that\s+you\s+(?:ever\s+)?(?:know|knew|met)\s+me|(?:that\s+)?i\s+(?:ever\s+)?exist(?:ed)?|everything|it\s+all|all\s+of\s+it))"
    r"(?:\s+(?:please|now|completely|entirely|altogether|for\s+good|forever))*[\s.!?]*"
)
"""Forget me: all that is known, which is asked about first."""

DELETE: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:delete|remove|erase|wipe|clear|drop|purge|scrub|get\s+rid\s+of|throw\s+away)(?:\s+out)?\b(?P<target>.+)"
)
KEPT_THING: Final = re.compile(
    r"\b(?:memor(?:y|ies)|you\s+(?:know|remember|have\s+(?:stored|saved|kept|noted|recorded|on|about|remembered)|stored|saved|remembered|noted|kept|'ve\s+(?:stored|saved|kept|noted))|i\s+(?:just\s+)?(?:said|told\s+you|mentioned|gave\s+you)|we\s+(?:talked|spoke|discussed)|stored\s+about\s+me|about\s+me\b|(?:note|record|entry|info|information|data|details)\s+(?:about|on|of)\s+(?:my|me)\b|(?:everything|anything|all)\s+(?:about|on)\s+(?:my|our|me)\b|saved\s+\w+|you've\s+(?:stored|saved|kept|noted|learned))"
)
SAID_THING: Final = re.compile(
    r"\s*(?:my\b|our\b|what\b|that\s+(?:i|we|my|the)\b|everything\b|anything\b|all\b|i\b|the\s+fact\b)"
)
SAID_TAIL: Final = re.compile(
    r"\b(?:i|we|you)\b.*\b(?:said|mentioned|told|gave|discussed|talked|saved|stored|noted|spoke)\b|\bfrom\s+(?:before|earlier|last\s+(?:time|week|month)|yesterday)\b|\b(?:earlier|just now)\b"
)
IDIOM: Final = re.compile(
    r"\s*(?:(?:about\s+)?it\b|(?:about\s+)?that\s*$|not\b|the\s+(?:past|rest|haters|world|rules)\b|me\s+not|me\s*$|us\s*$|you\s*$|everything\s+else\b|everything,|to\b|your\b|him\b|her\s*$|them\b)"
)
WIPE: Final = re.compile(
    r"\s*(?:(?:all|everything|every\s+thing|every\s+single\s+thing|anything|the\s+whole|absolutely\s+everything)(?:\s+of)?(?:\s+(?:my|your|the|that|stored|saved|what))*(?:\s+(?:memory|memories|data|information|info|facts|notes|records|profile|stuff|things))?"
    r"(?:\s+(?:that\s+)?(?:you(?:'ve|\s+have)?\s+(?:know|knew|remember|remembered|saved|stored|learned|learnt|kept|noted|have|recorded|got)(?:\s+(?:saved|stored|on\s+file))?|i(?:'ve|\s+have)?\s+(?:ever\s+)?(?:said|told\s+you)))?(?:\s+(?:about|on|of)\s+me)?"
    r"|(?:my|your|the)(?:\s+(?:entire|whole|complete|full))?\s+(?:memory|memories|memory\s+bank)(?:\s+(?:of|about)\s+me)?|(?:all\s+)?my\s+(?:entire\s+|personal\s+|whole\s+|complete\s+)?(?:data|profile|history|personal\s+information))(?:\s+(?:please|now|completely|entirely|for\s+good|right\s+now))*\s*"
)
DELETE_IN_WORK: Final = re.compile(
    r"\b(?:from|in|on)\s+(?:the|this|that|my|our|a)\s+(?!memory|profile|record)|\b(?:paragraph|line|file|row|column|section|sentence|comment|function|variable|cache|branch|word|comma|page|slide|image|draft|document|letter|table|database|cookies|browser|code)s?\b"
)
SUBJECT: Final = re.compile(
    r"^\s*(?:my|our|the|that|all|any|about|of|on|for|memory|memories|note|record|entry|\s)*\s*"
)

UNDO: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:(?:take|change|put|switch|set)\s+(?:that|it)\s+back|(?:undo|revert|roll\s+back|take\s+back)(?P<target>\s+(?:it|that|this|the\s+last\s+thing\s+(?:you|i)\s+(?:saved|stored|changed|set|did)|the\s+last\s+(?:change|one|update|edit|command|action|setting)|my\s+last\s+(?:change|update|edit|command)|that\s+(?:last\s+)?(?:change|update|edit|one)|the\s+(?:previous\s+)?(?:change|update|edit)|what\s+(?:i|you)\s+just\s+(?:changed|saved|did|set)))?)(?:,?\s+(?:please|now|thanks|for\s+me))*\s*$"
)
UNDO_TO: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:(?:undo|revert|roll\s+back)(?:\s+the\s+(?:last\s+)?(?:change|update|edit)s?\s+(?:to|of|on))?\s+(?P<target>(?:my|our|the)\s+[a-z\s-]{{2,30}}?)(?:\s+(?:change|update|edit))?(?:\s+(?:to\s+(?:the\s+(?:previous|old|former|last|earlier|original)\s+(?:one|value|version)|what\s+it\s+was(?:\s+before)?)|back))?"
    r"|(?:change|set|put|restore|switch|move|reset)\s+(?P<target2>(?:my|our|the)\s+[a-z\s-]{2,30}?)\s+(?:back(?:\s+to\s+(?:what\s+it\s+was(?:\s+before)?|the\s+(?:old|previous|original|former|earlier)\s+(?:one|value|version)))?|to\s+(?:what\s+it\s+was(?:\s+before)?|the\s+(?:old|previous|original|former|earlier)\s+(?:one|value|version)|its\s+(?:previous|old|former|original)\s+value))"
    r"|(?:restore|bring\s+back|go\s+back\s+to)\s+(?P<target3>(?:my|our|the)\s+(?:old|previous|former|original|earlier)\s+[a-z\s-]{2,30}?))(?:\s+(?:please|now))*\s*$"
)
CONFIRM: Final = re.compile(
    r"\s*(?:yes|yeah|yep|ok|okay|sure)?[\s,]*(?:(?:i\s+)?(?:hereby\s+)?(?:confirm|am\s+sure)[\s,:]*(?:the\s+|that\s+|to\s+|i\s+want\s+to\s+|yes[\s,]*)?(?P<target>(?:delet|eras|wip|clear|forget|updat|chang|sav)\w*(?:\s+(?:it|that|all|everything|of\s+everything|of\s+all(?:\s+memories)?|all\s+(?:of\s+)?(?:my\s+)?memories|my\s+memor(?:y|ies)|the\s+memories))?)"
    r"|(?:yes|yeah|yep|sure)[\s,]+(?P<target2>(?:delete|erase|wipe|clear|forget|update|change|save)\s+(?:it|that|them|all|everything|all\s+of\s+(?:it|them)|my\s+memory|all\s+my\s+memories)))(?:\s+(?:please|now))*\s*"
)
REJECT: Final = re.compile(
    rf"{PREFIX}(?:reject|decline|dismiss|discard|turn\s+down)\s+(?P<target>(?:the|that|this)\s+(?:(?:first|second|third|last)\s+(?:one)?|[a-z\s]{{0,20}}?(?:change|update|proposal|suggestion|edit))|it|that|both|all\s+of\s+them)(?:\s+(?:please|now))*\s*$"
)
ADD_TO: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:add|append|put|include|write|insert)\s+(?P<items>.{{1,80}}?)\s+(?:to|on|in|into|onto|under)\s+(?P<label>(?:my|our|the|your)?\s*(?:list\s+of\s+)?[a-z][a-z\s-]{{2,30}}?)(?:\s+list)?(?:\s+(?:please|too|as\s+well|now))*\s*$"
)
ADD_NEW: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:add|append)\s+(?:a\s+|an\s+|another\s+|one\s+more\s+|the\s+|this\s+|as\s+an?\s+)*(?:new\s+|further\s+|extra\s+)?(?P<label>[a-z][a-z\s-]{{2,30}}?)\s*(?::|\s-\s|—|\bthat\b)\s*(?P<items>.+)"
)
REMOVE_FROM: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:remove|delete|drop|take|strike|cross)\s+(?P<items>.{{1,60}}?)\s+(?:from|off|out\s+of)\s+(?P<label>(?:my|our|the|your)?\s*(?:list\s+of\s+)?[a-z][a-z\s-]{{2,30}}?)(?:\s+list)?(?:\s+(?:please|too|as\s+well|now))*\s*$"
)
ADD_IT: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:add|append|put)\s+(?P<items>.{{1,60}}?)(?:\s+(?:please|pls|too|as\s+well|now))*\s*$"
)
REMOVE_IT: Final = re.compile(
    rf"{PREFIX}{POLITE_QUESTION}{PREFIX}(?:remove|delete|drop|take\s+out|strike|cross\s+out)\s+(?P<items>.{{1,60}}?)(?:\s+(?:please|pls|too|as\s+well|now))*\s*$"
)
RETRACT: Final = re.compile(
    r"[\s,-]*(?:on\s+second\s+thoughts?|actually|wait|no|hmm|oh|sorry|nah|you\s+know\s+what|ok)*[\s,]*(?:actually\s+)?(?:never\s*mind(?:\s+(?:that|it|about\s+that))?|forget\s+(?:(?:that\s+)?i\s+(?:just\s+)?said\s+(?:that|it|anything)|it|that|about\s+(?:it|that)|what\s+i\s+(?:just\s+)?said)|scratch\s+that|cancel\s+that|disregard\s+(?:that|it)|ignore\s+that|don't\s+(?:save|remember|store|note|set|bother|keep)(?:\s+(?:it|that|this))?|do\s+not\s+(?:save|remember|store)(?:\s+(?:it|that|this))?|strike\s+that|take\s+that\s+back|i\s+take\s+that\s+back)[\s.!]*"
)
REPAIR: Final = re.compile(
    r"[\s,.—–-]*(?:\b(?:oh|oops|er|um|uh|ah|well|sorry|actually|wait|no|hmm|nope|hold\s+on)\b[\s,.]*)*(?:(?:sorry|oops)\s*$|scratch\s+that|strike\s+that|no,?\s+wait|wait,?\s+no|i\s+mean(?:t)?|correction|make\s+that|i\s+misspoke|my\s+mistake|my\s+bad|rather|that's\s+wrong|not\s+that)(?:\b|$)[\s,:—–-]*(?:it's\b|it\s+is\b|it\s+should\s+be\b|should\s+be\b|is\b|make\s+it\b|make\s+that\b|i\s+mean(?:t)?\b)?\s*"
)
TAG_QUESTION: Final = re.compile(
    r"\s*(?:ok|okay|alright|all right|got it|got that|please|pls|thanks|thank you|thx|cheers|right|yeah|can you(?: do that)?|could you|would you|will you|is that ok|is that okay|deal|understood|understand|clear|you hear me|it's important|that's important|this is important|very important|it matters)\s*"
)
ASKS: Final = re.compile(
    r"^\s*(?:what|when|where|who|whom|whose|which|why|how|am(?=\s+i\b)|had(?=\s+(?:i|we|my|our)\b)|is|are|was|were|do|does|did|can|could|would|will|should|shall|may(?!\s+\d)|have|has|isn't|aren't|don't you|doesn't)\b"
)
ASKS_HOW: Final = re.compile(
    r"\s*(?:how|what|why|when|where|who|which)\s+(?:do|does|did|is|are|was|were|can|could|should|would|to)\b"
)
HYPOTHETICAL: Final = re.compile(
    r"\b(?:if\s+(?!possible|you\s+(?:can|could|don't\s+mind))|suppose|supposing|imagine|what\s+if|pretend|hypothetically|let's\s+say|say\s+i|assume\s+(?:that\s+)?i|for\s+(?:example|instance)|e\.g\.|in\s+case|unless|whenever\s+i\s+say|when\s+i\s+say|users?\s+say|people\s+say|he\s+said|she\s+said|they\s+said|lyrics|the\s+sentence|the\s+phrase|the\s+command|the\s+word)"
)
FICTION: Final = re.compile(
    r"\b(?:role-?play|pretend|fiction(?:al)?|(?:short\s+)?story|novel|screenplay|in\s+character|test\s+data|dummy\s+data|sample\s+data|test\s+case|made-?up|translate|proofread|paraphrase|rewrite|lorem|write\s+(?:a|an|me|the)\b|act\s+as)"
)
SAYS: Final = re.compile(
    r"\b(?:said|says|say|told\s+(?:me|us|him|her|them)|tells\s+(?:me|us)|asked(?:\s+(?:me|us))?|asks|wrote|writes|reads|shouted|reminded\s+(?:me|us)|quoted?|replied|answered|added|whispered|goes)\s*:?\s*$"
)
EMPTY: Final = re.compile(
    r"[\s,:.!-]*(?:(?:that|this|it|these|those|one|thing|things|me|everything|all|please|ok|okay|now|for|later|too|down|my|the|words|above|following|password|passwords|of|to|a|an|from\s+(?:now|today)\s+on|from\s+today|going\s+forward|in\s+(?:the\s+)?future|henceforth|sorry|sure|alright)\b[\s,:.!-]*)*+"
)
FINITE: Final = re.compile(
    r"\b(?:is|are|am|was|were|be|has|have|had|do|does|don't|doesn't|can't|cannot|can|will|won't|must|should|never|always|like|likes|love|hate|prefer|prefers|need|needs|want|wants|use|uses|live|lives|work|works|eat|drink|park|speak|takes?|goes|starts?|ends?|expires?|meets?|comes?|eats|drinks|loves|hates|allergic|im|ive|dont|cant|wont|isnt)\b|\b(?:i|we|he|she|they|you|it|that|there)'(?:m|s|re|ve|ll|d)\b|\b(?:isn't|aren't|wasn't|didn't|haven't)\b|\b(?:i|we|he|she|they|nobody|everybody|everyone|someone|people)\s+\w+"
)
POLITE_START: Final = re.compile(
    r"\s*(?:can|could|would|will)\s+you\s+(?:(?:please|kindly|also)\s+)*(?:set|add|save|store|put|note|record|update|register|use|remove)\b"
)
PLEASE_START: Final = re.compile(
    r"\s*(?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+|just\s+)*(?:stop|not|avoid)\b|\s*(?:can|could|would|will)\s+you\s.*\bplease\s*$|\s*(?:can|could|would|will)\s+you\s+please\b|\s*please\s+(?:can|could|would|will)\s+you\b"
)
