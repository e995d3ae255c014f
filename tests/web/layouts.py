"""What a person can see and reach on a screen, measured in the browser: sizes of cells, of texts, of targets."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from playwright.sync_api import Page

# Everything is measured at once, where it lies: no scrolling, nothing opened.
_MEASURE: Final = """least => {
  const wrong = [];
  const [wide, high] = [innerWidth, innerHeight];
  const named = (e) => {
    const said = e.getAttribute("aria-label") || e.textContent.trim().slice(0, 24);
    return `${e.tagName.toLowerCase()}.${String(e.className?.baseVal ?? e.className).split(" ")[0]} "${said}"`;
  };
  const drawn = { opacityProperty: true, visibilityProperty: true };
  const hidden = (e) => !e.checkVisibility(drawn) || e.closest(".unseen, .flying, dialog");
  const clipped = (e) => {
    for (let up = e; up; up = up.parentElement) if (getComputedStyle(up).clipPath.startsWith("inset(50%")) return true;
    return false;
  };
  const boxOf = (e) => {
    const { left, top, right, bottom, width, height } = e.getBoundingClientRect();
    return { left, top, right, bottom, width, height };
  };
  const inside = (box) => box.left >= -1 && box.top >= -1 && box.right <= wide + 1 && box.bottom <= high + 1;
  /** What lies on top there is the thing itself, or a part of it. */
  const onTop = (e, box) => {
    const found = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return found !== null && (e.contains(found) || found.contains(e));
  };

  const page = document.scrollingElement;
  if (page.scrollHeight > high + 1 || page.scrollWidth > wide + 1) {
    wrong.push(`the page scrolls: ${page.scrollWidth} x ${page.scrollHeight}`);
  }

  const musts = [".banner h2", "[data-slot]", "[data-grid]", "[data-piece]", "[role=toolbar] button"];
  const parts = [...musts, "[data-reserve]", ".places > .empty", "[data-seat]", ".finesse"];
  for (const part of parts) {
    for (const e of document.querySelectorAll(part)) {
      const whole = part === "[data-grid]" ? e.parentElement : e; // the cells lie on their card
      const box = boxOf(whole);
      if (box.width < 1 || box.height < 1) wrong.push(`not drawn: ${named(e)}`);
      else if (!inside(box)) wrong.push(`off the screen: ${named(e)} ${JSON.stringify(box)}`);
      else if (!onTop(whole, box)) wrong.push(`covered: ${named(e)}`);
    }
  }
  for (const part of musts) {
    if (!document.querySelector(part)) wrong.push(`missing: ${part}`);
  }

  const pressed = document.querySelectorAll("button, a[href], input, select, summary");
  const targets = [...pressed].filter((e) => !hidden(e) && !clipped(e));
  for (const e of targets) {
    const { width, height } = boxOf(e);
    const small = Math.min(width, height) < least - 0.5;
    if (small) wrong.push(`a target of ${width.toFixed(0)} x ${height.toFixed(0)}: ${named(e)}`);
  }

  // Things that must not lie over each other; a pixel of rounding is nothing.
  const others = document.querySelectorAll("[data-place], .prompt, .log, .market, .finesse, .banner h2");
  const blocks = [...targets, ...others];
  blocks.forEach((one, n) => blocks.slice(n + 1).forEach((other) => {
    if (one.contains(other) || other.contains(one)) return;
    const [a, b] = [boxOf(one), boxOf(other)];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 1) wrong.push(`${named(one)} lies over ${named(other)}`);
  }));

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || hidden(e) || clipped(e)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 1) continue;
    const scale = e instanceof SVGElement ? e.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(e).fontSize) * scale;
    if (size < 11.99) wrong.push(`text of ${size.toFixed(1)} px: ${named(e)}`);
  }

  // A word on a button stays whole: each of its letters on the same line.
  for (const e of document.querySelectorAll("[role=toolbar] button span")) {
    if (clipped(e) || !e.firstChild) continue;
    for (const { index, 0: word } of e.textContent.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(e.firstChild, index);
      range.setEnd(e.firstChild, index + word.length);
      const over = range.getBoundingClientRect().width - boxOf(e.parentElement).width;
      if (range.getClientRects().length > 1 || over > 0.5) wrong.push(`a broken word: ${word}`);
    }
  }

  const grid = document.querySelector("[data-grid]");
  const cell = grid ? grid.getBoundingClientRect().width / 5 : 0;
  const card = document.querySelector("[data-slot] svg.card")?.getScreenCTM().a * 20;
  const piece = document.querySelector("[data-piece] svg")?.getScreenCTM().a * 20;
  if (Math.abs(piece - cell) > 1) wrong.push(`pieces of ${piece} px a cell beside puzzles of ${cell}`);
  return { cell, card, wrong };
}"""


class Layout(NamedTuple):
    """A table on a screen."""

    cell: float  # of my puzzles, in pixels
    card: float  # of open cards
    wrong: list[str]


def layout(page: Page, least: int) -> Layout:
    """Measure a table; `least` is the smallest size that a target may have."""
    found: dict[str, Any] = page.evaluate(_MEASURE, least)
    return Layout(found["cell"], found["card"], found["wrong"])
