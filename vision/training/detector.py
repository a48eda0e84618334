"""How is the card detector trained and exported? `python -m vision.training.detector`, in stages that resume.

Stages: `render` draws tables (whole decks held out for validation), `photos` adds the real training photos whose every
labelled card has corners that agree with its box, `train` runs Ultralytics, `export` writes ONNX.
"""

import argparse
import json
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import numpy as np

from vision.input.sources import read_picture
from vision.look.faces import BACK, NONE
from vision.look.quads import Image, Quad, signed_area
from vision.synthetic import decks
from vision.synthetic.tables import Tables
from vision.training.photos import Snap, snaps

NAMES = ("whole", "covered", "back")
"""The detector's classes: nothing lies on it; partly covered or cut off; face down."""
SIZES = ((480, 360), (360, 480), (480, 270), (400, 400))
"""Width and height of the tables drawn, in turn."""
LEAST = 0.2
"""A card of which less shows is not asked for."""
UNO_SHARE = 8
"""Every eighth table is of UNO cards."""
HALVED = 256
"""Tensors of at least so many weights are stored in half precision."""
PHOTO_COPIES = 3
"""How often a real photo is seen for each time a table is."""


def main() -> None:
    """Runs the stages asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stages", nargs="+", choices=["render", "photos", "train", "export"])
    parser.add_argument("--to", type=Path, default=Path("runs/detector"))
    parser.add_argument("--tables", type=int, default=12000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--hours", type=float, help="train as many epochs as this takes, in place of --epochs")
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--resume", action="store_true", help="go on with a training that was stopped")
    parser.add_argument("--out", type=Path, default=Path("models/detector.onnx"))
    args = parser.parse_args()
    if "render" in args.stages:
        render(args.to / "data", args.tables, args.seed, args.workers)
    if "photos" in args.stages:
        copy_photos(args.to / "data", Path("runs/reader/photos.json"))
    if "train" in args.stages:
        train(args)
    if "export" in args.stages:
        export(args.to / "train" / "weights" / "last.pt", args.out)


def render(folder: Path, count: int, seed: int, workers: int) -> None:
    """Draws `count` tables to train on and a thirtieth as many, of decks held out, to validate on."""
    jobs = [(folder / "train", 1_000_000 * seed + i, False) for i in range(count)]
    jobs += [(folder / "val", 1_000_000 * seed + i, True) for i in range(count // 30)]
    for part in ("train", "val"):
        for kind in ("images", "labels"):
            (folder / kind / part).mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for _ in pool.imap_unordered(_render, jobs, chunksize=20):
            pass
    names = "".join(f"  {i}: {name}\n" for i, name in enumerate(NAMES))
    (folder / "cards.yaml").write_text(
        f"path: {folder.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}"
    )


_drawers: dict[bool, tuple[Tables, Tables]] = {}


def _render(job: tuple[Path, int, bool]) -> None:
    folder, seed, held_out = job
    name = f"{seed:08d}"
    if (folder.parent / "labels" / folder.name / f"{name}.txt").exists():
        return
    cv2.setNumThreads(1)
    if held_out not in _drawers:
        root = decks.shared()
        known = {face.deck for face in decks.faces(root)} - {decks.UNO_DECK}
        chosen = known & decks.HELD_OUT if held_out else known - decks.HELD_OUT
        _drawers[held_out] = (Tables(root, set(chosen)), Tables(root, {decks.UNO_DECK}))
    tables = _drawers[held_out][seed % UNO_SHARE == 0]
    tables.size = SIZES[seed % len(SIZES)]
    table = tables.draw(seed)
    rows = []
    for card in table.cards:
        if card.visible >= LEAST:
            kind = "back" if card.card == BACK else "whole" if card.whole else "covered"
            rows.append((NAMES.index(kind), card.quad))
    _write(folder.parent, folder.name, name, table.image, rows)


def copy_photos(folder: Path, cache: Path) -> None:
    """Adds every training photo in which each labelled card has corners; the reader's held-out sixth stays out."""
    root = decks.shared()
    found: dict[Path, list[Snap]] = defaultdict(list)
    for snap in snaps(root, cache):
        found[snap.path].append(snap)
    kept = 0
    for path, cards in sorted(found.items()):
        real = [snap for snap in cards if snap.cards != (NONE,)]
        if cards[0].held_out or len(real) != _labelled(path):
            continue
        image = read_picture(path)
        scale = min(1.0, 640 / max(image.shape[:2]))
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        rows = [(0, (snap.quad * scale).astype(np.float32)) for snap in real]
        for copy in range(PHOTO_COPIES):
            turned, quads = _turned(np.asarray(small, np.uint8), [quad for _, quad in rows], copy)
            labels = [(kind, quad) for (kind, _), quad in zip(rows, quads, strict=True)]
            _write(folder, "train", f"{path.stem[-60:]}-{copy}", turned, labels)
        kept += 1
    print(f"{kept} of {len(found)} photos: every card in them has corners")


