"""Words of a question that carry no subject: English stop words and the Chinese question frame.

They are left out of queries only; rows keep all their terms. In Chinese the frame is cut out *before* the text is
split into bigrams, so that 我喜欢的电影是什么 leaves 喜欢 电影 and no bigram across the cut.
"""

import re
from typing import Final

STOP_WORDS: Final[frozenset[str]] = frozenset(
    ["a", "an", "the", "and", "or", "but", "if", "so", "than", "then", "of", "in", "on", "at", "to", "for", "from", "by", "with", "about", "into", "over", "after", "before", "as", "up", "down", "out", "i", "me", "my", "mine", "you", "your", "yours", "he", "him", "his", "she", "her", "hers", "it", "its", "we", "us", "our", "ours", "they", "them", "their", "theirs", "this", "that", "these", "those", "there", "here", "be", "am", "is", "are", "was", "were", "been", "being", "do", "does", "did", "done", "doing", "have", "has", "had", "having", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "not", "no", "nor", "any", "some", "all", "both", "each", "more", "most", "other", "such", "only", "own", "same", "too", "very", "just", "s", "t", "d", "ll", "m", "o", "re", "ve", "don", "didn", "doesn", "isn", "wasn", "weren", "won", "wouldn", "couldn", "shouldn", "hasn", "haven", "hadn", "aren", "ain", "ever", "get", "got"]
)

_FRAME: Final = (
    "是不是|有没有|能不能|可不可以|会不会|要不要|对不对|记不记得|还记得|记得|请问|告诉我|告诉过|帮我|"
    "什么时候|什么样|什么|为什么|怎么样|怎么|怎样|如何|哪些|哪个|哪一|哪里|哪儿|哪种|哪位|哪|"
    "多少|几个|几次|多久|多长时间|谁|何时|具体|名字|分别|"
    "曾经|以前|之前|我们|你们|他们|她们|咱们|自己|我|你|您|他|她|它|"
    "这个|那个|这些|那些|这|那|的|了|是|在|过|吗|呢|吧|啊|呀|么|嘛|和|与|跟|对|给|把|被|让|向|从|为|于|"
    "有|都|也|就|还|又|很|最|会|能|要|想|一个|一些|一部|一本|一家|一种|并|且|或|等|及|其|之|以|中|时|里|上|下|"
    "可以|应该|因为|所以|如果|关于|哦|请|说|问"
)
_FRAME_PATTERN: Final = re.compile("|".join(sorted(_FRAME.split("|"), key=len, reverse=True)))


def cut_frame(text: str) -> str:
    """The folded query with each word of the Chinese question frame replaced by a space."""
    return _FRAME_PATTERN.sub(" ", text)
