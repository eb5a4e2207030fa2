"""`bilayer recall`: what a search finds in one user's memory, read over HTTP, and why, as a table."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from shared.cli.connect import connect, front_options
from shared.cli.plain import plain_line
from shared.cli.told import told

PARTS = (
    "terms",
    "neighbour",
    "date",
    "session",
    "embedding",
    "boost",
    "importance",
    "recency",
    "access",
    "rerank",
)
SHOWN_CHARS = 200
UNNAMED = "-"


@click.command()
@front_options
@click.argument("query")
@click.option("--user", required=True, help="Whose memory to search.")
@click.option("--limit", default=10, show_default=True, help="How many hits at most, 1 to 100.")
@click.option("--as-of", help="Search what held at this time (RFC 3339).")
@click.option("--explain", is_flag=True, help="Add the parts of each score.")
@click.option("--json", "as_json", is_flag=True, help="The answer as it came, as JSON.")
def recall(
    url: str | None, key: str | None, *, user: str, explain: bool, as_json: bool, **asked: Any
) -> None:
    """Search one user's memory as a turn would; exit code 1 where nothing answers."""
    body = {name: value for name, value in asked.items() if value is not None}
    with told(), connect(url, key, user=user) as remote:
        found = remote.post("/v1/memories/search", {**body, "explain": explain})
    hits = found["items"]
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    elif hits:
        for line in describe_hits(hits, explain=explain):
            click.echo(line)
    else:
        click.echo(
            f"Nothing answers that. Whether anything is stored of {plain_line(user)}: `bilayer show --user`.",
            err=True,
        )
    if not as_json and found.get("reranked") is False:
        click.echo("The reranker did not answer: this is the search's own order.", err=True)
    if not hits:
        raise SystemExit(1)


def describe_hits(hits: Sequence[Mapping[str, Any]], *, explain: bool) -> Iterator[str]:
    """Yield a table of hits, the best first: score, its parts, date, scope, session, the words."""
    # Only searches with a reranker have its part.
    parts = [part for part in PARTS if any(part in hit["why"] for hit in hits)] if explain else []
    heads = ["score", *parts, "date", "scope", "session", "kind"]
    rows = [describe_hit(hit, parts) for hit in hits]
    widths = [max(len(head), *(len(row[place]) for row in rows)) for place, head in enumerate(heads)]
    for *cells, text in ([*heads, "text"], *rows):
        yield "  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)), text])


def describe_hit(hit: Mapping[str, Any], parts: Sequence[str]) -> list[str]:
    memory, source = hit["memory"], hit["source"]
    session = plain_line(source["session_id"] or UNNAMED)
    return [
        f"{hit['score']:.2f}",
        *(f"{hit['why'].get(part, 0.0):.2f}" for part in parts),
        source["said_at"][:10],
        hit["scope"],
        session,
        memory["kind"],
        describe_words(hit),
    ]


def describe_words(hit: Mapping[str, Any]) -> str:
    """Return the words of a hit, the quote where it says more, and what became of them."""
    text = plain_line(hit["memory"]["text"])[:SHOWN_CHARS]
    quote = plain_line(hit["source"]["quote"])[:SHOWN_CHARS]
    said = f'  (said as "{quote}")' if quote and quote != text else ""
    past = hit["past"]
    if past is None:
        return text + said
    newer = f": {plain_line(past['newer'])[:SHOWN_CHARS]}" if past["newer"] else ""
    return f"{text}{said}  [until {past['until'][:10]}{newer}]"
