"""The bodies of webhooks: signed JSON for programs, and what Discord and Slack take."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from punct.server.webhooks.model import StoredHook

SIGNATURE: Final = "Punct-Signature"
VERSION: Final = 1
"""Of the form ``json``; new fields may come without a new version."""
_DISCORD_SYNTAX: Final = re.compile(r"[\\*_~`|>#\-+\[\]()<:@/]")


def request_of(
    hook: StoredHook, payload: Mapping[str, Any], delivery_id: str, site: str, now: datetime
) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers for a message, as ``Message.to_json`` wrote it."""
    url = site + payload["path"]
    headers = {"Content-Type": "application/json"}
    match hook.form:
        case "json":
            body = _encode(
                {
                    "version": VERSION,
                    "id": delivery_id,
                    **{key: payload[key] for key in ("kind", "subject", "game", "title", "body", "at")},
                    "url": url,
                }
            )
            return body, {**headers, SIGNATURE: signature(hook.secret, body, now)}
        case "discord":
            text = f"**{_discord(payload['title'])}**\n{_discord(payload['body'])}\n<{url}>"
            return _encode({"content": text, "allowed_mentions": {"parse": []}}), headers
        case "slack":
            text = f"{_slack(payload['title'])}\n{_slack(payload['body'])}\n{_slack(url)}"
            # Without Slack's own markup: names are players' words.
            return _encode({"text": text, "mrkdwn": False, "unfurl_links": False}), headers


def signature(secret: str, body: bytes, now: datetime) -> str:
    """Return the value of the header that proves who sent a body, and when."""
    seconds = int(now.timestamp())
    digest = hmac.new(secret.encode(), b"%d.%b" % (seconds, body), hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def _discord(text: str) -> str:
    """Return a text without Markdown, links or mentions."""
    return _DISCORD_SYNTAX.sub(r"\\\g<0>", " ".join(text.split()))


def _slack(text: str) -> str:
    return " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _encode(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
