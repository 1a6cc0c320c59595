"""Numbers cut into intervals."""

import structlearn as sl


def test_numbers_most_of_which_are_the_largest_are_cut_below_it():
    sizes = [1, 2, 3, 4, 5] + [9] * 95
    schema = sl.RelationalModel(kinds={"thing.size": "continuous"}).fit({"thing": {"size": sizes}}).schema_

    assert schema.attribute("thing.size").cuts == (7.0,)
    assert schema.attribute("thing.size").labels == ("≤ 7", "> 7")
