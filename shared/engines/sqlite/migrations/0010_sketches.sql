-- Blocks also tell which characters their rows cannot hold. Those of before are derived: the next archive of a
-- scope packs its rows anew.
DELETE FROM blocks /* all scopes: what is derived is made anew */;
