"""Facts from a Session, by code alone; `ledger.build_ledger` calls the parts in this order.

Time: `moments` (which times can be true) and `timeline` (all events in order, calls with results).
Commands: `words`, `steps`, `shell` (a line as simple commands, and what its exit status proves of
each), `wrappers` (`uv run`, `timeout`), then `commands` with `background` (how they ended) and
`folders` (where they ran).
Tests: `runners` with `queries` (what runs tests), `readers` with the `…counts` (what runners
print), `tests` (the runs).
Git: `git`, `commits`, `branches`, `pushes`, `pulls`.
Files: `paths`, `changes` (by tools), `removals` (by commands), `shellchanges` with `writers` (what
commands may have changed).
Errors: `errors`, `solutions` and `purposes` (which later success made up for a failure).
The rest: `conversation`, `fetches`, `delegations`, `tasks`, `refusals`. The words for all of it
stand in `facts`.
"""
