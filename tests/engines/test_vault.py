"""The vault: what opens what, how long keys stay, how master keys are changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from shared.engines.master_keys import MasterKeys, load_master_keys
from shared.engines.vault import KeyVault, ScopeSealer
from shared.errors import Missing, StartupProblem, Unavailable
from shared.model.scope import Scope

SCOPE = Scope(tenant_id="t1", scope_id="scp_1")
OTHER = Scope(tenant_id="t1", scope_id="scp_2")


class Keys:
    """Wrapped keys in a dictionary that counts how often it was read."""

    def __init__(self, master: MasterKeys) -> None:
        self.wrapped: dict[str, bytes | None] = {
            scope.scope_id: master.make_wrapped_key() for scope in (SCOPE, OTHER)
        }
        self.tenant = master.make_wrapped_key()
        self.reads = 0

    def wrapped_scope_key(self, tenant_id: str, scope_id: str) -> bytes | None:
        del tenant_id
        self.reads += 1
        return self.wrapped.get(scope_id)

    def wrapped_tenant_key(self, tenant_id: str) -> bytes | None:
        return self.tenant if tenant_id == "t1" else None


class Ticks:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def master() -> MasterKeys:
    return MasterKeys([Fernet.generate_key().decode()])


@pytest.fixture
def keys(master: MasterKeys) -> Keys:
    return Keys(master)


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.fixture
def vault(master: MasterKeys, keys: Keys, ticks: Ticks) -> KeyVault:
    return KeyVault(master, keys, monotonic=ticks)


def test_what_is_sealed_opens_in_its_place_only(vault: KeyVault) -> None:
    sealed = vault.sealer(SCOPE).seal("预算上限".encode(), "memories:1:text")
    assert vault.sealer(SCOPE).open(sealed, "memories:1:text").decode() == "预算上限"
    for sealer, context in (
        (vault.sealer(SCOPE), "memories:2:text"),
        (vault.sealer(OTHER), "memories:1:text"),
    ):
        with pytest.raises(Missing) as caught:
            sealer.open(sealed, context)
        assert caught.value.code == "unreadable"


def test_tenant_and_scope_are_part_of_the_seal() -> None:
    key = b"k" * 32
    sealed = ScopeSealer(Scope(tenant_id="ab", scope_id="c"), key).seal(b"x", "y")
    for tenant_id, scope_id in (("a", "bc"), ("ab", "d"), ("b", "c")):
        with pytest.raises(Missing):
            ScopeSealer(Scope(tenant_id=tenant_id, scope_id=scope_id), key).open(sealed, "y")


@pytest.mark.parametrize("place", [0, 1, 15, -1])
def test_one_changed_byte_does_not_open(vault: KeyVault, place: int) -> None:
    sealed = bytearray(vault.sealer(SCOPE).seal(b"x" * 20, "c"))
    sealed[place] ^= 1
    with pytest.raises(Missing):
        vault.sealer(SCOPE).open(bytes(sealed), "c")


def test_short_bytes_do_not_open(vault: KeyVault) -> None:
    with pytest.raises(Missing):
        vault.sealer(SCOPE).open(b"\x01short", "c")


def test_the_same_text_is_never_sealed_alike(vault: KeyVault) -> None:
    sealer = vault.sealer(SCOPE)
    assert sealer.seal(b"x", "c") != sealer.seal(b"x", "c")


def test_a_blind_term_is_ten_letters_and_its_scope_s_own(vault: KeyVault) -> None:
    sealer = vault.sealer(SCOPE)
    assert re.fullmatch("[a-z2-7]{10}", sealer.blind("项目"))
    assert sealer.blind("项目") == sealer.blind("项目")
    assert len({sealer.blind("项目"), sealer.blind("目项"), vault.sealer(OTHER).blind("项目")}) == 3


def test_a_blind_id_is_26_letters_and_depends_on_its_kind(vault: KeyVault) -> None:
    sealer = vault.sealer(SCOPE)
    assert re.fullmatch("[a-z2-7]{26}", sealer.blind_id("session", "s-1"))
    assert sealer.blind_id("session", "s-1") != sealer.blind_id("client", "s-1")
    assert sealer.blind_id("ab", "c") != sealer.blind_id("a", "bc")


def test_unwrapped_keys_are_kept_for_sixty_seconds_and_no_longer(
    vault: KeyVault, keys: Keys, ticks: Ticks
) -> None:
    first = vault.sealer(SCOPE)
    keys.wrapped[SCOPE.scope_id] = None
    ticks.now += 30
    assert vault.sealer(SCOPE) is first
    ticks.now += 30
    with pytest.raises(Missing) as caught:
        vault.sealer(SCOPE)
    assert caught.value.code == "scope_ended"


def test_use_does_not_lengthen_a_key_s_life(vault: KeyVault, keys: Keys, ticks: Ticks) -> None:
    for _ in range(13):
        vault.sealer(SCOPE)
        ticks.now += 10
    assert keys.reads == 3


def test_any_use_drops_the_keys_of_others_that_are_over_age(vault: KeyVault, ticks: Ticks) -> None:
    vault.sealer(SCOPE)
    ticks.now += 61
    vault.sealer(OTHER)
    assert list(vault._scopes._kept) == [("t1", OTHER.scope_id)]


def test_a_read_that_finds_no_key_drops_the_kept_one(vault: KeyVault) -> None:
    vault.sealer(SCOPE)
    with pytest.raises(Missing):
        vault.sealer_of(SCOPE, None)
    assert list(vault._scopes._kept) == []


def test_a_tenant_without_keys_has_none(vault: KeyVault) -> None:
    assert vault.tenant_keys("t2") is None
    keys = vault.tenant_keys("t1")
    assert keys is not None
    assert vault.tenant_keys("t1") is keys
    assert keys.name_outside("user", "u1") != keys.name_outside("agent", "u1")


def test_a_rewrapped_key_opens_with_the_new_master_alone() -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    wrapped = MasterKeys([old]).make_wrapped_key()
    rewrapped = MasterKeys([new, old]).renew(wrapped)
    assert MasterKeys([new]).renew(rewrapped) == rewrapped
    assert MasterKeys([new]).unwrap(rewrapped) == MasterKeys([old]).unwrap(wrapped)
    with pytest.raises(StartupProblem, match="BILAYER_MASTER_KEY"):
        MasterKeys([old]).unwrap(rewrapped)


def test_a_key_wrapped_by_a_master_that_came_later_is_unavailable(vault: KeyVault, keys: Keys) -> None:
    keys.wrapped[SCOPE.scope_id] = MasterKeys([Fernet.generate_key().decode()]).make_wrapped_key()
    with pytest.raises(Unavailable):
        vault.sealer(SCOPE)


@pytest.mark.parametrize("given", [["not a key"], ["a" * 44], [""], []])
def test_what_is_no_fernet_key_is_refused_without_being_shown(given: list[str]) -> None:
    with pytest.raises(StartupProblem, match="Fernet key") as caught:
        MasterKeys(given)
    assert "not a key" not in caught.value.detail


def test_the_first_start_makes_a_key_that_the_next_one_reads(tmp_path: Path) -> None:
    first = load_master_keys([], data_dir=tmp_path, database_exists=False)
    again = load_master_keys([], data_dir=tmp_path, database_exists=True)
    assert again.unwrap(first.wrap(b"k")) == b"k"
    assert (tmp_path / "keys" / "master.key").stat().st_mode & 0o777 == 0o600


def test_a_key_that_is_given_leaves_no_file(tmp_path: Path) -> None:
    load_master_keys([Fernet.generate_key().decode()], data_dir=tmp_path, database_exists=False)
    assert list(tmp_path.iterdir()) == []


def test_a_lost_key_is_never_made_anew(tmp_path: Path) -> None:
    with pytest.raises(StartupProblem, match="BILAYER_MASTER_KEY"):
        load_master_keys([], data_dir=tmp_path, database_exists=True)
    assert list(tmp_path.iterdir()) == []
