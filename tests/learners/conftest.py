"""A slow twin of the compiled passes, written row by row from the papers' sentences."""

from types import SimpleNamespace

import numpy as np
import pytest


class Twin:
    """One sub-problem: units (H, features + 1) with the bias last, labels in {-1, +1}."""

    def __init__(self, units, margin, rate, decay=0.9, mean_margin=True, p_delta=False):
        self.units = np.array(units, dtype=np.float64)
        self.margin, self.rate, self.decay = margin, rate, decay
        self.mean_margin, self.p_delta = mean_margin, p_delta
        self.last_wrong = np.inf

    def judge(self, x, y):
        """Give the direction in which each unit moves, whether the row is right, and its step."""
        signed = y * (self.units @ x)
        right_units = signed > 0
        near = right_units & (signed < self.margin)
        is_right = right_units.sum() > len(signed) / 2
        direction = np.zeros(len(signed))
        if is_right:
            direction[near] = 1
            if self.p_delta:
                direction[~right_units & (signed > -self.margin)] = -1
        else:
            direction[~right_units] = 1
            if self.p_delta:
                direction[near] = 1
        return direction, is_right, -0.75 if near.any() else 0.25

    def move_margin(self, step, weight):
        if self.mean_margin:
            step = step / weight if weight > 0 else 0.0
        self.margin = max(0.0, self.margin + self.rate * step)

    def end_pass(self, wrong):
        if wrong > self.last_wrong:
            self.rate *= self.decay
        self.last_wrong = wrong

    def batch_pass(self, X, y, weights):
        sums = np.zeros_like(self.units)
        wrong = right = step = 0.0
        for row, label, weight in zip(X, y, weights, strict=True):
            x = np.append(row, 1.0).astype(np.float64)
            direction, is_right, delta = self.judge(x, label)
            sums += weight * label * np.outer(direction, x)
            wrong += weight * (not is_right)
            right += weight * is_right
            step += weight * is_right * delta
        moved = self.units + self.rate * sums
        scale = 1 / np.sqrt((moved**2).sum(axis=1, keepdims=True))
        self.units = (scale * moved).astype(X.dtype).astype(np.float64)
        self.move_margin(step, right)
        self.end_pass(wrong)
        return self

    def online_pass(self, X, y, weights):
        wrong = right = step = 0.0
        for row, label, weight in zip(X, y, weights, strict=True):
            x = np.append(row, 1.0).astype(np.float64)
            direction, is_right, delta = self.judge(x, label)
            self.units = self.units + self.rate * weight * label * np.outer(direction, x)
            self.units /= np.linalg.norm(self.units, axis=1, keepdims=True)
            wrong += weight * (not is_right)
            right += weight * is_right
            step += weight * is_right * delta
            if not self.mean_margin and is_right:
                self.move_margin(weight * delta, None)
        if self.mean_margin:
            self.move_margin(step, right)
        self.end_pass(wrong)
        return self


@pytest.fixture(scope="session")
def twin():
    return Twin


@pytest.fixture(scope="session")
def hand_worked():
    """One batch pass with three perceptrons, worked by hand.

    The activations w · x of the units (1, 0, 0), (0, 1, 0), (0, 0, 1) are the row's own numbers
    x1, x2 and the 1 of the bias. Margin 1/2, rate 1/2:

    row            label  signed activations   what follows
    (2, 3)         +      2, 3, 1              right, all clear: step +0.25
    (1/4, 1)       +      1/4, 1, 1            right, unit 1 inside: step −0.75, u1 += (1/4, 1, 1)
    (−1, −2)       +      −1, −2, 1            wrong: u1, u2 += (−1, −2, 1)
    (−3, −1)       −      3, 1, −1             right, right units clear: step +0.25
    (1, −1/4)      −      −1, 1/4, −1          wrong: u1, u3 −= (1, −1/4, 1)

    Sums: u1 (−1.75, −0.75, 1), u2 (−1, −2, 1), u3 (−1, 1/4, −1). Half of them added:
    u1 (1/8, −3/8, 1/2), u2 (−1/2, 0, 1/2), u3 (−1/2, 1/8, 1/2); then scaled to length 1.
    Steps: sum −1/4, mean −1/12 over the three right rows. Two of five rows are wrong.

    In the second pass, up to positive factors, the activations are
    (2, 3): −3, −1, −1; (1/4, 1): 1.25, 0.75, 4; (−1, −2): 9, 2, 6; (−3, −1): 4, 4, 15;
    (1, −1/4): 5.75, 0, −0.25. Rows 1, 4 and 5 are wrong: the error rises.
    """
    return SimpleNamespace(
        units=np.eye(3),
        margin=0.5,
        rate=0.5,
        X=np.array([[2, 3], [0.25, 1], [-1, -2], [-3, -1], [1, -0.25]]),
        y=np.array([1, 1, 1, -1, -1]),
        units_after=np.array(
            [
                np.array([1, -3, 4]) / np.sqrt(26),
                np.array([-1, 0, 1]) / np.sqrt(2),
                np.array([-4, 1, 4]) / np.sqrt(33),
            ]
        ),
        mean_margin_after=0.5 - 0.5 / 12,
        sum_margin_after=0.5 - 0.5 / 4,
        wrong=2,
        right=3,
        step=-0.25,
    )


