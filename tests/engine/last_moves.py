"""Positions near the end in which earlier searches and levels played wrong moves."""

UNVISITED = [
    (
        "standard b bMc2ne wTd8s wLe3sw bEe4ne wCe6n bTe8ne wEe9n bRe12n bRf10n bCg8n wRg13n wTh7ne wEh8n "
        "wMh14ne bCi13n bLj8ne bMj10sw bEj15n wRe5s wMe11n bTg7ne bEg12n wTh9sw wEi8ne bLi9n bTi14sw wLi15ne "
        "bEk9sw wCg8n wEi8n wTj9se",
        1000,
        4,
    ),
    (
        "standard b bEb5n wMd8s wCe6se bLe8s wRe9se bEf5s bTg5ne wMg7n bTg10nw wEi4nw wTi6se wLi9s bMi11se "
        "bTj12ne wCk10n bLl8nw bRm11nw bCe8se bEf4se wEf6se bEf7se wEg8n bMh5nw wTj8se wTk11nw wLg6n wTh6s "
        "bRh7ne wRg7ne wEh6ne bCh7se",
        1000,
        6,
    ),
    (
        "standard b wEg8s wTh8n bCh10ne bEi6ne bTi12nw wRj8sw wTj13se wTk10sw bTk11nw bTl10se wCl13n wCm11se "
        "bCm13n wEm15se bRp15sw bMp16n bEg9se bTj7nw wEj10nw wLk10n bLm13sw bMm14nw wMo15ne wTi10s wEj10s "
        "bEl11nw bRm13ne wMm15se wLj9ne bEj11sw bLn14n wRk10nw",
        1000,
        12,
    ),
    (
        "standard b wMc3n wEc5nw bLe4s wTe6s wCg5n wTg8sw wTh6n bCh8ne bRh11s bEi11se wTj9s bTk5sw wMk10nw "
        "wLl5se wEl6nw bMl8nw bMm7s wCm10ne bTn10ne wEo9ne wLp13nw wRg6n bEj11s bCk8se bEl7s wTl11sw bEo11se "
        "wRh8ne bLj8ne wEl11nw bRk10sw",
        1000,
        21,
    ),
    (
        "standard w bEd3n bTd11nw bRe3ne wCe5n wLe10se bCf7n bTf12s bCg5se bRg10sw wMh8nw bMh12s wEh13se "
        "bEi6nw bMi8ne wCi10ne bEk5nw wEl14se bLm6sw wMo13se wRe4nw wLe5ne bTe9n bLf8sw wEg8s bEj9nw wEg7ne",
        350,
        23,
    ),
]
"""Positions, nodes and seeds. All but a few moves lose to threats, and those few are refuted last."""

