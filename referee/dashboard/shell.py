"""What may a browser keep of the dashboard, so that it can be installed and says so when the table is gone?"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from referee.dashboard.desk import Desk
from referee.dashboard.pages import static_files
from referee.text import say

OFFLINE: Final = "/offline"
SHELL: Final = ("base.css", "form.css", "offline.js", "words.js", "icon.svg")
"""All that the page is made of which is shown without a table. Nothing of a match is ever kept."""
ICONS: Final = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-mask.png", "512x512", "image/png", "maskable"),
)


def shell_routes(_: Desk) -> APIRouter:
    """The manifest, and the worker that keeps the shell."""
    router = APIRouter()
    static = static_files()
    worker = static["worker.js"][0].decode()
    version = sha256("".join(static[name][2] for name in (*SHELL, "worker.js")).encode()).hexdigest()[:16]
    kept = {"name": f"shell-{version}", "offline": OFFLINE, "files": [OFFLINE, *(f"/static/{name}" for name in SHELL)]}
    script = f"const SHELL = {json.dumps(kept)};\n{worker}"

    @router.get("/sw.js")
    async def service_worker() -> Response:
        """The worker, and what it keeps; another version keeps it anew."""
        return Response(script, media_type="text/javascript", headers={"cache-control": "no-cache"})

    @router.get("/manifest.webmanifest")
    async def manifest() -> Response:
        """What a phone needs to install the dashboard."""
        told: dict[str, Any] = {
            "id": "/",
            "name": say("pages.app"),
            "short_name": say("pages.app"),
            "description": say("pages.about"),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#0e1412",
            "theme_color": "#1b5a46",
            "icons": [
                {"src": f"/static/{name}", "sizes": sizes, "type": kind, "purpose": purpose}
                for name, sizes, kind, purpose in ICONS
            ],
        }
        return JSONResponse(told, media_type="application/manifest+json")

    return router
