"""How the page looks, in the widths and lights that there are: nothing is cut off in any."""

import os
from pathlib import Path

from tests.master.api.axe import AXE, violations
from tests.master.api.browser import Browser, Scheme

PICTURES = os.environ.get("MANYPLY_PICTURES")
"""A folder where pictures of the page are put for people; unset: none are made."""

PROBES: tuple[tuple[int, Scheme], ...] = (
    (1300, "light"),
    (1300, "dark"),
    (1000, "light"),
    (700, "light"),
    (390, "dark"),
    (320, "light"),
)

CHECKED = {(1300, "light"), (1300, "dark"), (390, "dark")}
"""What axe-core is run in, which takes some tenths of a second."""


async def pictures(browser: Browser, name: str, *, is_whole: bool = False) -> None:
    """Look at the page in the widths and lights that there are; axe-core finds nothing in some.

    Args:
        browser: shows it.
        name: of the pictures.
        is_whole: with what one has to scroll to.
    """
    for width, scheme in PROBES:
        await browser.resemble(width, scheme)
        wide = await browser.find("document.documentElement.scrollWidth")
        assert wide <= width, (width, wide)
        if AXE is not None and (width, scheme) in CHECKED:
            wrong = await violations(browser)
            assert wrong == [], (name, width, scheme, wrong)
        if PICTURES:
            await browser.picture(
                Path(PICTURES) / f"{name}-{width}-{scheme}.png", is_whole=is_whole
            )
    await browser.resemble(1300, "light")
