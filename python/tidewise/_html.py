"""Short tables for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable


def html_table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """Return a table of two columns, all text escaped; rows with the value None are left out."""
    lines = "".join(
        f'<tr><th style="text-align: left">{html.escape(name)}</th>'
        f'<td style="text-align: left">{html.escape(str(value))}</td></tr>'
        for name, value in rows
        if value is not None
    )
    return f"<table><caption>{html.escape(title)}</caption><tbody>{lines}</tbody></table>"
