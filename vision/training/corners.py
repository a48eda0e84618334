"""How is the network trained that moves a loose box onto a card's corners? `python -m vision.training.corners`.

Stages: `crops` cuts the surroundings of every card out of drawn tables and real training photos, `train` learns to
move a box that lies a little wrong onto the card, `export` writes ONNX with its figures.
"""

import argparse
import itertools
import json
import multiprocessing
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from vision.input.sources import read_picture
from vision.look.corners import BORDER, CROP
from vision.look.faces import NONE
from vision.look.quads import Image, Quad, rectify
from vision.synthetic import decks
from vision.synthetic.tables import Tables
from vision.training.photos import Snap, snaps

ROOM = 0.5
"""How much of a card's height is kept around it in a crop: enough for every box that lies a little wrong."""
TALL = 230
"""Height in pixels of a card in a crop, at most."""
LEAST = 0.25
"""A card of which less shows teaches nothing about where its corners are."""
PHOTO_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Crop:
    """A card with its surroundings: coded picture, its quad in it, whether nothing lies on it, whether it is real."""

    coded: bytes
    quad: Quad
    whole: bool
    held_out: bool
    real: bool


class CornersNet(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is no dependency
    """Four corners and a whole-or-covered score from one rectified box."""

    def __init__(self) -> None:
        super().__init__()
        widths = (3, 24, 32, 48, 64, 96)
        stages: list[nn.Module] = []
        for before, after in itertools.pairwise(widths):
            stages += [nn.Conv2d(before, after, 3, 2, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
            if before > 3:
                stages += [nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
        self.body = nn.Sequential(*stages, nn.Flatten())
        cells = -(-CROP[0] // 32) * -(-CROP[1] // 32)
        self.hidden = nn.Sequential(nn.Linear(96 * cells, 192), nn.ReLU())
        self.moves = nn.Linear(192, 8)
        self.whole = nn.Linear(192, 1)
        nn.init.zeros_(self.moves.weight)

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Moves `(n, 4, 2)` of the box's corners in shares of its width and height, and `(n,)` whole-scores."""
        seen = self.hidden(self.body(views.permute(0, 3, 1, 2) / 64 - 2))
        return self.moves(seen).reshape(-1, 4, 2) * 0.1, self.whole(seen)[:, 0]


class Boxes(Dataset[Any]):  # type: ignore[misc, unused-ignore]
    """Crops with a box that lies a little wrong, another one each time."""

    def __init__(self, crops: list[Crop], count: int, seed: int) -> None:
        self.drawn = [crop for crop in crops if not crop.real]
        self.real = [crop for crop in crops if crop.real]
        self.count, self.seed = count, seed

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, number: int) -> tuple[Image, NDArray[np.float32], float]:
        rng = np.random.default_rng([self.seed, number])
        real = bool(self.real) and rng.random() < PHOTO_SHARE
        pool = self.real if real else self.drawn
        crop = pool[rng.integers(len(pool))]
        image = np.asarray(cv2.imdecode(np.frombuffer(crop.coded, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        quad = crop.quad
        if rng.random() < 0.5:
            image = np.ascontiguousarray(image[:, ::-1])
            quad = (quad * [-1, 1] + [image.shape[1], 0]).astype(np.float32)[[1, 0, 3, 2]]
        rough = loosened(rng, quad)
        view = rectify(image, rough, CROP, BORDER)
        if rng.random() < 0.5:
            view = np.clip(view * rng.uniform(0.6, 1.3) + rng.normal(0, 15, 3), 0, 255).astype(np.uint8)
        return view, moves(rough, quad), float(crop.whole)


def loosened(rng: np.random.Generator, quad: Quad) -> Quad:
    """A box as a detector gives it for this card, or the quad as an earlier look left it; nearest corners first."""
    if rng.random() < 0.6:
        (x, y), (w, h), angle = cv2.minAreaRect(quad)
        grow = np.exp(rng.normal(0, 0.07, 2))
        centre = (x + rng.normal(0, 0.05) * w, y + rng.normal(0, 0.05) * h)
        rough = cv2.boxPoints((centre, (w * grow[0], h * grow[1]), angle + rng.normal(0, 5))).astype(np.float32)
    else:
        size = np.linalg.norm(quad[2] - quad[0])
        rough = (quad + rng.normal(0, 0.02, (4, 2)) * size).astype(np.float32)
    return np.roll(rough, int(rng.integers(4)), axis=0) if rng.random() < 0.1 else nearest(rough, quad)


def nearest(rough: Quad, quad: Quad) -> Quad:
    """`rough` rolled to begin at the corner that belongs to the quad's first or third one."""
    rolls = [np.roll(rough, turn, axis=0) for turn in range(4)]
    best = min(rolls, key=lambda r: float(np.abs(r - quad).sum()))
    return np.asarray(best, np.float32)


def moves(rough: Quad, quad: Quad) -> NDArray[np.float32]:
    """Where the card's corners are in the rough box's own frame, less the box's corners: `(4, 2)`."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(rough.astype(np.float32), unit)
    inside = cv2.perspectiveTransform(quad[None].astype(np.float32), matrix)[0]
    return np.asarray(np.clip(nearest(inside, unit) - unit, -0.6, 0.6), np.float32)


def cut_crops(count: int, seed: int, cache: Path, workers: int) -> list[Crop]:
    """Crops of every card on `count` tables, of a tenth as many with held-out decks, and of the training photos."""
    seeds = [(7_000_000 * seed + number, held_out) for held_out in (False, True) for number in range(count)]
    seeds = seeds[: count + count // 10]
    found: list[Crop] = []
    with multiprocessing.get_context("fork").Pool(max(workers, 1)) as pool:
        for crops in pool.imap(_table_crops, seeds, chunksize=20):
            found += crops
        for crops in pool.imap(_photo_crop, [s for s in snaps(decks.shared(), cache) if s.cards != (NONE,)], 20):
            found += crops
    return found


_drawers: dict[bool, Tables] = {}


def _table_crops(job: tuple[int, bool]) -> list[Crop]:
    seed, held_out = job
    cv2.setNumThreads(1)
    if held_out not in _drawers:
        root = decks.shared()
        names = {face.deck for face in decks.faces(root)}
        _drawers[held_out] = Tables(root, names & decks.HELD_OUT if held_out else names - decks.HELD_OUT)
    table = _drawers[held_out].draw(seed)
    return [
        _crop(table.image, card.quad, card.whole, held_out, real=False) for card in table.cards if card.visible >= LEAST
    ]


def _photo_crop(snap: Snap) -> list[Crop]:
    return [_crop(read_picture(snap.path), snap.quad, True, snap.held_out, real=True)]


def _crop(image: Image, quad: Quad, whole: bool, held_out: bool, real: bool) -> Crop:
    room = ROOM * float(np.ptp(quad, axis=0).max())
    low = np.maximum(np.floor(quad.min(axis=0) - room), 0).astype(int)
    high = np.minimum(np.ceil(quad.max(axis=0) + room), image.shape[1::-1]).astype(int)
    part = image[low[1] : high[1], low[0] : high[0]]
    scale = min(1.0, TALL / max(float(np.ptp(quad, axis=0).max()), 1.0))
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    coded = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].tobytes()
    return Crop(coded, ((quad - low) * scale).astype(np.float32), whole, held_out, real)


def train(crops: list[Crop], args: argparse.Namespace) -> None:
    """One pass over `args.views` boxes by AdamW with a rate that rises and falls; kept after every thousandth step."""
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = CornersNet().to(device, memory_format=torch.channels_last)
    steps = args.views // args.batch
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, total_steps=steps + 1, pct_start=0.05)
    done = 0
    kept = args.to / "last.pt"
    if kept.exists() and args.resume:
        state = torch.load(kept, weights_only=True, map_location=device)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        plan.load_state_dict(state["plan"])
        done = state["done"]
    elif args.warm:
        net.load_state_dict(torch.load(kept, weights_only=True, map_location=device)["net"])
    known = Boxes([crop for crop in crops if not crop.held_out], args.views, args.seed)
    part = torch.utils.data.Subset(known, range(done * args.batch, steps * args.batch))
    net.train()
    total = 0.0
    batches = DataLoader(part, args.batch, num_workers=args.workers)
    for step, (views, truth, whole) in enumerate(batches, start=done + 1):
        with torch.autocast(device, torch.bfloat16):
            guess, score = net(views.to(device).float())
        loss = functional.smooth_l1_loss(guess.float(), truth.to(device), beta=0.02) * 10
        loss = loss + 0.1 * functional.binary_cross_entropy_with_logits(score.float(), whole.to(device).float())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        plan.step()
        total += float(loss.detach())
        if step % 200 == 0:
            print(f"{step}/{steps} loss {total / 200:.4f}", flush=True)
            total = 0.0
        if step % 1000 == 0 or step == steps:
            state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "plan": plan.state_dict()}
            torch.save(state | {"done": step}, kept)


def measure(net: CornersNet, crops: list[Crop]) -> dict[str, float]:
    """Mean corner error in shares of the box, before and after one look, on decks and photos held out."""
    boxes = Boxes([crop for crop in crops if crop.held_out], 3000, 99)
    before, after, whole = [], [], []
    with torch.no_grad():
        for views, truth, true_whole in DataLoader(boxes, 64):
            guess, score = net(views.float())
            before.append(truth.norm(dim=2).mean(dim=1))
            after.append((guess - truth).norm(dim=2).mean(dim=1))
            whole.append((score > 0) == (true_whole > 0.5))
    error = torch.cat(after)
    return {
        "loose": round(float(torch.cat(before).median()), 4),
        "median": round(float(error.median()), 4),
        "p90": round(float(error.quantile(0.9)), 4),
        "whole right": round(float(torch.cat(whole).float().mean()), 4),
    }


def export(net: CornersNet, out: Path, about: dict[str, float]) -> None:
    """Writes the network as ONNX with its figures in the metadata."""
    import onnx

    net = net.to(memory_format=torch.contiguous_format)
    example = torch.zeros(2, CROP[1], CROP[0], 3)
    axes = {name: {0: "n"} for name in ("views", "moves", "whole")}
    torch.onnx.export(
        net, (example,), str(out), input_names=["views"], output_names=["moves", "whole"], dynamic_axes=axes,
        opset_version=17, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(out))
    model.metadata_props.add(key="measured", value=json.dumps(about))
    onnx.save(model, str(out))


def main() -> None:
    """Runs the stages asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stages", nargs="+", choices=["crops", "train", "export"])
    parser.add_argument("--to", type=Path, default=Path("runs/corners"))
    parser.add_argument("--tables", type=int, default=8000)
    parser.add_argument("--views", type=int, default=400_000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on with a training that was stopped")
    parser.add_argument("--warm", action="store_true", help="a new plan that begins with the last weights")
    parser.add_argument("--out", type=Path, default=Path("models/corners.onnx"))
    args = parser.parse_args()
    args.to.mkdir(parents=True, exist_ok=True)
    store = args.to / "crops.pickle"
    if "crops" in args.stages:
        crops = cut_crops(args.tables, args.seed, Path("runs/reader/photos.json"), args.workers)
        store.write_bytes(pickle.dumps(crops))
    crops = pickle.loads(store.read_bytes())  # our own file of a moment ago
    if "train" in args.stages:
        train(crops, args)
    if "export" in args.stages:
        net = CornersNet()
        net.load_state_dict(torch.load(args.to / "last.pt", weights_only=True, map_location="cpu")["net"])
        about = measure(net.eval(), crops)
        print(json.dumps(about))
        export(net, args.out, about)


if __name__ == "__main__":
    main()
