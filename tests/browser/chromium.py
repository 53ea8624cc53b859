"""The system's Chromium, driven by Playwright: nothing is downloaded."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
UNUSED = (
    # Pages of its own that the browser keeps ready below the address: two more to load with every profile.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    # What Playwright leaves out by itself, unless it is told what to leave out.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
"""Features of the browser that no test looks at."""
OPTIONS = (
    "--no-sandbox",  # in containers there is none to be had, and only our own page is opened
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",  # in most places there is none, and imitating one takes longer than drawing
    "--mute-audio",
    "--disable-features=" + ",".join(UNUSED),
)


def launch(playwright: Playwright) -> Browser:
    """Start the browser named by the environment's CHROMIUM, or the one the system has."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise RuntimeError("there is no Chromium: run `make browser`, or name one with CHROMIUM=/path/to/chromium")
    return playwright.chromium.launch(executable_path=path, args=OPTIONS)
