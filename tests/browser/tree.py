"""What a screen reader gets to read: the browser's accessibility tree, where nothing hidden is found."""

from __future__ import annotations

from typing import Any, NamedTuple

from playwright.sync_api import Page


class Focused(NamedTuple):
    """What the keys go to: what it is, and what it is called."""

    role: str
    name: str


class Tree:
    """A page as assistive technology sees it."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._nodes: dict[str, dict[str, Any]] = {}

    def look(self) -> Tree:
        """Look anew."""
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        self._nodes = {node["nodeId"]: node for node in nodes}
        return self

    def of_role(self, role: str) -> list[dict[str, Any]]:
        """Return everything of a role that is not hidden."""
        return [node for node in self._nodes.values() if not node["ignored"] and node["role"]["value"] == role]

    def lines(self) -> list[str]:
        """Return what the one log has said, line by line."""
        (log,) = self.look().of_role("log")
        properties = {found["name"]: found["value"].get("value") for found in log["properties"]}
        assert properties["live"] == "polite" and not properties.get("atomic")
        assert "additions" in properties["relevant"]  # so each line is read, and none a second time
        return [self._words(child) for child in log["childIds"]]

    def focused(self) -> Focused:
        """Return what the keys go to, as it is read out."""
        found = self._session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        wanted = {"objectId": found["objectId"], "fetchRelatives": False}
        node = self._session.send("Accessibility.getPartialAXTree", wanted)["nodes"][0]
        if node["ignored"]:
            return Focused("", "")
        return Focused(node["role"]["value"], node.get("name", {}).get("value", ""))

    def _words(self, node_id: str) -> str:
        node = self._nodes[node_id]
        if node["role"]["value"] == "StaticText":
            return str(node["name"]["value"])
        return "".join(self._words(child) for child in node.get("childIds", ()))
