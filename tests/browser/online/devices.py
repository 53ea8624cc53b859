"""What belongs to a device and not to the page: its keys, its notifications, its sound, its clipboard."""

from __future__ import annotations

import copy

from playwright.sync_api import Page

from ..serving import Server

NOTIFICATIONS = """
window.told = []
window.asked = 0
window.Notification = class {
    static permission = localStorage.getItem('allowed') ?? 'default'
    static async requestPermission() {
        window.asked++
        localStorage.setItem('allowed', 'granted')
        return (this.permission = 'granted')
    }
    constructor(title, options) { window.told.push([title, options.body]) }
    close() {}
}
Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.away === true })
"""
"""A browser that notes what it would tell, and a page that may be out of sight: `away`."""
SOUND = """
window.tones = []
window.OscillatorNode = class extends OscillatorNode {
    constructor(context, options) { super(context, options); window.tones.push(options.frequency) }
}
"""
"""Notes the pitches that sound."""
CALL = [659, 880]
"""The two notes that call a player."""
SHARING = """
window.shared = []
window.copied = []
navigator.share = async (what) => { window.shared.push(what) }
navigator.clipboard.writeText = async (text) => {
    if (window.shut) throw new DOMException('no', 'NotAllowedError')
    window.copied.push(text)
}
"""
"""A device that can share, and a clipboard that may be `shut`."""


def with_keys(page: Page) -> None:
    """Give the browser a device with keys, whose owner's finger is always on it."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def by_name(server: Server) -> Server:
    """Return the same server under its name: keys are for names, not for numbers."""
    named = copy.copy(server)
    named.address = server.address.replace("127.0.0.1", "localhost")
    return named


def look_again(page: Page) -> None:
    """Turn to a page again, as somebody who comes back to its window."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
