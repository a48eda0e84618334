"""How is the card reader trained, calibrated and exported? `python -m vision.training.reader`, resumable."""

import argparse
import json
import math
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from vision.look.faces import BACK, FACES, NONE
from vision.look.quads import SIZE
from vision.synthetic import decks
from vision.synthetic.fonts import fonts, held_out
from vision.training.calibration import calibrate, confusions, evaluate
from vision.training.mix import INDEX, Views
from vision.training.net import ReaderNet, export
from vision.training.photos import Snap, snaps


class Replay:
    """Views seen before, on the trainer's device, given again a little different: drawing them is what takes time."""

    def __init__(self, room: int, device: torch.device) -> None:
        self.views = torch.empty((room, SIZE[1], SIZE[0], 3), dtype=torch.uint8, device=device)
        self.allowed = torch.empty((room, len(FACES)), dtype=torch.bool, device=device)
        self.seen = 0

    def keep(self, views: Tensor, allowed: Tensor) -> None:
        """Remembers a batch; the oldest make room."""
        places = (torch.arange(len(views), device=views.device) + self.seen) % len(self.views)
        self.views[places], self.allowed[places] = views, allowed
        self.seen += len(views)

    def some(self, count: int) -> tuple[Tensor, Tensor]:
        """Some of them, in another light and with corners found elsewhere: float views, and what they may be."""
        device = self.views.device
        chosen = torch.randint(min(self.seen, len(self.views)), (count,), device=device)
        views = self.views[chosen].float()
        noise = torch.randn(count, 12, device=device)
        eye = torch.eye(2, device=device).expand(count, 2, 2)
        turn = torch.cat([eye + 0.02 * noise[:, :4].view(-1, 2, 2), 0.03 * noise[:, 4:6, None]], 2)
        size = [count, 3, SIZE[1], SIZE[0]]
        grid = functional.affine_grid(turn, size, align_corners=False)
        moved = functional.grid_sample(views.permute(0, 3, 1, 2), grid, padding_mode="border", align_corners=False)
        gain = torch.exp(0.12 * noise[:, 6:7] + 0.06 * noise[:, 7:10])[:, :, None, None]
        lit = moved * gain + 6 * noise[:, 10, None, None, None]
        grain = 5 * noise[:, 11, None, None, None].abs() * torch.randn(count, 1, SIZE[1], SIZE[0], device=device)
        return (lit + grain).clamp(0, 255).permute(0, 2, 3, 1), self.allowed[chosen]


def pace(progress: float) -> float:
    """The share of the highest rate at a share of the plan: a short way up, a long cosine down."""
    return progress / 0.05 if progress < 0.05 else 0.5 + 0.5 * math.cos(math.pi * (progress - 0.05) / 0.95)


def train(args: argparse.Namespace, root: Path) -> ReaderNet:
    """Trains from where `last.pt` in `args.out` stopped to `args.views` views, or for `args.minutes`."""
    out = Path(args.out)
    checkpoint = out / "last.pt"
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = ReaderNet()
    steps = args.views // args.batch
    done, spent = 0, 0.0
    net.to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    state = torch.load(checkpoint, map_location=device) if checkpoint.exists() else {}
    if state.get("plan") == [args.seed, steps]:
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        done, spent = state["done"], state["spent"]
    elif args.warm:
        net.load_state_dict(torch.load(args.warm, map_location=device)["net"])
    all_photos = [s for s in snaps(root, out / "photos.json") if not s.held_out]
    names = {f.deck for f in decks.faces(root)} - decks.HELD_OUT
    every = fonts()
    spared = set(held_out(every)) if len(every) > 6 else set()
    data = Views(args.seed, args.views, root, all_photos, names, tuple(f for f in every if f not in spared))
    loader = DataLoader(
        torch.utils.data.Subset(data, range(done * args.batch, args.views)),
        args.batch, num_workers=args.workers, drop_last=True, prefetch_factor=8 if args.workers else None,
    )  # fmt: skip
    replay = Replay(args.room, device) if args.replay else None
    net.train()
    began, saved, first = time.time(), time.time(), done
    running = 0.0
    for views, allowed in loader:
        progress = done / steps
        if args.minutes:
            progress = max(progress, (spent + time.time() - began) / 60 / args.minutes)
        if progress >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = args.rate * pace(progress)
        views, allowed = views.to(device), allowed.to(device)
        batches = [(views.float(), allowed)]
        if replay is not None:
            replay.keep(views, allowed)
            batches += [replay.some(args.batch) for _ in range(args.replay)]
        for seen, may_be in batches:
            loss = step(net, optimiser, seen, may_be)
        done += 1
        running = 0.98 * running + 0.02 * loss if running else loss
        if time.time() - saved > args.save_every:
            saved = time.time()
            rate = (done - first) * args.batch / (saved - began)
            print(f"{done}/{steps} {progress:.3f} loss {running:.3f} {rate:.0f} views/s", flush=True)
            state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "plan": [args.seed, steps]}
            torch.save(state | {"done": done, "spent": spent + saved - began}, checkpoint.with_suffix(".part"))
            checkpoint.with_suffix(".part").rename(checkpoint)
    torch.save({"net": net.state_dict(), "plan": [args.seed, steps], "done": done}, out / "trained.pt")
    print(f"{done * args.batch} views drawn", flush=True)
    net.to("cpu", memory_format=torch.contiguous_format)
    return net


