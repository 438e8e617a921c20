"""Frames between the front process and its workers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server.farm_frames import KINDS, FrameProblem, FrameReader, frame

FRAMES = st.lists(st.tuples(st.sampled_from([*KINDS]), st.integers(0, 2**32 - 1), st.binary(max_size=50)), max_size=8)


@given(frames=FRAMES, cuts=st.lists(st.integers(1, 40), max_size=30))
def test_frames_come_out_as_they_went_in_however_they_are_cut(frames, cuts):
    data = b"".join(frame(*each) for each in frames)
    reader = FrameReader()
    found = []
    for cut in cuts:
        found += reader.feed(data[:cut])
        data = data[cut:]
    assert found + reader.feed(data) == frames


def test_what_begins_like_no_frame_is_noticed():
    with pytest.raises(FrameProblem):
        FrameReader().feed(b"POLLUTION")


def test_a_frame_that_claims_too_much_is_noticed():
    with pytest.raises(FrameProblem):
        FrameReader().feed(b"\x03" + bytes(4) + b"\xff\xff\xff\xff")
