"""The site that scripts/build_docs.sh wrote, opened in Chromium on a desktop and on a phone.

The tests are skipped without build/site/html. They take the pictures of docs/gallery/site.md, which the
variable KEEP copies into the repository.
"""

import functools
import http.server
import os
import shutil
import threading
import unittest
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build/site/html"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# Words of tables that wrap to a second line.
BROKEN_WORDS = """() => [...document.querySelectorAll("table.docutils td, table.docutils th")].flatMap((cell) => {
  const broken = [];
  const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    for (const word of node.data.matchAll(/[A-Za-z0-9_]{3,}/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
CUT_BLOCKS = """() => [...document.querySelectorAll("div.highlight pre")]
  .filter((pre) => pre.scrollWidth > pre.clientWidth + 1).map((pre) => pre.textContent.slice(0, 60))"""


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@unittest.skipUnless((SITE / "docs/site/index.html").exists(), "build/site/html is not there")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        handler = functools.partial(Silent, directory=str(SITE))
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_address[1]}"
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.server.shutdown()
        cls.server.server_close()

    def open(self, page, viewport):
        opened = self.browser.new_page(viewport=viewport)
        self.addCleanup(opened.close)
        opened.goto(f"{self.address}/{page}" if "?" in page else f"{self.address}/{page}.html")
        return opened

    def test_pages_fit_their_screen(self):
        pages = sorted(path.relative_to(SITE).with_suffix("") for path in SITE.glob("docs/**/*.html"))
        self.assertGreater(len(pages), 40)
        for viewport in (DESKTOP, PHONE):
            opened = self.open("docs/site/index", viewport)
            for page in pages:
                with self.subTest(page=page, width=viewport["width"]):
                    opened.goto(f"{self.address}/{page}.html", wait_until="domcontentloaded")
                    width = opened.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(width, viewport["width"])
                    self.assertEqual(opened.evaluate(BROKEN_WORDS), [])
                    self.assertEqual(opened.evaluate(CUT_BLOCKS), [])

    def test_home_shows_a_plan(self):
        opened = self.open("docs/site/index", DESKTOP)
        opened.locator("iframe.viewer").scroll_into_view_if_needed()
        plan = opened.frame_locator("iframe.viewer")
        plan.locator("html[data-ready]").wait_for(timeout=60000)
        self.assertIn("simulated missions", plan.locator("#verdict").text_content())

    def test_gallery_links_its_pages(self):
        opened = self.open("docs/gallery/gallery", DESKTOP)
        for link in opened.locator("a.live").all():
            name = link.get_attribute("href").split("/")[-1]
            self.assertTrue((SITE / "gallery" / name).exists(), name)

    def test_search_finds_common_terms(self):
        for word in ("copernicus", "download", "hycom"):
            opened = self.open(f"search.html?q={word}", DESKTOP)
            first = opened.locator("ul.search li a").first
            first.wait_for(timeout=30000)
            self.assertIn("Download a forecast", first.text_content())

    def test_takes_pictures_of_the_site(self):
        for name, page, viewport in (
            ("home", "docs/site/index", DESKTOP),
            ("five_minutes", "docs/start/five_minutes", DESKTOP),
            ("gallery", "docs/gallery/gallery", DESKTOP),
            ("phone", "gallery/home", PHONE),
        ):
            opened = self.open(page, viewport)
            if name == "home":
                opened.frame_locator("iframe.viewer").locator("html[data-ready]").wait_for(timeout=60000)
            opened.wait_for_timeout(1500)
            picture = SITE / f"_images/site_{name}.png"
            opened.screenshot(path=picture)
            self.assertGreater(picture.stat().st_size, 10000)
            if os.environ.get("KEEP"):
                shutil.copyfile(picture, ROOT / f"docs/gallery/pictures/site_{name}.png")


if __name__ == "__main__":
    unittest.main()
