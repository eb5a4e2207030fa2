"""Words that mean the same in any office, in Chinese and English: the table that every tenant begins with."""

from __future__ import annotations

from typing import Final

TABLE: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(phrase.strip() for phrase in line.split("|"))
    for line in """
报表 | 报告 | 数据汇总 | report
企业微信 | 企微 | WeCom
截止日 | 截止日期 | 最后期限 | deadline | due date
预算 | 经费 | budget
报销 | 费用报销 | reimbursement | expense claim
发票 | 票据 | invoice
合同 | 协议 | contract | agreement
报价 | 报价单 | quotation | price quote
供应商 | 供货商 | vendor | supplier
客户 | 甲方 | client | customer
同事 | 同仁 | colleague | coworker
老板 | 上司 | 领导 | boss | manager
下属 | 组员 | direct report | subordinate
部门 | 科室 | department
公司 | 企业 | company | firm
工资 | 薪水 | 薪资 | salary | pay
奖金 | 年终奖 | bonus
请假 | 休假 | leave of absence | time off
加班 | 赶工 | overtime
出差 | 差旅 | business trip
考勤 | 打卡 | attendance
面试 | 招聘面试 | job interview
简历 | 履历 | resume | CV
培训 | 集训 | training
会议 | 开会 | meeting
会议纪要 | 会议记录 | meeting minutes
日程 | 行程安排 | schedule
邮箱 | 邮件地址 | 电子邮件 | email | e-mail
电话 | 手机号 | 联系电话 | phone number
地址 | 住址 | address
验证码 | 校验码 | verification code
密码 | 口令 | password | passcode
账号 | 账户 | account
登录 | 登陆 | log in | sign in
附件 | 随附文件 | attachment
文档 | 文件 | document
幻灯片 | 演示文稿 | slides | slide deck
表格 | 电子表格 | spreadsheet
需求 | 需求文档 | requirement
缺陷 | 故障 | bug | defect
上线 | 发布 | release | go live
测试 | 验收 | acceptance test
服务器 | 主机 | server
备份 | 数据备份 | backup
订单 | 订单号 | purchase order | order number
发货 | 配送 | 快递 | shipping | delivery
退款 | 退费 | refund
折扣 | 优惠 | discount
收款 | 回款 | payment received
付款 | 打款 | 转账 | pay | payment
机票 | 航班 | flight ticket
酒店 | 宾馆 | hotel
""".strip().splitlines()
)
