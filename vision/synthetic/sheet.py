"""What do the synthetic tables look like? `python -m vision.synthetic.sheet sheet.png` draws a sheet with the truth."""

import argparse
from pathlib import Path

import cv2
import numpy as np

from vision.look.quads import Image
from vision.synthetic import decks
from vision.synthetic.tables import Table, Tables


def marked(table: Table) -> Image:
    """The table with every card outlined: green when whole, red when partly covered, a dot at its own top-left."""
    picture = table.image.copy()
    for card in table.cards:
        colour = (0, 200, 0) if card.whole else (0, 0, 230)
        cv2.polylines(picture, [np.round(card.quad).astype(np.int32)], True, colour, 1, cv2.LINE_AA)
        x, y = (int(v) for v in np.round(card.quad[0]))
        cv2.circle(picture, (x, y), 4, (255, 0, 255), -1, cv2.LINE_AA)
        x, y = (int(v) for v in np.round(card.quad.mean(axis=0)))
        cv2.putText(picture, f"{card.card} {card.visible:.2f}", (x - 25, y), 0, 0.5, (255, 0, 255), 1, cv2.LINE_AA)
    return picture


def main() -> None:
    """Writes the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=int, default=5)
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--bare", action="store_true", help="without the outlines")
    args = parser.parse_args()
    tables = Tables(decks.shared())
    drawn = [tables.draw(args.seed + i) for i in range(args.rows * args.columns)]
    cells = [cv2.resize(t.image if args.bare else marked(t), (320, 240), interpolation=cv2.INTER_AREA) for t in drawn]
    rows = [np.hstack(cells[i : i + args.columns]) for i in range(0, len(cells), args.columns)]
    cv2.imwrite(str(args.out), np.vstack(rows))


if __name__ == "__main__":
    main()
