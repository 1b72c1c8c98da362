"""A page is one document whose words are words."""

from master.reports.html_page import POLICY, html_page, review_html


def test_page_has_its_parts_in_order_and_its_title_as_text() -> None:
    page = html_page("a <b> & c", "p{color:red}", "go()", ["<p>one", "<p>two"])
    places = [page.index(words) for words in (
        "<!DOCTYPE html>", POLICY, "<title>a &lt;b&gt; &amp; c</title>", "<style>p{color:red}",
        "<body>", "<p>one", "<p>two", "<script>go()</script>", "</html>",
    )]  # fmt: skip
    assert places == sorted(places)
    assert page == html_page("a <b> & c", "p{color:red}", "go()", ["<p>one", "<p>two"])


def test_nothing_is_asked_for_from_anywhere() -> None:
    assert POLICY.startswith("default-src 'none';")
    assert "http" not in html_page("t", "", "", []).replace("http-equiv", "")


def test_reviews_look_alike_and_their_game_has_the_last_word() -> None:
    page = review_html("t", ".c0{color:green}", ["<p>one"])
    assert page.index(".c0,.c1{") < page.index(".c0{color:green}")
    assert "<p>one" in page
    assert 'getElementById("moves")' in page
