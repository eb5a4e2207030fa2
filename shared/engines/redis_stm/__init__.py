"""Short-term memory and the due store on Redis (7 or newer, or Valkey).

Every call that touches a scope is one Lua script on keys that share the scope's hash tag, so it is
atomic and works on one node of a cluster. What people or models wrote is sealed before it is sent;
outside ids (sessions, clients' ids, idempotency keys) appear in keys as keyed hashes only.
"""
