"""Many clients decide at once: what was confirmed is there once, and nothing else is."""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

# Two clients share a row, so that they get in each other's way and have to look again.
ROWS = (1, 11, 21, 31, 41, 51, 61, 1)
# `make faults` asks for more.
EACH = int(os.environ.get("HARDY_DECISIONS", "25"))


def test_no_decision_of_many_clients_is_lost_or_doubled(server):
    decisions = server.session.state().decisions

    def decide(client):
        row = ROWS[client]
        answers = Counter()
        for number in range(EACH):
            status = 409
            while status == 409:
                current = decisions.latest().get(row - 1)
                version = 0 if current is None else current.number
                verdict = "drop" if client else "keep"
                status, _, _ = server.decide(row, verdict, version, note=f"{client}/{number}")
                answers[status] += 1
        return answers

    with ThreadPoolExecutor(len(ROWS)) as clients:
        answers = sum(clients.map(decide, range(len(ROWS))), Counter())
    assert answers.keys() <= {303, 409}
    assert answers[303] == len(ROWS) * EACH
    assert Counter(decision.note for decision in decisions.history()) == Counter(
        f"{client}/{number}" for client in range(len(ROWS)) for number in range(EACH)
    )
