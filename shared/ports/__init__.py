"""The ports: what the rooms ask of the outside, in the rooms' own words.

Engines implement them; verbs are handed them as keyword arguments, so that a verb's signature is the
list of its effects. Every method that touches a user's memory takes the `Scope` first, and a scope is
only to be had from the `Directory`, which looks it up for a caller.
"""
