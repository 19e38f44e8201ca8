"""What holds for all tests: none depends on the time that it takes."""

from hypothesis import Phase, settings

# A program that instruments what it imports.
collect_ignore = ["fuzz/guided.py"]

settings.register_profile("untimed", deadline=None)
# For `make mutants`: the same examples in each run, and no search for a smaller one that fails.
settings.register_profile(
    "fixed",
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("untimed")
