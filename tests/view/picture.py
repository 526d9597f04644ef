"""Takes a picture of a page of 'tidewise view': picture.py PAGE OUT.png [TIME [light|dark [SCRIPT]]]

TIME counts like the environment's times. The size is that of the pictures in docs/figures."""

import os
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright


def main(page, out, time="0", scheme="light", script=""):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        view = {"width": 1180, "height": 760}
        opened = browser.new_context(viewport=view, offline=True, color_scheme=scheme).new_page()
        opened.goto(Path(page).resolve().as_uri())
        opened.wait_for_selector("html[data-ready]")
        opened.evaluate("(time) => tidewise.setTime(time)", float(time))
        if script:
            opened.evaluate(script)
        opened.wait_for_timeout(300)
        opened.screenshot(path=out)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
