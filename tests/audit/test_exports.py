import json

import pandas as pd

from hardy.audit.exports import dump, to_label_studio


def test_label_studio_gets_no_null(make_audit):
    audit = make_audit()
    values = pd.DataFrame({"size": [None, 1.5] * 20, "word": ["a", None] * 20})
    tasks = json.loads(dump(to_label_studio(audit, values)))
    assert len(tasks) == 6
    assert {task["data"]["size"] for task in tasks} == {"", 1.5}
    assert all(None not in task["data"].values() for task in tasks)
