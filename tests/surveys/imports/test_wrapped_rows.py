"""Headers and items over several lines are joined."""

from surveys.imports.pasted_text import read_paste


def test_a_header_of_three_lines_is_joined() -> None:
    header = (
        "            very     rather   not      ",
        "            good     good     so      ",
        "                              good",
    )
    rows = "\n".join(f"{item:12}O        O        O" for item in ("1 Pay", "2 Food"))
    found = read_paste("T\n\n" + "\n".join(header) + "\n" + rows).questions
    labels = [option.texts["en"] for option in found[0].options]
    assert labels == ["very good", "rather good", "not so good"]
