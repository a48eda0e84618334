"""How is the card reader trained, calibrated and exported? `python -m vision.training.reader`, resumable."""

import argparse
import itertools
import json
import os
import random
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from vision.faces import BACK, FACES, NONE, RANKS, SUITS, SYMBOLS
from vision.reader import SIZE
from vision.synthetic import decks
from vision.synthetic.prints import made_up_back
from vision.synthetic.scenery import Scenery
from vision.training.photos import Snap, snaps
from vision.training.views import drawn_view, no_card, photo_view

INDEX = {name: i for i, name in enumerate(FACES)}
CORNER = (48, 76)
"""Width and height of the two corners looked at in full sharpness."""
PRECISION = 0.99
"""An answer must be right this often at the confidence from which it is given as a card."""


class ReaderNet(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is no dependency
    """Both index corners in full sharpness, by one shared network, and the whole face at half of it.

    The scores of the 52 suited faces are rank + suit + a small term of their own, likewise colour + symbol for UNO:
    a rank seen in one suit helps the other three.
    """

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.corner = nn.Sequential(*_stages(width), Pool((9, 6), (4, 3)), nn.Flatten())
        self.face = nn.Sequential(*_stages(width), Pool((12, 8), (6, 4)), nn.Flatten())
        self.corner_features = nn.Sequential(nn.Linear(width * 6 * 12, 160), nn.ReLU(), nn.Dropout(0.2))
        self.face_features = nn.Sequential(nn.Linear(width * 6 * 24, 160), nn.ReLU(), nn.Dropout(0.2))
        self.corner_answer = Answer(160)
        self.answer = Answer(160 * 3)

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Logits `(n, faces)` and the corners' own `(n, 2, faces)` of BGR views `(n, 196, 136, 3)` in 0..255."""
        picture = views.permute(0, 3, 1, 2) / 64 - 2
        width, height = CORNER
        here = self.corner_features(self.corner(picture[:, :, :height, :width]))
        there = self.corner_features(self.corner(picture[:, :, -height:, -width:].flip(2, 3)))
        face = self.face_features(self.face(functional.avg_pool2d(picture, 2)))
        logits = self.answer(torch.cat([torch.maximum(here, there), here + there, face], 1))
        return logits, torch.stack([self.corner_answer(here), self.corner_answer(there)], 1)


class Pool(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is no dependency
    """Adaptive average pooling between two known sizes (rows, columns), as two products that ONNX can express."""

    def __init__(self, given: tuple[int, int], wanted: tuple[int, int]) -> None:
        super().__init__()
        for name, before, after in zip(("rows", "columns"), given, wanted, strict=True):
            self.register_buffer(name, functional.adaptive_avg_pool1d(torch.eye(before), after), persistent=False)

    def forward(self, maps: Tensor) -> Tensor:
        """`(n, c, rows, columns)` averaged to the wanted size."""
        return self.rows.T @ maps @ self.columns


class Answer(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is no dependency
    """Features to logits over `FACES`."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.rank, self.suit = nn.Linear(features, len(RANKS)), nn.Linear(features, len(SUITS))
        self.symbol, self.colour = nn.Linear(features, len(SYMBOLS)), nn.Linear(features, 4)
        self.own = nn.Linear(features, len(FACES))

    def forward(self, features: Tensor) -> Tensor:
        """Logits `(n, faces)` of features `(n, f)`."""
        suited = self.rank(features)[:, :, None] + self.suit(features)[:, None, :]
        coloured = self.symbol(features)[:, :, None] + self.colour(features)[:, None, :]
        own = self.own(features)
        joker, wilds_and_rest = own[:, 52:53], own[:, 53 + 52 :]
        return torch.cat(
            [suited.flatten(1) + 0.5 * own[:, :52], joker, coloured.flatten(1) + 0.5 * own[:, 53:105], wilds_and_rest],
            1,
        )


def _stages(width: int) -> list[nn.Module]:
    sizes = [3, width, width * 2, width * 4, width * 6]
    made: list[nn.Module] = []
    for i, (before, after) in enumerate(itertools.pairwise(sizes)):
        made += [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
        if i < 3:
            made.append(nn.MaxPool2d(2))
    return made


class Views(Dataset[tuple[Tensor, Tensor]]):  # type: ignore[misc, unused-ignore]  # torch is no dependency
    """View number `i` of a seed is always the same picture, whoever draws it."""

    def __init__(
        self, seed: int, count: int, root: Path, photos: list[Snap], names: set[str] | None, share: float = 0.34
    ) -> None:
        self.seed, self.count, self.share = seed, count, share
        drawn = [f for f in decks.faces(root) if names is None or f.deck in names]
        self.french = [f for f in drawn if f.deck != decks.UNO_DECK and f.card != BACK]
        # Foreign letters are few among the decks and hard: they come up three times as often.
        self.french += 2 * [f for f in self.french if f.deck in decks.FOREIGN and f.card[0] in "AJQK"]
        self.uno = [f for f in drawn if f.deck == decks.UNO_DECK]
        self.backs = [f for f in drawn if f.card == BACK]
        self.photos = {source: [s for s in photos if s.source == source] for source in {s.source for s in photos}}
        self.scenery = Scenery(root)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, number: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng((self.seed, number))
        view, cards = self.draw(rng)
        allowed = np.zeros(len(FACES), bool)
        allowed[[INDEX[card] for card in cards]] = True
        return torch.from_numpy(np.ascontiguousarray(view)), torch.from_numpy(allowed)

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
        """One view, and the faces it may be."""
        if rng.random() < self.share and self.photos:
            source = str(rng.choice(sorted(self.photos)))
            snap = self.photos[source][rng.integers(len(self.photos[source]))]
            photo = cv2.imread(str(snap.path))
            turns = 2 * int(rng.integers(2)) if snap.cards != (NONE,) else int(rng.integers(4))
            quad = np.roll(snap.quad, turns, axis=0)
            return photo_view(rng, np.asarray(photo, np.uint8), quad), snap.cards
        pool = self.french if rng.random() < 0.92 or not self.uno else self.uno
        face = pool[rng.integers(len(pool))]
        kind = rng.random()
        if kind < 0.18:
            return no_card(rng, self.scenery, face.picture()), (NONE,)
        other = pool[rng.integers(len(pool))].picture() if rng.random() < 0.4 else None
        if kind < 0.24:
            drawn = rng.random() < 0.5 and bool(self.backs)
            back = self.backs[rng.integers(len(self.backs))].picture() if drawn else made_up_back(rng)
            return drawn_view(rng, back, self.scenery, other), (BACK,)
        return drawn_view(rng, face.picture(), self.scenery, other), (face.card,)


def loss_of(logits: Tensor, allowed: Tensor) -> Tensor:
    """Minus log of the probability of the allowed faces, with a little smoothing."""
    logp = functional.log_softmax(logits, -1)
    right = torch.logsumexp(logp.masked_fill(~allowed, -1e9), -1)
    return -(right * 0.97 + logp.mean(-1) * 0.03).mean()


def train(args: argparse.Namespace, root: Path) -> ReaderNet:
    """Trains from where `runs/reader/last.pt` stopped to `args.views` views."""
    out = Path(args.out)
    checkpoint = out / "last.pt"
    net = ReaderNet()
    steps = args.views // args.batch
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, total_steps=steps + 1, pct_start=0.1)
    done = 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        if state["steps"] == steps:
            net.load_state_dict(state["net"])
            optimiser.load_state_dict(state["optimiser"])
            schedule.load_state_dict(state["schedule"])
            done = state["done"]
    if args.warm and not done:
        net.load_state_dict(torch.load(out / "trained.pt")["net"])
    all_photos = snaps(root, out / "photos.json")
    names = {f.deck for f in decks.faces(root)} - decks.HELD_OUT
    data = Views(args.seed, args.views, root, [s for s in all_photos if not s.held_out], names)
    loader = DataLoader(
        torch.utils.data.Subset(data, range(done * args.batch, args.views)),
        args.batch, num_workers=args.workers, drop_last=True,
    )  # fmt: skip
    net.train()
    began, shown = time.time(), done
    running = 0.0
    for views, allowed in loader:
        if done >= steps:
            break
        logits, corners = net(views.float())
        # A corner alone cannot tell a card from none, nor always which: it only helps the shared features.
        card = ~allowed[:, INDEX[NONE]] & ~allowed[:, INDEX[BACK]]
        loss = loss_of(logits, allowed)
        if card.any():
            loss = loss + 0.2 * loss_of(corners[card], allowed[card][:, None].expand(-1, 2, -1))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        done += 1
        running = 0.98 * running + 0.02 * float(loss.detach())
        if done % 50 == 0:
            rate = (done - shown) * args.batch / (time.time() - began)
            print(f"{done}/{steps} loss {running:.3f} {rate:.0f} views/s", flush=True)
            state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict()}
            torch.save(state | {"done": done, "steps": steps}, checkpoint.with_suffix(".part"))
            checkpoint.with_suffix(".part").rename(checkpoint)
    torch.save({"net": net.state_dict(), "steps": steps, "done": done}, out / "trained.pt")
    return net


def evaluate(net: ReaderNet, data: Views) -> tuple[Tensor, Tensor]:
    """Logits and allowed faces of every view of `data`."""
    net.eval()
    kept = []
    with torch.no_grad():
        for views, allowed in DataLoader(data, 64, num_workers=1):
            kept.append((net(views.float())[0], allowed))
    return torch.cat([k[0] for k in kept]), torch.cat([k[1] for k in kept])


def calibrate(logits: Tensor, allowed: Tensor) -> tuple[float, float, dict[str, float]]:
    """The temperature of least loss, the confidence from which 99 of 100 named cards are right, and figures."""
    heat = torch.linspace(0.4, 3, 53)
    losses = [
        -torch.logsumexp(functional.log_softmax(logits / t, -1).masked_fill(~allowed, -1e9), -1).mean() for t in heat
    ]
    temperature = float(heat[int(torch.stack(losses).argmin())])
    probability, best = functional.softmax(logits / temperature, -1).max(-1)
    right = allowed.gather(1, best[:, None])[:, 0]
    named = best != INDEX[NONE]
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
        "named": float(((probability >= sure) & named)[cards].float().mean()),
        "false_on_no_card": float(((probability >= sure) & named)[~cards].float().mean()),
        "calibration_error": error,
    }
    return temperature, sure, figures


def export(net: ReaderNet, path: Path, temperature: float, sure: float) -> None:
    """Writes the ONNX file with the classes and the calibration in its metadata."""
    import onnx

    net.eval()
    example = torch.zeros(2, SIZE[1], SIZE[0], 3)
    torch.onnx.export(
        net, (example,), str(path), input_names=["views"], output_names=["logits", "corners"],
        dynamic_axes={name: {0: "n"} for name in ("views", "logits", "corners")}, dynamo=False, opset_version=17,
    )  # fmt: skip
    model = onnx.load(path)
    about = {"classes": json.dumps(FACES), "temperature": str(temperature), "sure": str(sure)}
    onnx.helper.set_model_props(model, about)
    onnx.save(model, path)


def main() -> None:
    """Train (or go on), calibrate on decks and photos never trained on, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=160_000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--out", default="runs/reader")
    parser.add_argument("--warm", action="store_true", help="a new plan starts from the weights of the last")
    parser.add_argument("--to", default="models/reader.onnx")
    parser.add_argument("--export-now", action="store_true", help="only calibrate and export what was trained")
    args = parser.parse_args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    cv2.setNumThreads(1)
    root = decks.shared()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    if args.export_now:
        net = ReaderNet()
        net.load_state_dict(torch.load(out / "trained.pt")["net"])
    else:
        net = train(args, root)
    held = [s for s in snaps(root, out / "photos.json") if s.held_out]
    parts = {
        "held-out decks": Views(1001, 3000, root, [], set(decks.HELD_OUT)),
        "held-out photos": Views(1002, 3000, root, held, set(), share=1.0),
    }
    logits, allowed = zip(*(evaluate(net, part) for part in parts.values()), strict=True)
    temperature, sure, figures = calibrate(torch.cat(logits), torch.cat(allowed))
    report = {"temperature": temperature, "sure": sure, "all": figures}
    report |= {name: calibrate(*pair)[2] for name, pair in zip(parts, zip(logits, allowed, strict=True), strict=True)}
    export(net, Path(args.to), temperature, sure)
    (out / "figures.json").write_text(json.dumps(report, indent=1))
    json.dump(report, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
