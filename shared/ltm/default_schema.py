"""The schema that every tenant begins with: who the user is, what is being done, the frame of the business.

The first label of a language is the shown one. Aliases are what people say; a word that means several things
in daily talk (金额, 日期, number) is no alias, since each alias makes a clause fit to be read as a value.
"""

from __future__ import annotations

from typing import Final

from shared.ltm.schema_path import Labels, SchemaPath

_USER: Final = (
    SchemaPath(
        path="user_profile.name",
        type="string",
        labels=Labels(zh=("姓名", "名字"), en=("name", "full name")),
        aliases=("称呼", "大名", "全名", "user name"),
    ),
    SchemaPath(
        path="user_profile.role",
        type="string",
        labels=Labels(zh=("职位", "岗位", "职务"), en=("role", "job title")),
        aliases=("头衔", "职称", "角色", "position", "title"),
    ),
    SchemaPath(
        path="user_profile.contact.email",
        type="string",
        labels=Labels(zh=("邮箱", "电子邮箱"), en=("email", "email address")),
        aliases=(
            "邮箱地址",
            "邮件地址",
            "电子邮件",
            "联系邮箱",
            "工作邮箱",
            "e-mail",
            "e-mail address",
            "mail address",
            "contact email",
            "work email",
        ),
        sensitivity="sensitive",
    ),
    SchemaPath(
        path="user_profile.contact.phone",
        type="string",
        labels=Labels(zh=("手机号", "电话"), en=("phone number", "phone")),
        aliases=(
            "手机号码",
            "电话号码",
            "联系电话",
            "手机",
            "联系方式",
            "mobile",
            "mobile number",
            "cell phone",
            "cell",
            "cell number",
            "telephone",
            "telephone number",
            "contact number",
        ),
        sensitivity="sensitive",
    ),
    SchemaPath(
        path="user_profile.company.industry",
        type="string",
        labels=Labels(zh=("所属行业", "行业"), en=("industry",)),
        aliases=("公司所属行业", "公司行业", "行业类型", "企业行业", "company industry", "business sector"),
    ),
)

_TASK: Final = (
    SchemaPath(
        path="current_task.type",
        type="string",
        labels=Labels(zh=("任务类型",), en=("task type",)),
        aliases=("任务类别", "type of task"),
    ),
    SchemaPath(
        path="current_task.scope",
        type="string",
        labels=Labels(zh=("任务范围", "工作范围"), en=("task scope", "scope of work")),
        aliases=("项目范围", "工作内容范围", "scope", "project scope", "work scope"),
    ),
    SchemaPath(
        path="current_task.constraints",
        type="string[]",
        labels=Labels(zh=("约束条件", "约束"), en=("constraints", "constraint")),
        aliases=("限制条件", "约束项", "硬性要求", "task constraints", "restrictions"),
    ),
    SchemaPath(
        path="current_task.last_cost",
        type="number",
        labels=Labels(zh=("上次成本", "最近成本"), en=("last cost", "latest cost")),
        aliases=("上次费用", "上一次成本", "previous cost"),
    ),
)

_BUSINESS: Final = (
    SchemaPath(
        path="business_context.project_id",
        type="string",
        labels=Labels(zh=("项目编号", "项目号"), en=("project id", "project number")),
        aliases=("项目ID", "项目代码", "项目代号", "工程编号", "project code", "project no", "project no."),
        priority="high",
        ask="when_mentioned",
        required_for=("contract_review",),
    ),
    SchemaPath(
        path="business_context.phase",
        type="string",
        labels=Labels(zh=("项目阶段", "阶段"), en=("project phase", "phase")),
        aliases=("当前阶段", "所处阶段", "项目进度阶段", "project stage", "stage"),
    ),
    SchemaPath(
        path="business_context.deadline",
        type="date",
        labels=Labels(zh=("截止日", "截止日期"), en=("deadline", "due date")),
        aliases=(
            "截止时间",
            "最后期限",
            "交付日期",
            "交付日",
            "交付时间",
            "交期",
            "完成期限",
            "到期日",
            "截止",
            "delivery date",
            "end date",
            "cut-off date",
            "cutoff date",
            "closing date",
        ),
        priority="high",
        expires="deadline",
        required_for=("contract_review",),
    ),
    SchemaPath(
        path="business_context.budget.ceiling",
        type="number",
        labels=Labels(zh=("预算上限", "预算"), en=("budget ceiling", "budget")),
        aliases=(
            "总预算",
            "预算总额",
            "预算金额",
            "最高预算",
            "预算额度",
            "项目预算",
            "budget cap",
            "budget limit",
            "total budget",
            "overall budget",
            "maximum budget",
            "max budget",
            "project budget",
            "spending limit",
            "spending cap",
        ),
        priority="high",
    ),
    SchemaPath(
        path="business_context.budget.unit",
        type="string",
        labels=Labels(zh=("预算币种", "预算单位"), en=("budget currency", "budget unit")),
        aliases=("币种", "结算币种", "计价币种", "currency"),
        priority="low",
    ),
    SchemaPath(
        path="business_context.budget.per_person",
        type="number",
        labels=Labels(zh=("人均预算", "每人预算"), en=("budget per person", "per-person budget")),
        aliases=(
            "人均标准",
            "人均费用",
            "人均上限",
            "每人标准",
            "差旅标准",
            "per person budget",
            "per head budget",
            "per-head budget",
            "budget per head",
            "per capita budget",
        ),
    ),
    SchemaPath(
        path="business_context.order_id",
        type="string",
        labels=Labels(zh=("订单号", "订单编号"), en=("order number", "order id")),
        aliases=(
            "订单ID",
            "订单号码",
            "采购单号",
            "order no",
            "order no.",
            "purchase order",
            "po number",
        ),
    ),
    SchemaPath(
        path="business_context.excluded_technologies",
        type="string[]",
        labels=Labels(zh=("排除技术", "排除的技术"), en=("excluded technologies", "excluded technology")),
        aliases=(
            "禁用技术",
            "禁用的技术",
            "不用的技术",
            "不使用的技术",
            "技术黑名单",
            "技术排除清单",
            "排除清单",
            "banned technologies",
            "forbidden technologies",
            "technology blacklist",
            "tech blacklist",
            "excluded tech",
            "exclusion list",
        ),
    ),
)

DEFAULT_PATHS: Final = (*_USER, *_TASK, *_BUSINESS)
