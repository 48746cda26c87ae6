import pytest
from django.core.management import CommandError, call_command


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", ""])
def test_an_invalid_port_is_refused_with_the_allowed_range(port: str) -> None:
    with pytest.raises(CommandError, match=f"'{port}' is not a port; choose a number from 1 to 65535"):
        call_command("dev", f"--port={port}")