def _turned(image: Image, quads: list[Quad], quarters: int) -> tuple[Image, list[Quad]]:
    """The photo turned by quarters, so that its copies are not the same to the network."""
    for _ in range(quarters):
        height = image.shape[0]
        image = np.ascontiguousarray(np.rot90(image, -1))
        quads = [np.stack([height - quad[:, 1], quad[:, 0]], axis=1).astype(np.float32) for quad in quads]
    return image, quads


def _labelled(path: Path) -> int:
    """How many cards the photo's own labels name; none for a picture of scenery, one where only its class is given."""
    if "scenery" in path.parts:
        return 0
    text = path.with_name(path.name.replace("__images__", "__labels__")).with_suffix(".txt")
    if text.exists():
        return len(text.read_text().splitlines())
    marks = path.with_suffix(".xml")
    return len(ElementTree.parse(marks).getroot().findall("object")) if marks.exists() else 1


def _write(folder: Path, part: str, name: str, image: Image, rows: Iterable[tuple[int, Quad]]) -> None:
    """One picture and its labels in Ultralytics' form: class and four corners, each in shares of the picture."""
    height, width = image.shape[:2]
    lines = []
    for kind, quad in rows:
        shown = _clipped(quad, width, height)
        if shown is not None:
            lines.append(" ".join([str(kind), *(f"{v:.5f}" for v in (shown / [width, height]).ravel())]))
    cv2.imwrite(str(folder / "images" / part / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    (folder / "labels" / part / f"{name}.txt").write_text("\n".join(lines))


def _clipped(quad: Quad, width: int, height: int) -> Quad | None:
    """The upright-on-itself box of the part of the quad inside the picture, its corners kept inside too."""
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    if ((quad >= 0) & (quad <= frame[2])).all():
        return quad
    shape = quad if signed_area(quad) > 0 else quad[::-1]
    _, inside = cv2.intersectConvexConvex(shape.astype(np.float32), frame)
    if inside is None or len(inside) < 3:
        return None
    box = cv2.boxPoints(cv2.minAreaRect(inside))
    return np.clip(box, 0, frame[2]).astype(np.float32)


def train(args: argparse.Namespace) -> None:
    """Trains YOLO11n-obb from nothing; on a CPU in bfloat16 where that is quicker."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    import torch
    from ultralytics import YOLO
    from ultralytics.engine import trainer
    from ultralytics.models.yolo.obb import OBBTrainer
    from ultralytics.nn.tasks import OBBModel

    gpu = torch.cuda.is_available()
    trainer.check_amp = lambda model: True  # its own check wants to fetch weights

    class Trainer(OBBTrainer):  # type: ignore[misc, unused-ignore]
        """Ultralytics' own, which knows mixed precision on GPUs only."""

        def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
            batch = super().preprocess_batch(batch)
            batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
            return batch

    if not gpu:
        plain = OBBModel.loss

        def loss(self: OBBModel, batch: dict[str, Any], preds: Any = None) -> Any:
            with torch.autocast("cpu", torch.bfloat16, enabled=self.training):
                return plain(self, batch, preds)

        OBBModel.loss = loss
    last = args.to / "train" / "weights" / "last.pt"
    model = YOLO(str(last) if args.resume else "yolo11n-obb.yaml")
    model.train(
        trainer=Trainer,
        data=str(args.to / "data" / "cards.yaml"),
        resume=args.resume,
        epochs=args.epochs,
        time=args.hours,
        cache="ram" if gpu else False,
        imgsz=args.size,
        batch=args.batch,
        project=str(args.to.resolve()),
        name="train",
        exist_ok=True,
        seed=args.seed,
        workers=args.workers,
        device=0 if gpu else "cpu",
        amp=gpu,
        cos_lr=True,
        optimizer="AdamW",
        lr0=0.002,
        lrf=0.02,
        warmup_epochs=0.5,
        weight_decay=0.0005,
        degrees=0.0,
        fliplr=0.5,
        flipud=0.5,
        translate=0.1,
        scale=0.35,
        mosaic=0.35,
        close_mosaic=2,
        hsv_h=0.02,
        hsv_s=0.5,
        hsv_v=0.3,
        erasing=0.0,
        plots=False,
        val=False,
        save_period=1,
    )


def export(weights: Path, out: Path) -> None:
    """Writes the network as ONNX that takes any picture size in steps of 32, its weights in half precision.

    onnxruntime widens them once, when it loads: half the size on disk, the same speed.
    """
    os.environ.setdefault("YOLO_OFFLINE", "true")
    import onnx
    from ultralytics import YOLO

    made = YOLO(str(weights)).export(format="onnx", dynamic=True, simplify=True, opset=17, device="cpu")
    model = onnx.load(made)
    wide = [tensor for tensor in model.graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT]
    for tensor in wide:
        values = onnx.numpy_helper.to_array(tensor)
        if values.size >= HALVED:
            name = tensor.name
            tensor.CopyFrom(onnx.numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
            cast = onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT)
            model.graph.node.insert(0, cast)
    onnx.checker.check_model(model)
    onnx.save(model, str(out))
    print(json.dumps({"detector": str(out), "bytes": out.stat().st_size}))


if __name__ == "__main__":
    main()
