"""Paragraphs of a page, as wide as the pages that people write."""

import textwrap

WIDTH = 118


def narrow(page):
    """Wraps the paragraphs of a page that have a line of more than WIDTH characters."""
    paragraphs = page.split("\n\n")
    return "\n\n".join(map(wrapped, paragraphs))


def wrapped(paragraph):
    lines = paragraph.strip("\n").split("\n")
    if paragraph.lstrip().startswith(("|", "#", "!", "```", "    ")) or all(len(line) <= WIDTH for line in lines):
        return paragraph
    is_list = lines[0].startswith("- ")
    parts = lines if is_list else [" ".join(lines)]
    indent = "  " if is_list else ""
    filled = (
        textwrap.fill(part, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        for part in parts
    )
    return "\n".join(filled) + ("\n" if paragraph.endswith("\n") else "")
