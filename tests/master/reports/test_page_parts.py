"""Parts of pages: what is told in them is text."""

from master.reports.page_parts import controls, facts, table


def test_rows_of_a_table_have_headings() -> None:
    found = "".join(table(("a", "b"), [("x", "1"), ("y", "2")], "t"))
    assert found.count('<th scope="row">') == 2
    assert found.count("<td>") == 2


def test_facts_and_names_are_text() -> None:
    assert "<dt>who &lt;i&gt;</dt><dd>a &amp; b</dd>" in "".join(facts([("who <i>", "a & b")]))
    shown = "".join(controls((("all", "everything"),), ("<b>", "Bob")))
    assert '<option value="0">&lt;b&gt;</option><option value="1">Bob</option>' in shown
    assert '<option value="all">everything</option>' in shown
