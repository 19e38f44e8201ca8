import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from hardy.tabular import make_table_classifier
from harmless import HTML, Tags


def test_the_estimator_sees_standardised_columns_and_the_users_labels():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(5, 100, 80), "colour": rng.choice(["a", "b"], 80)})
    labels = np.where(frame["size"] > 5, "big", "small")
    model = make_table_classifier(LogisticRegression()).fit(frame, labels)
    seen = model[:-1].transform(frame)
    np.testing.assert_allclose(seen.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(seen.std(axis=0), 1)
    assert model.classes_.tolist() == ["big", "small"]
    assert model.score(frame, labels) > 0.9


def test_names_and_labels_are_no_part_of_the_page_that_shows_it():
    frame = pd.DataFrame({HTML: [1.0, 2.0] * 10, f"b{HTML}": [HTML, "b"] * 10})
    model = make_table_classifier(LogisticRegression(), keep=[HTML], text=[f"b{HTML}"])
    for shown in (model, model.fit(frame, [HTML, "b"] * 10)):
        page = Tags(shown._repr_html_())
        assert "img" not in page.tags
        assert "onerror" not in page.attributes