def step(net: ReaderNet, optimiser: torch.optim.Optimizer, views: Tensor, allowed: Tensor) -> float:
    """One step of training on float views and what they may be; returns the loss."""
    with torch.autocast(views.device.type, torch.bfloat16):
        logits, corners, _ = net(views)
    # A corner alone cannot tell a card from none, nor always which: it only helps the shared features.
    card = ~allowed[:, INDEX[NONE]] & ~allowed[:, INDEX[BACK]]
    loss = loss_of(logits.float(), allowed)
    if card.any():
        loss = loss + 0.2 * loss_of(corners.float()[card], allowed[card][:, None].expand(-1, 2, -1))
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimiser.step()
    return float(loss.detach())


def loss_of(logits: Tensor, allowed: Tensor) -> Tensor:
    """Minus log of the probability of the allowed faces, with a little smoothing."""
    logp = functional.log_softmax(logits, -1)
    right = torch.logsumexp(logp.masked_fill(~allowed, -1e9), -1)
    return -(right * 0.97 + logp.mean(-1) * 0.03).mean()


def main() -> None:
    """Train (or go on), calibrate on decks, fonts and photos never trained on, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=600_000)
    parser.add_argument("--minutes", type=float, default=0, help="end after so long, whatever the views")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--replay", type=int, default=0, help="batches of views seen before, per batch of new ones")
    parser.add_argument("--room", type=int, default=40_000, help="how many views are kept for --replay (80 kB each)")
    parser.add_argument("--out", default="runs/reader")
    parser.add_argument("--warm", help="a checkpoint to start from")
    parser.add_argument("--save-every", type=float, default=60, help="seconds")
    parser.add_argument("--to", default="models/reader.onnx")
    parser.add_argument("--only", choices=["train", "export"], help="only train, or only calibrate and export")
    args = parser.parse_args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    cv2.setNumThreads(1)
    root = decks.shared()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    if args.only == "export":
        net = ReaderNet()
        net.load_state_dict(torch.load(out / "trained.pt", map_location="cpu")["net"])
    else:
        net = train(args, root)
    if args.only == "train":
        return
    report = check(net, root, snaps(root, out / "photos.json"))
    export(net, Path(args.to), report["temperature"], report["sure"])
    (out / "figures.json").write_text(json.dumps(report, indent=1))
    json.dump(report, sys.stdout, indent=1)


def check(net: ReaderNet, root: Path, photos: list[Snap]) -> dict[str, Any]:
    """Temperature, `sure` and figures on decks, fonts and photos never trained on; hard pairs apart."""
    held = [s for s in photos if s.held_out]
    parts = {
        "held-out decks": Views(1001, 3000, root, [], set(decks.HELD_OUT)),
        "held-out photos": Views(1002, 3000, root, held, set(), share=1.0),
        "held-out fonts": Views(1003, 3000, root, [], set(), held_out(fonts())),
    }
    answers = {name: evaluate(net, part) for name, part in parts.items()}
    logits, allowed = (torch.cat(kind) for kind in zip(*answers.values(), strict=True))
    temperature, sure, figures = calibrate(logits, allowed)
    report: dict[str, Any] = {"temperature": temperature, "sure": sure, "all": figures}
    report |= {name: calibrate(*answer, temperature, sure)[2] for name, answer in answers.items()}
    pairs = confusions(logits, allowed, temperature, sure)
    yellow = evaluate(net, Views(1004, 2000, root, [], set(decks.HELD_OUT), yellow=True))
    lit = confusions(*yellow, temperature, sure, ("hearts/diamonds", "clubs/spades"))
    report["pairs"] = pairs | {f"{name} in yellow light": row for name, row in lit.items()}
    return report


if __name__ == "__main__":
    main()
