"""Recall figures of the pure ranking: `python -m tests.evals.offline --data PATH [--set NAME]`.

With `--embeddings` the local model's leg takes part, and its own cross-lingual set is measured too: each
conversation by itself, and two of them (one zh, one en) as one user who writes both. With
`--perfect-reranker` the first 50 rows stand in the order of a reranker that errs never: what one could win.
Prints R@5 / R@10 / R@20 / MRR (hit@k for MemoryBank, whose evidence is alternatives) per set and category.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from statistics import fmean

import numpy as np

from shared.language.synonyms import NO_SYNONYMS
from shared.ports.reranker import MOST_TEXTS
from shared.recall.query import plan_query, wider_terms
from shared.recall.rows import RecallWeights
from shared.recall.score import DEFAULT_WEIGHTS, score_rows
from tests.evals.meaning import Meanings, encode, load_both_languages, load_cross_lingual
from tests.evals.memory_index import MemoryIndex, build_index
from tests.evals.metrics import hit_at, recall_at, reciprocal_rank
from tests.evals.sets import SETS, Conversation, Question, load_set

APART = "adversarial"
OWN = {"cross-lingual": load_cross_lingual, "both languages": load_both_languages}
Figures = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Indexed:
    """A conversation with its index, and its vectors where the leg takes part."""

    conversation: Conversation
    index: MemoryIndex
    meanings: Meanings | None = None


def rank(indexed: Indexed, question: Question, *, weights: RecallWeights, is_perfect: bool) -> list[str]:
    """The message ids of the scope, best first, those with no score left out.

    `is_perfect`: of the first that a reranker reads, evidence comes first.
    """
    index, meanings = indexed.index, indexed.meanings
    today = question.asked_on or date.fromordinal(int(index.rows.day.max()))
    query = plan_query(question.text, today=today, years=index.years, speakers=index.speakers)
    more = (term for term in wider_terms(query, NO_SYNONYMS) if term.term in index.postings)
    query = replace(query, terms=(*query.terms, *more))
    nearness = meanings.nearness(index, question) if meanings is not None else None
    scored = score_rows(index.rows, query, postings=index.postings, nearness=nearness, weights=weights)
    scores = scored.scores
    order = np.argsort(-scores, kind="stable")
    ranked = [index.ids[row] for row in order[:200] if scores[row] > 0]
    if not is_perfect:
        return ranked
    gold = frozenset().union(*question.gold)
    return [*sorted(ranked[:MOST_TEXTS], key=lambda name: name not in gold), *ranked[MOST_TEXTS:]]


def measure(
    indexed: Sequence[Indexed], *, weights: RecallWeights, hits: bool, is_perfect: bool
) -> Iterator[tuple[str, Figures]]:
    """The category and figures of every question."""
    found = hit_at if hits else recall_at
    for each in indexed:
        for question in each.conversation.questions:
            ranked = rank(each, question, weights=weights, is_perfect=is_perfect)
            at5, at10, at20 = (found(ranked, question.gold, k=k) for k in (5, 10, 20))
            yield question.category, (at5, at10, at20, reciprocal_rank(ranked, question.gold))


def summary(figures: Sequence[Figures]) -> str:
    """Means in percent, with the number of questions."""
    return (
        " / ".join(f"{100 * fmean(column):5.1f}" for column in zip(*figures, strict=True))
        + f"  n={len(figures)}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the sets asked for and prints their figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.evals.offline")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", choices=(*SETS, *OWN), action="append", dest="sets")
    parser.add_argument("--embeddings", action="store_true", help="with the local model of the extra")
    parser.add_argument("--perfect-reranker", action="store_true", help="what a reranker could win at most")
    parser.add_argument("--cache", type=Path, help="folder that keeps what was encoded")
    options = parser.parse_args(arguments)
    for name in options.sets or (*SETS, *(OWN if options.embeddings else ())):
        conversations = OWN[name]() if name in OWN else load_set(options.data, name)
        if not conversations:
            sys.stdout.write(f"{name}: not in {options.data}, skipped\n")
            continue
        indexed = [
            Indexed(
                each,
                build_index(each.sessions),
                encode(each, cache=options.cache) if options.embeddings else None,
            )
            for each in conversations
        ]
        by_category: dict[str, list[Figures]] = defaultdict(list)
        for category, figures in measure(
            indexed,
            weights=DEFAULT_WEIGHTS,
            hits=name in OWN or name.startswith("memorybank"),
            is_perfect=options.perfect_reranker,
        ):
            by_category[category].append(figures)
        counted = [each for category, group in by_category.items() if category != APART for each in group]
        sys.stdout.write(f"{name:26} {summary(counted)}\n")
        for category, group in sorted(by_category.items()):
            sys.stdout.write(f"  {category:24} {summary(group)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
