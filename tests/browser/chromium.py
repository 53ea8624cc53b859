"""The system's Chromium, driven by Playwright: nothing is downloaded."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--no-sandbox",  # in containers there is none to be had, and only our own page is opened
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",  # in most places there is none, and imitating one takes longer than drawing
    "--mute-audio",
)


def launch(playwright: Playwright) -> Browser:
    """Start the browser named by the environment's CHROMIUM, or the one the system has."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise RuntimeError("there is no Chromium: run `make browser`, or name one with CHROMIUM=/path/to/chromium")
    return playwright.chromium.launch(executable_path=path, args=OPTIONS)