TEMPTING = [
    (
        1,
        2,
        "standard b wEa4n bRb5ne wTb7se wEb9se wMc3ne wLc8nw bEd1nw wCd5se wLd8s wRd10ne bCe4ne wTf2se wCf3se "
        "bMf10s wEf14s bEg5se bEg6nw bTg14ne wTi2ne wTi4s wTi12n bEj6se bCk4n wRk14n bTl7nw bTl11ne bTl13se "
        "bLn6n bMn9se bLo8ne bTo15s wMe5s wTe7s bRf5s",
    ),
    (
        1,
        4,
        "standard w bRa4se wMb2ne bMc5s bCc10n bMd2s wCd4n wRe2n wEe5se wEe6nw wCe8ne bTe11ne wTf2se bCf13ne "
        "wEg6se bTg15ne wTh5s wRh12s wLh13sw wEi14ne wMj13n wTk7n wTl14nw bTm11se bTn10s bTn13s wLn15ne "
        "wTo15s bTq16s bLb3se bLc2se bRp15nw",
    ),
    (
        1,
        12,
        "standard w wEb5n wTb8sw wCc9n wCc11ne bEd3nw bLd10s bTe6sw wRe7nw wMf2s wTf5nw bCf8n bTf12sw bTf14s "
        "wEg5sw bRh4sw wMh6s bEh8n wRi2nw bCi5n bRi10se wLi14ne bLj4s bMj6ne bMj7nw bTk9n wTl13n wTl16s "
        "wTl17sw wLm9sw wTn10ne wEf6ne",
    ),
    (
        1,
        30,
        "standard b bTb2ne bRb3nw wLc6nw wRc10n bCd3n wCd8ne wTd9sw wMe8se wEf5n bEg1nw wTg3nw wMh3sw wLh5nw "
        "bTh15sw bCi3ne wEi5ne bTi13n wEj7ne wTk10s bRk12se bLl7sw wTl14n bTm5sw bLn9nw wRn11sw bTn14s "
        "bEn15sw bMo9n bMo13sw wCp12ne bTp14n wTh3se bEl8n",
    ),
    (
        2,
        3,
        "standard w wTa7n bLb1ne bTb7ne bCc6ne wEc9se wCd11ne bCd12ne bTe6n wTf3ne wEf10nw bTf11n bRg11s "
        "bMg14sw bTh2ne bEh9ne bMh10sw wTi12nw bEj14s wRk12se bEl15nw wEm7nw wLm11s wLm14nw wCn14ne wRo8nw "
        "wMo13s wMp8sw bTq12s wEe10se wTh12sw wTi12ne bRj11ne bEk15s",
    ),
    (
        2,
        6,
        "standard w bTa6n wTb3ne wTb4nw wMc2s bTd3n wEd5n bLd10sw bTe1n bCe3ne wCe9n wEe11n bEf6n wLf10ne "
        "wMg7ne bTg8n wEh5nw bEh11sw wLh14ne wCi14ne bEj14sw wTk5ne wEk6nw bTk15ne bCk17se bRn10ne bTn11n "
        "bLn17sw wTo8ne wRe8se bEf6s wRf10se wTj15s bRj17s bMg8sw",
    ),
    (
        2,
        22,
        "standard w bEb8n bEc4nw bEc11s bTd4ne bTd6sw bTd7n bMd9sw bRe6n bMg4s wTg6s wTh2sw wEh4n wTh14sw "
        "wTh16se bLi15ne bCj5se wEk4sw wCk12se bTl5se wLn8sw wCn10n wMn13ne wMn17s wTo10ne wTo16s bLp9sw "
        "wRp13se wEg6nw bTi5sw bEj5s wLk4se bRk5ne wEl4n",
    ),
    (
        3,
        14,
        "standard b bLb4n bMb9se bTc6n bTd11ne wCe5se bEe8s bCe9se bEe10ne wTf1ne wCf3n wEf6n wEh2se wMh12ne "
        "bRh13n wLh15sw bTj4sw wTj11se bCj12se bTj14n wMj16n wLk14ne wRl17se bRm13nw bEo14ne bEo15nw wTo17sw "
        "bLe6ne wEh11sw wTh12nw wTh15se wRi13se bTl14nw wEf9s bMi12sw",
    ),
    (
        4,
        19,
        "standard b bTf9se wMg8ne wTi3n bRi5n bMi7sw wLi9sw bTi10nw bLj6ne wTj9se wTj11se bEk14s wCl8n bMm10s "
        "bCm12se bCn10n bLo8sw wEo9sw wMo14s bEp10s bTi7sw bRi8nw bEj7n wRj10nw bTk12s wEl8sw wEl9ne bEn7nw "
        "wEn14s wCo9se wLi11sw bTj11s wRh9ne",
    ),
    (
        4,
        35,
        "standard w wTc2s wTc9ne bTc11s wMd2ne bEd5s bEd8ne bEe6n bMe11ne wTe12sw wEf6s wCf8n wEg3sw wCg11se "
        "bRg14sw wLh4n bCh12se bLi3s bTi4n wTi14sw wEj12n wEj15n wTm9se bRd3s bEd4ne bLe11sw wLf9n wRg11nw "
        "wRh14s bMi12se bTe11se bCh12se wMg11nw",
    ),
]
"""Levels, seeds and positions: the player has one piece left and does not lead in the centre, but likes to add it."""
NOTHING_ELSE = (
    "basic w bTa2ne wMd3nw bTd5s wTe6nw wCe8se wTf6se bLg7se wMg8se bTh9nw bLi6sw wEj8sw bCj9se wLl8se "
    "bEl9sw bRm9n wRo9ne wEo12s wEo13sw bEp12n bCp15ne bTd5n wTf6n wEf8ne bMh7se bEi8nw wRj8s bEm9se "
    "bMn11nw wTo13n wCf6se bRh8sw wLi6n bTf7s wTh7nw"
)
"""Every move of a piece loses; the last piece draws."""
