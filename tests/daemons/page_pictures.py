"""How the page looks, in the widths and lights that there are: nothing is cut off in any."""

import os
from pathlib import Path

from tests.master.web.browser import Browser

PICTURES = os.environ.get("MANYPLY_PICTURES")
"""A folder where pictures of the page are put for people; unset: none are made."""

LOOKS = (
    (1300, "light"),
    (1300, "dark"),
    (1000, "light"),
    (700, "light"),
    (390, "dark"),
    (320, "light"),
)


async def pictures(browser: Browser, name: str) -> None:
    """Look at the page in the widths and lights that there are."""
    for width, scheme in LOOKS:
        await browser.look_like(width, scheme)
        wide = await browser.find("document.documentElement.scrollWidth")
        assert wide <= width, (width, wide)
        if PICTURES:
            await browser.picture(Path(PICTURES) / f"{name}-{width}-{scheme}.png")
    await browser.look_like(1300, "light")
