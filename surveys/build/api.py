"""What the builder's page and this server say to each other, in JSON.

Every address takes and gives ``application/json``, needs a logged-in builder, and on a write the CSRF token
in the header ``X-CSRFToken``. The page finds addresses and token in its own data (see `surveys.build.views`).

``GET  …/build/draft``   the draft as it is::

    {"survey": "work", "title": "Speaking up at work", "state": "draft" | "planned" | "open" | "closed",
     "revision": 7, "saved_at": "2026-11-20T10:00:00+00:00" | null, "saved_by": "ana" | "",
     "published": 0,                     # number of the newest version, 0 for none
     "can_save": true,                   # false once the survey is closed
     "not_kept": ["survey, row 9, column relevant: …"],   # what the import could not keep
     "document": {...},                  # the definition, docs/definition.md; any JSON object
     "problems": [{"path": "blocks[1].questions[0].text.zh-hans", "message": "the text is missing",
                   "remedy": "write it in this language too"}],
     "budget": {"blocks": [{"path": "blocks[1]", "key": "silence", "epsilon": 2.83 | null,
                            "amplification": 17.0 | null}],
                "epsilon": 4.1 | null, "open_questions": 3, "has_direct_group": false}}

``budget.blocks`` has an entry for each protected block that can be read, even while others have problems;
``epsilon`` null is infinite (p = 1). ``budget.epsilon`` is the sum over the blocks listed, and the bound of
the whole survey only if ``problems`` is empty.
A problem's ``path`` is that of `surveys.build.problems.Problem`: "" is the document itself.

``POST …/build/save``    ``{"revision": 7, "document": {...}}``

    200  the same object as above without ``document``, with the new ``revision``
    400  {"error": "json" | "shape", "message", "remedy"}: not JSON, not an object, a member twice
    403  no builder of this survey, or no CSRF token
    409  {"error": "revision", "message", "remedy", "revision": 9, "saved_by", "saved_at", "document": {...}}
         somebody (another tab) saved since revision 7; nothing was written. The page offers to take theirs,
         or to save its own again with the new revision.
    409  {"error": "closed", …}: a closed survey has no draft any more
    413  {"error": "too_large", …}: more than `surveys.build.drafts.MOST_BYTES` of JSON
    415  {"error": "content_type", …}

``POST …/build/check``   ``{"document": {...}}``: ``{"problems": [...], "budget": {...}}``; saves nothing.

``POST …/build/rename``  ``{"revision": 7, "slug": "new-name"}``: before the first publishing only.

    200  {"survey": "new-name", "revision": 8, "builder": "/en/staff/surveys/new-name/build/"}
    409  {"error": "published" | "taken" | "revision", …};  400 {"error": "slug", …}

Messages and remedies are in the language of the page's address.
"""
