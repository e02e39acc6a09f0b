"""A transcript's files become a Session.

`discovery` finds the files, `lineage` tells whose rows are in them. Of each file `lines` reads
bytes (`slim` those of long lines), `stream` makes records of them, from where it stopped before
(`repair` mends damaged ones), and `records` knows their shapes. `assembly` sends each row to where
it belongs: to a `thread`, which makes events of it, with `user` and `words` for who spoke, `queue`
for what was typed meanwhile, `messages` for the model's, `results` for what tools gave back; or to
`metadata`, `spending`, `steps`. `reading` holds all of a session together, `subagents` joins the
delegated work, and `reader` is the door.
"""
