from master.games.text_decoding import decode_text, is_utf16


def test_text_is_decoded_by_its_mark_or_as_what_it_can_be() -> None:
    name = "Sürmeyan “François”"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        assert decode_text(name.encode(encoding)) == name
        assert is_utf16(name.encode(encoding)) == (encoding == "utf-16")
    assert decode_text(b"\xfe\xff" + name.encode("utf-16-be")) == name
    assert decode_text(b"S\xfcr\x81") == "S\xfcr\x81"  # 81 is no character of code page 1252
