"""How sure may the reader be, and which pairs of cards does it take for one another?"""

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from vision.look.faces import FACES, NONE, SUITED, UNO
from vision.training.mix import INDEX, Views
from vision.training.net import ReaderNet

HARD_PAIRS = {
    "clubs/spades": (SUITED, "cs", 1),
    "hearts/diamonds": (SUITED, "hd", 1),
    "6/9": (SUITED, "69", 0),
    "Q/10": (SUITED, "QT", 0),
    "J/Q/K": (SUITED, "JQK", 0),
    "UNO 6/9": (UNO, "69", 1),
    "red/wild": (UNO, "rW", 0),
}
"""Per pair the cards it is about, the letters that get confused, and where in a card's name they stand."""
PRECISION = 0.99
"""An answer must be right this often at the confidence from which it is given as a card."""


def evaluate(net: ReaderNet, data: Views) -> tuple[Tensor, Tensor]:
    """Logits and allowed faces of every view of `data`."""
    net.eval()
    kept = []
    with torch.no_grad():
        for views, allowed in DataLoader(data, 64, num_workers=1):
            kept.append((net(views.float())[0], allowed))
    return torch.cat([k[0] for k in kept]), torch.cat([k[1] for k in kept])


def calibrate(
    logits: Tensor, allowed: Tensor, temperature: float | None = None, sure: float | None = None
) -> tuple[float, float, dict[str, float]]:
    """The temperature of least loss, the confidence from which 99 of 100 named cards are right, and figures.

    Temperature and confidence are those given, where they are.
    """
    if temperature is None:
        heat = torch.linspace(0.4, 3, 53)
        losses = [
            -torch.logsumexp(functional.log_softmax(logits / t, -1).masked_fill(~allowed, -1e9), -1).mean()
            for t in heat
        ]
        temperature = float(heat[int(torch.stack(losses).argmin())])
    probability, best = functional.softmax(logits / temperature, -1).max(-1)
    right = allowed.gather(1, best[:, None])[:, 0]
    named = best != INDEX[NONE]
    if sure is None:
        order = probability[named].argsort(descending=True)
        precision = right[named][order].float().cumsum(0) / torch.arange(1, len(order) + 1)
        enough = (precision >= PRECISION).nonzero()
        sure = float(probability[named][order][int(enough[-1])]) if len(enough) else 0.99
    bins = (probability * 15).long().clamp(max=14)
    error = sum(
        float((bins == b).float().mean() * (probability[bins == b].mean() - right[bins == b].float().mean()).abs())
        for b in range(15)
        if (bins == b).any()
    )
    cards = allowed.sum(1).ge(1) & ~allowed[:, INDEX[NONE]]
    figures = {
        "views": len(logits),
        "right": float(right[cards].float().mean()),
        "wrong_of_named": 1 - float(right[(probability >= sure) & named].float().mean()),
        "named": float(((probability >= sure) & named)[cards].float().mean()),
        "false_on_no_card": float(((probability >= sure) & named)[~cards].float().mean()),
        "calibration_error": error,
    }
    return temperature, sure, figures


def confusions(
    logits: Tensor, allowed: Tensor, temperature: float, sure: float, pairs: tuple[str, ...] = tuple(HARD_PAIRS)
) -> dict[str, dict[str, float]]:
    """Per hard pair: how many cards of it there are, how many are likeliest right, taken for the other, named so."""
    probability, best = functional.softmax(logits / temperature, -1).max(-1)
    found: dict[str, dict[str, float]] = {}
    for name in pairs:
        cards, letters, place = HARD_PAIRS[name]
        count = right = other = told = 0
        for row in range(len(logits)):
            if int(allowed[row].sum()) != 1:
                continue
            truth = FACES[int(allowed[row].nonzero())]
            if truth not in cards or _letter(truth, place) not in letters:
                continue
            guess = FACES[int(best[row])]
            count += 1
            right += guess == truth
            taken_for = _letter(guess, place)
            if guess in cards and taken_for in letters and taken_for != _letter(truth, place):
                other += 1
                told += float(probability[row]) >= sure
        found[name] = {"cards": count, "right": right / max(count, 1), "other": other, "named_other": told}
    return found


def _letter(card: str, place: int) -> str:
    """A letter of a card's name; a space where the name is shorter."""
    return card[place] if len(card) > place else " "
