"""The `bilayer` command's first step: put the private folder first on the import path.

An installed wheel carries this file as `bilayer_app/__init__.py`, with `api`, `workers` and `shared` beside
it. An editable install carries this file alone, and a path entry leads to the checkout. Nothing here may
import anything of ours at the top, since the path is not laid yet.
"""

import sys
from pathlib import Path


def lay_path() -> None:
    """Make `api`, `workers` and `shared` mean ours, whatever else is installed under these names."""
    folder = Path(__file__).resolve().parent
    if (folder / "shared").is_dir():
        sys.path.insert(0, str(folder))


def main() -> None:
    lay_path()
    from shared.cli import main as run  # noqa: PLC0415 - the path is laid one line above

    run()
