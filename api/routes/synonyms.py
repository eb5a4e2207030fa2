"""`/v1/synonyms`: the words that mean the same to a tenant, by which its searches are widened."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from api.auth import AdminDep, ServicesDep
from api.schemas import SynonymsBody
from shared.errors import InvalidInput
from shared.language.synonyms import find_unfit

router = APIRouter(prefix="/v1/synonyms", tags=["operations"])


@router.get("")
async def get_synonyms(caller: AdminDep, services: ServicesDep) -> dict[str, Any]:
    """Return the table in force; version 0 is the one that every tenant begins with."""
    rules = await services.rules_of(caller.tenant_id)
    groups = [list(group) for group in rules.synonyms.groups]
    return {"version": rules.versions.synonyms, "groups": groups}


@router.put("")
async def put_synonyms(body: SynonymsBody, caller: AdminDep, *, services: ServicesDep) -> dict[str, Any]:
    """Put a table in the place of the former one, for all searches from now on; 409 where it has moved."""
    unfit = find_unfit(body.groups)
    if unfit is not None:
        number, reason = unfit
        raise InvalidInput(f"groups.{number}: {reason}.", field=f"groups.{number}")
    version = await services.synonyms.put_synonyms(
        caller.tenant_id,
        body.groups,
        read_version=body.version,
        actor=caller.key_id,
        request_id=caller.request_id,
    )
    return {"version": version, "groups": body.groups}
