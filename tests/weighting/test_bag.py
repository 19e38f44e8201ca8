from hardy.weighting import Bag, BagRule


class Whole(BagRule):
    def start(self, training):
        pass

    def bag(self, number, random_state):
        return Bag(number)


def test_without_candidates_the_only_member_is_kept():
    rule = Whole()
    assert rule.n_candidates == 1
    assert rule.choose([[0, 1]]) == 0
    assert rule.bag(3, None) == (3, None, None, None)
