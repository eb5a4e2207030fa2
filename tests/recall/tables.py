"""Reads the tables of cases that stand beside the tests of this room."""

from pathlib import Path


def read_table(name: str) -> list[list[str]]:
    """The rows of a TSV file as lists of cells; lines that start with # are comments."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
