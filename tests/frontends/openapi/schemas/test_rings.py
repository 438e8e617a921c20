"""Which schemas lead to each other is found in one walk."""

from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi.place import Place
from generator.frontends.openapi.schemas.raw import Raw, key_of
from generator.frontends.openapi.schemas.rings import Rings

NODES = range(8)


class File:
    shown = "api.json"

    def span(self, pointer):
        return None


FILE = File()


def place(node):
    return Place(FILE, (str(node),))


def reachable(edges, start):
    found, waiting = set(), [start]
    while waiting:
        for target in edges.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


@given(st.dictionaries(st.sampled_from(NODES), st.lists(st.sampled_from(NODES), max_size=3)), st.permutations(NODES))
def test_an_edge_is_on_a_ring_when_its_end_leads_back_to_its_beginning(edges, order):
    rings = Rings(lambda raw: [Raw({}, place(target)) for target in edges.get(int(raw.place.pointer[0]), ())])
    for home in order:
        for target in edges.get(home, ()):
            expected = target == home or home in reachable(edges, target)
            assert rings.together(Raw({}, place(target)), key_of(place(home))) is expected


def test_a_chain_longer_than_the_stack_is_walked():
    rings = Rings(lambda raw: [Raw({}, place((int(raw.place.pointer[0]) + 1) % 5000))])
    assert rings.together(Raw({}, place(1)), key_of(place(0)))
