"""What does a camera make of a table: light, glare, shadow, blur, noise, compression?"""

import cv2
import numpy as np

from vision.look.quads import Image
from vision.synthetic.scenery import Rng


def photographed(rng: Rng, picture: Image, gentle: bool = False) -> Image:
    """The picture through a camera: light, glare, shadow, blur, noise, compression."""
    height, width = picture.shape[:2]
    ys = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    xs = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None]
    lamp = np.ones((height, width), np.float32)
    if rng.random() < (0.3 if gentle else 0.6):  # uneven lamp
        angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.7)
        lamp += xs * np.float32(np.cos(angle) * depth) + ys * np.float32(np.sin(angle) * depth)
    if rng.random() < 0.25:  # a shadow with an edge
        angle, sharp = rng.uniform(0, 2 * np.pi), rng.uniform(10, 120)
        side = (xs - rng.uniform(-0.3, 0.3)) * np.cos(angle) + (ys - rng.uniform(-0.3, 0.3)) * np.sin(angle)
        lamp *= 1 - np.float32(rng.uniform(0.15, 0.55)) / (1 + np.exp(-np.clip(side * sharp, -30, 30)))
    warm = rng.normal(0, 0.08 if gentle else 0.13)
    tint = np.array([1 - 1.2 * warm, 1 + rng.normal(0, 0.03), 1 + warm])
    gain = np.exp(rng.normal(-0.12, 0.22 if gentle else 0.33))
    levels = np.arange(256)[:, None] * tint * gain / 255
    levels = 255 * np.clip(levels, 0, 1.3) ** np.exp(rng.normal(0, 0.18))
    levels = (levels - 128) * rng.uniform(0.65, 1.15) + 128 + rng.normal(0, 10)
    table = np.clip(levels, 0, 320).astype(np.float32)
    light = np.stack([table[:, c][picture[..., c]] for c in range(3)], axis=2) * lamp[..., None]
    if rng.random() < 0.2:  # lamp glare
        spread = rng.uniform(0.05, 0.25)
        far = (xs - rng.uniform(-0.5, 0.5)) ** 2 + ((ys - rng.uniform(-0.5, 0.5)) * rng.uniform(0.5, 1.5)) ** 2
        light += (np.exp(-far / np.float32(spread**2)) * np.float32(rng.uniform(60, 260)))[..., None]
    if rng.random() < 0.7:
        light += rng.standard_normal((height, width, 3), np.float32) * np.float32(rng.uniform(1, 9))
    picture = np.clip(light, 0, 255).astype(np.uint8)
    blur = rng.random()
    if blur < 0.4:
        spread = rng.uniform(0.3, 1.4) if rng.random() < 0.7 else rng.uniform(1.2, 2.6)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), spread * (height / 200) ** 0.7), np.uint8)
    elif blur < 0.55:
        length = int(rng.integers(2, 6 if gentle else 9))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        middle = (length - 1) / 2
        tip = (middle * np.cos(angle), middle * np.sin(angle))
        start = (round(middle - tip[0]), round(middle - tip[1]))
        cv2.line(kernel, start, (round(middle + tip[0]), round(middle + tip[1])), 1.0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    if rng.random() < 0.5:
        coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1]
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return picture
