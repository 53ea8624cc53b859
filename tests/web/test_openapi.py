"""The client's types are made from a description of the API that is kept beside the client: it must be the server's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from punct.server.app import create_app

DESCRIPTION = Path(__file__).parents[2] / "web" / "openapi.json"


def test_the_clients_description_is_the_servers() -> None:
    kept = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(create_app().openapi())), (
        "run: python -m punct.server.openapi > web/openapi.json"
    )


def operations() -> list[dict[str, Any]]:
    return [found for path in create_app().openapi()["paths"].values() for found in path.values()]


def test_operations_are_called_what_they_do() -> None:
    """Generated clients have methods of these names: one that changes breaks the programs of others."""
    by_tag: dict[str, list[str]] = {}
    for operation in operations():
        (tag,) = operation["tags"]
        by_tag.setdefault(tag, []).append(operation["operationId"])
    assert {tag: sorted(names) for tag, names in by_tag.items()} == {
        "games": [
            "abortGame",
            "acceptOffer",
            "agreeDraw",
            "createGame",
            "declineOffer",
            "deleteGame",
            "deleteNotebook",
            "downloadGames",
            "explainTurn",
            "getGame",
            "getHint",
            "getNotebook",
            "getPlan",
            "getPosition",
            "getResults",
            "getYou",
            "greet",
            "listGames",
            "makeOffer",
            "playTurn",
            "putNotebook",
            "putPlan",
            "redo",
            "resign",
            "resumeGame",
            "searchGames",
            "undo",
            "withdrawPlan",
        ],
        "challenges": [
            "acceptChallenge",
            "addAlert",
            "createChallenge",
            "declineChallenge",
            "drawChallenge",
            "getChallenge",
            "getLobby",
            "listAlerts",
            "listOwnChallenges",
            "removeAlert",
            "withdrawChallenge",
        ],
        "appointments": [
            "acceptAppointment",
            "arriveAtAppointment",
            "cancelAppointment",
            "declineAppointment",
            "deleteAppointment",
            "getAppointment",
            "getAppointmentCalendar",
            "leaveAppointment",
            "listAppointments",
            "proposeAppointment",
        ],
        "positions": [
            "explainInPosition",
            "viewPosition",
        ],
        "records": [
            "convertRecord",
            "getDump",
            "getRecord",
            "importRecords",
            "listDumps",
        ],
        "pictures": [
            "animateGame",
            "animateVariation",
            "drawGame",
            "drawPosition",
        ],
        "analysis": [
            "exploreOpenings",
            "getAnalysis",
            "getReview",
            "keepReview",
            "shareAnalysis",
        ],
        "puzzles": [
            "getPuzzleRatings",
            "getPuzzleStanding",
            "handInTries",
            "raisePuzzleBests",
        ],
        "people": [
            "beginVacation",
            "changeHabitsSettings",
            "changeHandle",
            "changeMe",
            "endRelation",
            "endVacation",
            "enter",
            "getHabits",
            "getHabitsSettings",
            "getLeaderboard",
            "getMe",
            "getPlayer",
            "getRatingCurve",
            "getRelation",
            "getVacations",
            "listGamesOfPlayer",
            "listHabits",
            "listRelations",
            "relate",
            "searchPlayers",
        ],
        "account": [
            "addHook",
            "addPasskey",
            "adoptGames",
            "askForAccountPasskey",
            "askForOwnProof",
            "askForPasskey",
            "askForProof",
            "becomeBot",
            "changePassword",
            "deleteMail",
            "deleteMe",
            "deletePasskey",
            "deleteToken",
            "getCalendar",
            "getMail",
            "getSubscription",
            "listHooks",
            "listPasskeys",
            "listTokens",
            "logIn",
            "logInByPasskey",
            "logOut",
            "logOutEverywhere",
            "makeAccount",
            "makeAccountByPasskey",
            "makeToken",
            "recoverAccount",
            "removeHook",
            "renewCalendar",
            "resetPassword",
            "sendLinkAgain",
            "setMail",
            "testHook",
            "unsubscribe",
            "verifyAddress",
            "withdrawCalendar",
        ],
        "board": [
            "getBoard",
            "getHealth",
            "getLevels",
        ],
        "notifications": [
            "changeNotificationSettings",
            "getNotificationSettings",
            "getPushKey",
            "listDevices",
            "subscribeDevice",
            "testDevice",
            "unsubscribeDevice",
        ],
    }


def test_every_group_is_described_in_the_order_of_the_document() -> None:
    described = [tag["name"] for tag in create_app().openapi()["tags"]]
    assert described == [
        "games",
        "challenges",
        "appointments",
        "positions",
        "records",
        "pictures",
        "analysis",
        "puzzles",
        "people",
        "account",
        "notifications",
        "board",
    ]
    assert {tag for operation in operations() for tag in operation["tags"]} == set(described)


def test_no_two_operations_have_one_name() -> None:
    names = [operation["operationId"] for operation in operations()]
    assert len(names) == len(set(names))