class Splits:
    """All splits of a small table in their order, each judged from the definition of impurity."""

    def __init__(self, X, codes, weights, criterion):
        self.criterion = criterion
        self.candidates = []
        self.n_classes = max(codes) + 1
        for feature, column in enumerate(X.T):
            missing = np.isnan(column)
            values = np.unique(column[~missing])
            thresholds = values[:-1] / 2 + values[1:] / 2
            directions = (False, True) if missing.any() else (False,)
            tries = [(t, m) for t in thresholds for m in directions]
            if missing.any() and len(values):
                tries.append((np.inf, False))
            for threshold, missing_left in tries:
                is_left = np.where(missing, missing_left, column <= threshold)
                left = np.bincount(codes, weights * is_left, minlength=self.n_classes)
                right = np.bincount(codes, weights * ~is_left, minlength=self.n_classes)
                self.candidates.append((feature, threshold, missing_left, left, right))

    def impurity(self, candidate):
        return sum(side.sum() * self._impurity_of(side / side.sum()) for side in candidate[3:])

    def _impurity_of(self, shares):
        if self.criterion == "gini":
            return 1 - (shares**2).sum()
        return -sum(p * np.log(p) for p in shares if p > 0)

    def check(self, feature, threshold, missing_left):
        """See that a split has the least impurity, and that none before it is the same but where.

        Two splits are the same where one side of the one has the weights of a side of the other.
        """
        found = next(c for c in self.candidates if c[:3] == (feature, threshold, missing_left))
        least = min(map(self.impurity, self.candidates))
        assert self.impurity(found) <= least + 1e-9
        sides = sorted(map(tuple, found[3:]))
        first = next(c for c in self.candidates if sorted(map(tuple, c[3:])) == sides)
        assert first is found


@pytest.fixture(scope="session")
def splits():
    return Splits


def with_bias(X):
    return np.column_stack([X, np.ones(len(X))]).astype(np.float64)


def committee_pass(units, X, y, weights, rate, online=True):
    """Show rows of labels ±1 to units (H, features + 1); give these, mistakes and squares."""
    moved = np.array(units, dtype=np.float64)
    mistakes = squares = 0
    for x, label, weight in zip(with_bias(X), y, weights, strict=True):
        activations = (moved if online else units) @ x
        squares += weight * (activations**2).sum()
        wrong = np.flatnonzero(label * activations <= 0)
        lead = len(units) - 2 * len(wrong)
        if lead < 0:
            mistakes += 1
            nearest = wrong[np.argsort(np.abs(activations[wrong]), kind="stable")]
            moved[nearest[: (1 + abs(lead)) // 2]] += rate * weight * label * x
    return moved, mistakes, squares


@pytest.fixture(scope="session")
def slow_committee_pass():
    return committee_pass


class RegressorTwin:
    """Units (H, features + 1) with the bias last, targets in [−1, 1]."""

    def __init__(self, units, margin, rate, *, rho, epsilon, mu=1.0, by_sum=True, online=True):
        self.units = np.array(units, dtype=np.float64)
        self.margin, self.rate = margin, rate
        self.rho, self.epsilon, self.mu = rho, epsilon, mu
        self.by_sum, self.online = by_sum, online

    def see(self, X, targets, weights):
        """Make a pass; return the sum of the squared misses."""
        moved = self.units if self.online else self.units.copy()
        squares = steps = 0.0
        for x, target, weight in zip(with_bias(X), targets, weights, strict=True):
            activations = self.units @ x
            output = np.clip(np.where(activations >= 0, 1, -1).sum() / self.rho, -1, 1)
            squares += weight * (output - target) ** 2
            inside = 0
            for i, a in enumerate(activations):
                push = 0
                if output > target + self.epsilon and a >= 0:
                    push = -1
                elif output < target - self.epsilon and a < 0:
                    push = 1
                elif output <= target + self.epsilon and 0 <= a < self.margin:
                    push, inside = self.mu, inside + 1
                elif output >= target - self.epsilon and -self.margin < a < 0:
                    push, inside = -self.mu, inside + 1
                moved[i] += self.rate * weight * push * x
            least = self.epsilon * self.rho
            step = weight * (least - min(4 * least, inside))
            steps += step
            if self.online:
                self.units /= np.linalg.norm(self.units, axis=1, keepdims=True)
                if self.by_sum:
                    self.margin = max(0.0, self.margin + self.rate * step)
        if not self.by_sum:
            steps /= np.sum(weights)
        if not (self.online and self.by_sum):
            self.margin = max(0.0, self.margin + self.rate * steps)
        self.units = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        return squares


@pytest.fixture(scope="session")
def regressor_twin():
    return RegressorTwin
