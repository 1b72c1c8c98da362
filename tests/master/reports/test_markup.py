"""Text in HTML and SVG is text, whatever it holds."""

from html import unescape
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from master.reports.markup import escaped, plain


@given(st.text())
def test_any_text_is_the_content_of_an_element_and_of_an_attribute(text: str) -> None:
    element = ET.fromstring(f'<a b="{escaped(text)}">{escaped(text)}</a>')
    assert element.text == unescape(escaped(text)) or not text
    assert len(element) == 0
    assert len(element.attrib["b"]) == len(text)


def test_what_cannot_be_shown_becomes_a_question_mark() -> None:
    assert escaped("a\x00\u202eb\ud800<&>\"'") == "a??b?&lt;&amp;&gt;&quot;&#x27;"
    assert plain("a\x00\tb\nü<") == "a?\tb\nü<"
