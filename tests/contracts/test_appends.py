"""What an append tells, on every engine: the messages as they stand, and what the user may answer."""

from __future__ import annotations

from tests.contracts.conftest import Deployment, say


async def test_what_is_read_equals_a_value_that_was_checked_field_by_field(place: Deployment) -> None:
    old = say("long ago", client_id="c/1").model_copy(update={"created_at_ms": 1_000})
    done = await place.stm.append_messages(place.scope, "room", messages=[old, say("hi", role="assistant")])
    found = [*done.new, *await place.other.read_messages(place.scope, "room", after_seq=0, limit=9)]
    tail = await place.other.read_tail(place.scope)
    assert (len(found), len(tail)) == (4, 1)
    for value in (*found, *tail):
        checked = type(value).model_validate(value.model_dump())
        assert value == checked
        assert value.model_dump(mode="json") == checked.model_dump(mode="json")


async def test_an_append_tells_what_the_user_may_answer(place: Deployment) -> None:
    first = await place.stm.append_messages(
        place.scope, "room", messages=[say("hi"), say("and you?", role="assistant")]
    )
    assert first.before is None
    second = await place.stm.append_messages(place.scope, "room", messages=[say("yes")])
    assert second.before == first.new[-1]
    third = await place.stm.append_messages(place.scope, "room", messages=[say("good", role="assistant")])
    assert third.before is None


async def test_an_append_tells_what_stands_before_the_first_that_is_new(place: Deployment) -> None:
    old = [say("yes", client_id="c/1"), say("sure?", role="assistant", client_id="c/2")]
    first = await place.stm.append_messages(place.scope, "room", messages=old)
    for more in (say("fine", client_id="c/3"), say("well", role="assistant", client_id="c/4")):
        done = await place.other.append_messages(place.scope, "room", messages=[*old, more])
        assert (done.before, len(done.new)) == (first.new[-1] if more.role == "user" else None, 1)
    repeated = await place.stm.append_messages(place.scope, "room", messages=old)
    assert (repeated.before, repeated.new) == (None, ())
