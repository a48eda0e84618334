"""What network names a rectified card, and how is it written to an ONNX file?"""

import copy
import itertools
import json
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.look.faces import BACK, FACES, RANKS, SUITS, SYMBOLS
from vision.look.quads import SIZE

BACK_PRIOR = 2.0
"""Natural logarithm of how much rarer a back is on tables than in training: there about one outline in thirty that is
no face is a back, in training one in four."""
CORNER = (48, 76)
"""Width and height of the two corners looked at in full sharpness."""


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

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits `(n, faces)` and the corners' own `(n, 2, faces)` of BGR views `(n, 196, 136, 3)` in 0..255.

        Beside them `(n, 480)` features of length one, whose scalar products tell how alike two cards look.
        """
        picture = views.permute(0, 3, 1, 2) / 64 - 2
        width, height = CORNER
        here = self.corner_features(self.corner(picture[:, :, :height, :width]))
        there = self.corner_features(self.corner(picture[:, :, -height:, -width:].flip(2, 3)))
        face = self.face_features(self.face(functional.avg_pool2d(picture, 2)))
        features = torch.cat([torch.maximum(here, there), here + there, face], 1)
        corners = torch.stack([self.corner_answer(here), self.corner_answer(there)], 1)
        return self.answer(features), corners, functional.normalize(features)


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


def export(net: ReaderNet, path: Path, temperature: float, sure: float) -> None:
    """Writes the ONNX file with the classes and the calibration in its metadata, backs as rare as they are."""
    import onnx

    net = copy.deepcopy(net).eval()
    with torch.no_grad():
        net.answer.own.bias[FACES.index(BACK)] -= BACK_PRIOR * temperature
    example = torch.zeros(2, SIZE[1], SIZE[0], 3)
    outputs = ["logits", "corners", "features"]
    torch.onnx.export(
        net, (example,), str(path), input_names=["views"], output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in ("views", *outputs)}, dynamo=False, opset_version=17,
    )  # fmt: skip
    model = onnx.load(path)
    about = {"classes": json.dumps(FACES), "temperature": str(temperature), "sure": str(sure)}
    onnx.helper.set_model_props(model, about)
    onnx.save(model, path)
