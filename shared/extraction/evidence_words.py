"""Words by which a clause means something other than it says bare: denied, doubted, told, supposed, past.

All patterns are for folded text (lower case, simplified, straight apostrophes). What looks like a denial and
is none (不错, 特别, "no problem", "can't wait") is taken out before denials are looked for.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

NO_DENIAL: Final = re.compile(
    r"不错|不但|不仅|不只是?|不过|不好意思|不客气|不用谢|不在话下|差不多|了不起|不得了|不一会|不久|不断|不同|不少(?!于)|不管|不论|无论|无所谓|不知不觉"
    r"|不愧|不妨|不禁|不由得|不然|不太确定|要不(?!得)|好不容易|特别|别人|别的|别墅|别名|别处|别致|区别|分别|级别|类别|性别|识别|鉴别|告别|个别"
    r"|离别|没事|没问题|没关系|没错|没准|除非|非常|非得|莫非|未来|不得不|不能不|不可不|不会不|无锡|无限|无线|无人机|无印|南非|非洲|莫干山|莫斯科|莫名"
    r"|不超过|不高于|不低于|不少于|不多于|不晚于|不早于|不大于|不小于|说不定|停车|停留|禁止标|免费|避免不了"
    r"|(?:不|没有?|并不)(?:太|怎么|那么|是很|算)?(?:讨厌|反感|介意|排斥)"
    r"|\bnot only\b|\bno (?:problem|worries|matter|doubt|wonder|idea|thanks|later than|more than"
    r"|less than|fewer than)\b"
    r"|\bcan(?:'t|not) wait\b|\bnothing but\b|\bnot just\b|\bwhy not\b|\bwhether or not\b|\bcan(?:'t"
    r"|not) help\b"
    r"|\b(?:don't|do not|doesn't|does not|didn't) (?:really |even )?(?:hate|dislike|mind)\b|\bnon-?stop\b"
    r"|\bstop by\b|\bbus stop\b"
)
DENIES: Final = re.compile(
    r"不|没|别|勿|未|非|拒|讨厌|反感|厌恶|无(?=需|法|须|意)|莫|禁|戒|停(?=了|用|掉|止|产|药|更)|取消|受不了|忌|避|免(?=了|去)|退出|放弃|告吹|卖(?=了|掉)|丢(?=了|掉|失)|送人|退(?=了|掉|货)|分手|离婚|辞(?=了|职)"
    r"|\b(?:no|not|never|none|without|neither|nor|nobody|nothing|hate[sd]?|dislike[sd]?|avoid(?:s|ed"
    r"|ing)?|refuse[sd]?|stop(?:s|ped)?|quit"
    r"|cancel(?:s|l?ed)?|gave up|sold|lost|gave away|threw (?:out|away)|broke up|divorced|cannot|rather than|instead of|hardly|barely|loathe[sd]?"
    r"|detest[sd]?|reject(?:s|ed)?|(?:is|are|was) (?:out|off|over|gone)|off-?limits|dairy-free)\b|n't\b"
)
AT_MOST: Final = re.compile(
    r"不超过|不高于|不多于|不大于|以内|之内|以下|最多|至多|封顶|上限|低于|少于|\b(?:at most|no more than|up to|under|below|within"
    r"|less than|max(?:imum)?|cap)\b"
)
AT_LEAST: Final = re.compile(
    r"不低于|不少于|不小于|至少|最少|以上|(?<!不)超过|(?<!不)高于|(?<!不)多于|\b(?:at least|no less than|over|above|more than"
    r"|min(?:imum)?)\b"
)
HEDGES: Final = re.compile(
    r"可能|也许|或许|说不定|没准|估计|好像|似乎|大概(?!\s*[\d一二三四五六七八九十百千万])|差点|几乎|不太确定|未必|不一定|考虑|在想要不要|犹豫|假如|如果|要是"
    r"|\b(?:maybe|might|perhaps|possibly|probably|i think|i guess|i suppose|considering|thinking (?:of"
    r"|about)|not sure|unsure|almost|nearly"
    r"|could be|may (?:be|go|have|get|move|start|take)|seems?|undecided|if|unless)\b"
)
PAST: Final = re.compile(
    r"(?<!可)以为|原来的|旧(?=址|地址|号码|办公室|公司|手机)|以前|从前|曾经?(?!祖|孙|[先女])|过去(?!的路)|小时候|原来是|原先|当年|那时候?|之前(?=是|在|住|用|喜欢|做|有)"
    r"|\bi (?:thought|assumed|believed|figured)\b|\b(?:used to|formerly|previously|back then|as a kid|years ago|when i was|in my (?:twenties|teens"
    r"|childhood)|ex-)\b"
)
INTENDS: Final = re.compile(
    r"想|打算|计划|准备|希望|要去|要(?=买|换|学|搬|报|考|做|开)|\b(?:want(?:s|ed)?|plan(?:s|ning|ned)?|hope[sd]?|hoping"
    r"|going to|would like|intend(?:s|ed)?|wish(?:es)?|'d like|will)\b"
)
COMPLETED: Final = re.compile(
    r"(?:[买换学搬报考做开去签卖付定订完]|完成|入职|毕业|结婚|离婚)(?:了|过|掉)|已经?|\b(?:has|have|had|bought|went|moved|signed"
    r"|started|got|took|sold|paid|did|was|were|finished|completed|joined|left|became)\b"
)
REPORTED: Final = re.compile(
    r"听说|据说|传闻|有人说|大家都说|网上说|新闻里?说|书上说|文章里?说|广告说|(?:他|她|他们|她们|老师|医生|朋友|同事|老板|领导|客户|对方|我?妈|我?爸|老婆|老公|室友|邻居|经理)"
    r"(?:们|跟我|对我|也|还|又|总|老)*(?:说|讲|声称|提到|认为|觉得|问)"
    r"|(?<!像)(?<!如)(?<!跟)(?:你|您|你们|\bai|机器人|系统|模型|助手|助理)(?:们|刚才|刚刚|之前|上次|上回|以前|总|老|一直|还|又|也|都|跟我|对我|居然|竟然)*(?:说(?![得的好]|对|错|吧|呢|怪)|讲(?![得的])|声称|以为|认为|觉得|告诉(?:我|他|她|大家)|记成|当成|猜)"
    r"|(?<!as )(?<!like )\byou(?:'ve| have| had)?(?: (?:just|once|also|already|always|even|keep|kept|earlier|still|actually))* (?:sa(?:id|ys?)|saying|told (?:me|us|him|her|them)|think|thought|assumed?|claim(?:ed)?|guess(?:ed)?|believed?|wrote|insist(?:ed)?|have me down)\b(?! (?:you|that you|it|so|hi|hello)\b)"
    r"|\b(?!(?:i|we|that|having|ever|always|just|already|never|also|have|had|being|been|is|was|often|once|only|it|to|and|or)\b)[a-z]{2,} (?:says|said|claims|claimed|told (?:me|us)) (?:that )?(?=(?:i|i'm|i've|we|we're|my|our)\b)"
    r"|\b(?:i (?:heard|read|was told)|apparently|rumou?r(?:s|ed)?|allegedly|supposedly|it is said"
    r"|they say|people say)\b"
    r"|\b(?:he|she|they|someone|everyone|people|boss|friend|colleague|mom|mother|dad|father|wife|husband"
    r"|doctor|teacher|sister|brother|neighbou?r|client|customer|article|news|ad)"
    r"(?: also| just| always| keeps)? (?:says?|said|saying|claims?|claimed|thinks?|thought|believes?"
    r"|mentioned|told (?:me|us)(?! to)|asked|wrote|writes)\b"
)
SUPPOSES: Final = re.compile(
    r"如果|要不是|若非|早知道|假如|假设|假定|要是|倘若|万一|设想|比如说?|例如|譬如|举个例子|打个比方|想象|若是|一旦|(?:真|好|多么?|但)[希愿](?:望)?(?=我|自己)|就好了|多好啊?$|换作|如若|假使"
    r"|\b(?:if(?! possible| you (?:can|could|don't mind))|suppos(?:e|ing)|imagine|what if|pretend"
    r"|hypothetical(?:ly)?|let's say|say i|assum(?:e|ing)|for (?:example|instance)|e\.g\.|in case|unless"
    r"|wish|would have|(?:could|should) have (?:been|gone|done|had|\w+ed)|had it not|had i|were to)\b"
)
FICTION: Final = re.compile(
    r"小说|故事里|讲个故事|写.{0,4}故事|剧本|角色扮演|扮演|假装|假想|测试数据|示例数据|样例|测试用例|虚构|编一个|编个|台词|翻译(?:一下|成|这|下面|：|:)|润色"
    r"|改写(?:一下|下面|这)|造句|主角|男主|女主|剧情|(?:想象|假设|假如)(?:一下)?[，,]?(?:我|你)(?:是|在|有)"
    r"|(?:帮我|请|给我)?写(?:一|个)(?:段|首|篇|封|份)?(?:小说|诗|歌|文案|剧本|故事|邮件|作文)"
    r"|\b(?:role-?play|pretend|(?:imagine|suppose)(?: that)? (?:i'?m|i am|you'?re|you are|we'?re|we are)|fiction(?:al)?|short story|a story|screenplay|in character|test data"
    r"|dummy data|sample data|test case|made-?up|(?<!\bi )(?<!\bwe )translate|proofread|paraphrase|rewrite|lorem"
    r"|protagonist|main character|the hero(?:ine)?|act as|(?:please |can you |could you "
    r"|help me )write (?:a|an|me|the)|^write (?:a|an|me|the)|example:|fill in the form with)\b"
)
HANDS_OVER: Final = re.compile(
    r"(?:以下(?:是|为)?|下面(?:是|这)|如下|附上|原文|正文|(?:邮件|合同|文档|文章|日志|聊天记录|简历|报告|纪要)(?:的)?(?:内容|全文|原文)?(?:是|如下)?)[^。！？\n]{0,16}[:：]\s"
    r"|\b(?:here(?:'s| is| are)|below (?:is|are)|see below|the following|pasting|pasted|attached|forwarded message|contents? of (?:the|this)|the (?:email|e-mail|log|article|contract|document|transcript|resume|report) (?:says|reads))\b[^.!?\n]{0,40}[:：]\s"
    r"|-{3,}\s*(?:forwarded|original) message|^(?:from|subject|to): .*$",
    re.MULTILINE,
)
ONCE: Final = re.compile(
    r"这次(?!的?(?:项目|团建|采购|活动|出差|合同|会议|旅行|婚礼|装修|展会|考试|比赛|任务|订单|搬家))|这一次|这回|本次回答|这一条|这条|这一句|这句|仅此一次|只有这一次|先这样|今天先|就今天|暂时先?|\b(?:this (?:time|once|message|reply"
    r"|answer|one)|just (?:this )?once|for this|just (?:for )?today|for now|only today)\b"
)
USUAL: Final = re.compile(
    r"平时|平常|一般|通常|以后|今后|一律|总是|每次|\b(?:usually|normally|always|otherwise|in general|from now on|every time)\b"
)
DAYTIMES: Final[dict[str, str]] = {
    word: name
    for name, words in {
        "morning": "早上 早晨 上午 清晨 morning mornings",
        "noon": "中午 正午 noon midday lunchtime",
        "afternoon": "下午 afternoon afternoons",
        "evening": "晚上 傍晚 夜里 evening evenings",
        "night": "半夜 深夜 凌晨 night nights midnight",
    }.items()
    for word in words.split()
}
"""Times of day, each with its name: two of them are two values of one thing."""

FIRST_PERSON: Final = re.compile(
    r"我|咱|俺|本人|\b(?:i|i'm|i've|i'd|i'll|my|me|we|we're|we've|our|us|mine|myself)\b"
)
NAMES_SELF: Final = re.compile(
    r"我(?:是|叫|姓|的名字)|叫我|(?:my|the) name|\bname'?s\b|\bi'?m\b|\bi am\b|\bcall me\b|\bthis is\b|\bgo by\b"
    r"|\bhere\b|我名叫|本人"
)
WORKS_AS: Final = re.compile(
    r"我(?:现在|目前)?(?:是|做|当|任)|我在|职位|岗位|职务|负责|\b(?:i'?m|i am|i work|my (?:role|job|title|position)"
    r"|working as)\b"
)
NAMED: Final = re.compile(r"名叫|叫做|名字|(?<!闹)叫(?!上|好|停|车)|\b(?:called|named|name)\b")
WAS: Final = re.compile(r"\b(?:was|were)\b")
IS: Final = re.compile(r"\b(?:is|are|am)\b")
EXCEPTS: Final = re.compile(r"除了|除外|之外|\b(?:except|apart from|other than|but not)\b")
NEEDS: Final = re.compile(r"需要|要求|希望|想要|必须|\b(?:needs?|requires?|wants?|demands?|expects?)\b")
NEEDED: Final = re.compile(
    r"要|需|希望|想|请|必须|得(?=有|是|在)|务必|一定|\b(?:need|want|require|must|have to|has to|please|should|expect|demand|ask|would like|like to)"
)
USES: Final = re.compile(r"使用|采用")
USED: Final = re.compile(r"用|走|通过|以")
LIKES: Final = re.compile(
    r"喜欢|偏好|偏爱|爱(?=吃|喝|看|听|玩|用|好)|最爱|热爱|钟爱|偏向|倾向|首选|\b(?:likes?|loves?|enjoys?|prefers?|preferred"
    r"|favou?rite|fond of|keen on|fan of)\b"
)
CARES: Final = re.compile(
    r"喜欢|偏好|偏爱|爱|好吃|习惯|平时|平常|一般|通常|总是|经常|常|都用|只[用喝吃看听穿坐]|就行|最好|更|首选|倾向|宁愿|想要|要(?!求)|请|别|以后|一律|讨厌|受不了|不"
    r"|\b(?:likes?|liked|loves?|loved|enjoy(?:s|ed)?|prefers?|preferred|favou?rite|fond|keen|fan|always"
    r"|usually|normally|only|rather|better|best|want|please|keep|into|adore|hate|can't|don't|never)\b"
)
TAKES_BACK: Final = re.compile(
    r"[\s，,。.…—–-]*(?:(?:哦|啊|呃|嗯|哎|诶|actually|oh|no|wait|sorry|um|uh|hmm|on second thoughts?)[\s,，.]*){0,4}"
    r"(?:不对|不是(?=[\s,，是])|说错了|打错了|记错了|写错了|错了|口误|等等|等一下|更正|算了|当我没说|取消|作废|不用记"
    r"|scratch that|strike that|no,? wait|i mean\b|i meant|make that|correction|never ?mind|forget (?:it|that|i said)|that's wrong|i take that back|not true|just kidding|i'm joking|kidding|开玩笑|骗你的)"
)
REPAIRS: Final = re.compile(
    r"不对|说错了|打错了|记错了|写错了|口误|等等|等一下|更正|\b(?:scratch that|strike that|no,? wait|i mean(?:t)?|make that|correction)\b"
)
OWN_WORD: Final = re.compile(
    r"[\s，,]*(?:但是?|不过|可是?|反正|其实|but|though|however|so|and)?[\s，,]*(?:我|咱|i\b|i'|we\b|my\b|our\b)"
)
ENDS_IN_SAYING: Final = re.compile(r"(?:说|讲|表示|称|认为|觉得|said|says|told (?:me|us)|thinks?)$")
POINTS_BACK: Final = re.compile(r"[他她它这那]|\b(?:it|they|she|he|this|that|these|those)\b")
PIECE_END: Final = re.compile(
    r"[，,；;。.!！?？\n]|[:：](?!\d)|但是?|不过|然而|而是|而且|\b(?:but|however|although|though|yet|whereas|while|because)\b|\band (?=i |we |my |he |she |it )"
)
SLIP: Final = re.compile(
    r"(?:哦|啊|呃|嗯|哎)?(?:不对|说错了|打错了|记错了|写错了|错了|口误|等等|等一下|更正)[，,\s]*(?:应该)?(?:是)?"
    r"|\b(?:scratch that|strike that|no,? wait|wait,? no|i mean(?:t)?|make that|correction)\b[\s,:]*"
)
KIN: Final[dict[str, str]] = {
    word: name
    for name, words in {
        "mother": "妈妈 妈 母亲 老妈 mom mum mother",
        "father": "爸爸 爸 父亲 老爸 dad father",
        "wife": "老婆 妻子 太太 爱人 媳妇 wife",
        "husband": "老公 丈夫 先生 husband",
        "partner": "男朋友 女朋友 男友 女友 对象 partner boyfriend girlfriend fiancé fiancée",
        "son": "儿子 son",
        "daughter": "女儿 闺女 daughter",
        "child": "孩子 小孩 宝宝 娃 kid kids child children baby toddler",
        "sister": "姐姐 妹妹 姐 妹 sister",
        "brother": "哥哥 弟弟 哥 弟 brother",
        "grandparent": "爷爷 奶奶 外公 外婆 姥姥 姥爷 grandma grandpa grandmother grandfather",
        "relative": "叔叔 阿姨 舅舅 姑姑 表哥 表姐 表弟 表妹 堂哥 侄子 外甥 婆婆 岳父 岳母 uncle aunt cousin nephew niece",
        "friend": "朋友 闺蜜 哥们 friend friends buddy",
        "colleague": "同事 搭档 colleague coworker co-worker teammate",
        "roommate": "室友 舍友 roommate flatmate",
        "neighbour": "邻居 neighbour neighbor",
        "boss": "老板 领导 上司 经理 主管 boss manager supervisor",
        "client": "客户 甲方 client customer",
        "supplier": "供应商 乙方 supplier vendor",
        "other side": "对方",
        "student": "学生 徒弟 实习生 student intern",
        "classmate": "同学 classmate",
        "teacher": "老师 导师 teacher tutor professor",
        "doctor": "医生 大夫 doctor dentist",
        "landlord": "房东 landlord landlady",
        "he": "他 他们 he him they",
        "she": "她 她们 she",
        "somebody": "别人 人家 有人 someone somebody people",
    }.items()
    for word in words.split()
}
"""Words for other people, each with whom it means: 妈妈 and 母亲 are one, 儿子 and 女儿 are two."""
