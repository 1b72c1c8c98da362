"""Who computed which part when: lanes of spans, built from what schedulers are told and answer."""
