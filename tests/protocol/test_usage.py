from protocol.messages import ANALYSER_MESSAGES
from protocol.usage import usage_lines


def test_every_verb_has_one_line_with_its_fields() -> None:
    lines = [info.text for info in usage_lines()]
    assert [line.split(" ")[0] for line in lines] == [kind.verb for kind in ANALYSER_MESSAGES]
    (trials,) = (line for line in lines if line.startswith("trials "))
    assert trials.startswith("trials PART ATTEMPT FIRST_SEQ COUNT context=... ")
