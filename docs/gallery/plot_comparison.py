"""
Which method holds up?
======================

Four methods on five tables while more and more of the training labels are wrong.
"""

# %%
# Folds and flipped labels are the same for all methods, and scores are taken on true labels. Five
# tables say little about methods in general: this is how the tools work.

from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hardy import HardnessBaggingClassifier, NoiseReducingBoostClassifier
from hardy.datasets import make_ringnorm, make_twonorm
from hardy.stats import CriticalDifferenceDisplay, friedman_test
from hardy.studies import RobustnessDisplay, compare_under_noise, mean_scores, rank_methods

methods = {
    "NR boosting": make_pipeline(StandardScaler(), NoiseReducingBoostClassifier(two_stage=True)),
    "hardness bagging": make_pipeline(StandardScaler(), HardnessBaggingClassifier()),
    "random forest": RandomForestClassifier(50),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
}
tables = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "twonorm": make_twonorm(random_state=0),
    "ringnorm": make_ringnorm(random_state=0),
}
results = compare_under_noise(methods, tables, noise_rates=[0, 0.1, 0.2, 0.3, 0.4], cv=4)

# %%
# The mean accuracy over the tables; the bands are 95 % intervals over five tables, and wide.

RobustnessDisplay.from_results(results)

# %%
# Average ranks, and whether they differ at all with 30 % wrong labels:

print(rank_methods(results).round(2))
scores = mean_scores(results, 0.3)
print(f"\nFriedman: p = {friedman_test(scores).pvalue:.3f}")

# %%
# The critical difference tells which pairs do. With five tables it is long, and a bar joins all
# that lie closer.

CriticalDifferenceDisplay.from_scores(scores)
