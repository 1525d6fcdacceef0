"""The report's page in a headless browser: page_test.py FOLDER with small.html and large.html of page_sample."""

import pathlib
import sys
import time
import unittest
from typing import Any

from browser import Browser

FOLDER = pathlib.Path(sys.argv.pop())
SMALL = (FOLDER / "small.html").as_uri()
LARGE = (FOLDER / "large.html").as_uri()
ROWS = "document.querySelectorAll('table.runs tbody tr[data-at]').length"
STATUS = "document.querySelector('.status [role=status]').textContent"


class PageTest(unittest.TestCase):
    browser: Browser

    @classmethod
    def setUpClass(cls) -> None:
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.browser.__exit__()

    def setUp(self) -> None:
        self.browser.view(1280, 900)

    def js(self, expression: str) -> Any:
        return self.browser.run(expression)

    def wait(self, expression: str) -> None:
        self.browser.wait(expression)

    def choose(self, label: str, value: str) -> None:
        self.js(f"""(() => {{
          const label = [...document.querySelectorAll('.filters label')].find((l) => l.firstChild.textContent === '{label}');
          const select = label.querySelector('select');
          select.value = '{value}';
          select.dispatchEvent(new Event('change'));
        }})()""")

    def open_reader(self, run: str) -> None:
        self.js(f"location.hash = '#run={run}'")
        self.wait(f"document.querySelector('#reader[open] .chain') && document.querySelector('.bar .where').textContent === '{run}'")

    def problems(self) -> list[str]:
        self.js("0")  # whatever the browser has said by now comes before this answer
        kinds = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        return [str(event) for event in self.browser.events if event.get("method") in kinds]

    def requests(self) -> list[str]:
        urls = [event["params"]["request"]["url"] for event in self.browser.events
                if event.get("method") == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("data:", "about:"))]

    def test_loads_without_errors_and_asks_for_nothing_else(self) -> None:
        self.browser.open(SMALL)
        self.open_reader("synthetic-0")
        self.assertEqual(self.problems(), [])
        self.assertEqual(self.requests(), [SMALL])

    def test_hostile_text_is_shown_and_not_run(self) -> None:
        self.browser.open(SMALL)
        self.open_reader("synthetic-0")
        text = self.js("document.getElementById('reader').innerText")
        for shown in ("<script>window.broken=1</script>", "onerror=\"window.broken=1\"", "\\u{1B}[31m", "\\u{202E}", "\\u{2028}"):
            self.assertIn(shown, text)
            self.assertIn(shown, self.js("document.querySelector('main').innerText"))
        self.js("document.querySelectorAll('#reader details').forEach((details) => { details.open = true; })")
        self.assertNotIn("[object", self.js("document.getElementById('reader').innerText"))
        self.assertIsNone(self.js("window.broken"))
        self.assertEqual(self.js("document.images.length"), 0)
        self.assertEqual(self.js("/[\\u001b\\u202e\\u2028]/.test(document.body.innerText)"), False)

    def test_a_script_that_got_in_would_not_run(self) -> None:
        self.browser.open(SMALL)
        self.js("""(() => {
          const script = document.createElement('script');
          script.textContent = 'window.broken = 1';
          document.body.append(script);
          document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.broken = 1">');
        })()""")
        time.sleep(0.2)
        self.assertIsNone(self.js("window.broken"))
        self.assertIn("Content Security Policy", " ".join(self.problems()))

    def test_filters_and_sorts_the_runs(self) -> None:
        self.browser.open(SMALL)
        self.assertEqual(self.js(STATUS), "120 runs")
        self.choose("Framework", "openclaw")
        self.assertEqual(self.js(STATUS), "60 of 120 runs")
        self.choose("State", "turn-failed")
        self.assertEqual(self.js("[...document.querySelectorAll('.tag.bad')].every((tag) => tag.textContent === 'turn-failed')"), True)
        self.js("[...document.querySelectorAll('.search button')].find((b) => b.textContent === 'Clear').click()")
        self.js("(() => { const i = document.querySelector('.search input'); i.value = 'synthetic-7 claim'; i.dispatchEvent(new Event('input')); })()")
        self.wait(STATUS + " === '11 of 120 runs'")
        self.js("[...document.querySelectorAll('table.runs th button')].find((b) => b.textContent === 'Fails').click()")
        self.assertEqual(self.js("document.querySelector('th[aria-sort=ascending]').textContent"), "Fails")

    def test_sorts_a_table_by_number_with_missing_last(self) -> None:
        self.browser.open(SMALL)
        head = "[...document.querySelectorAll('#table-rates th button')].find((b) => b.textContent === 'Persistent sycophancy')"
        cells = "[...document.querySelectorAll('#table-rates tbody tr')].map((row) => row.cells[3].dataset.v)"
        for sign in (1, -1):
            self.js(head + ".click()")
            values = self.js(cells)
            self.assertIsNone(values[-1])
            numbers = [float(value) for value in values[:-1]]
            self.assertEqual(numbers, sorted(numbers, key=lambda number: sign * number))

    def test_intervals_show_on_demand(self) -> None:
        self.browser.open(SMALL)
        shown = "getComputedStyle(document.querySelector('#table-rates .all')).display"
        self.assertEqual(self.js(shown), "none")
        self.js("document.querySelector('#table-rates .more').click()")
        self.assertEqual(self.js(shown), "block")
        self.assertIn("95 % Wilson", self.js("document.querySelector('#table-rates .all').innerText"))

    def test_keyboard_leads_through_the_runs(self) -> None:
        self.browser.open(SMALL)
        self.browser.key("j")
        self.browser.key("j")
        self.browser.key("k")
        self.browser.key("ArrowDown")
        self.assertEqual(self.js("document.querySelector('tr.active').dataset.at"), "1")
        self.browser.key("Enter")
        self.wait("document.querySelector('#reader[open] .chain')")
        self.assertEqual(self.js("location.hash"), "#run=synthetic-1")
        self.browser.key("j")
        self.wait("location.hash === '#run=synthetic-2' && document.querySelector('.chain')")
        self.browser.key("Escape")
        self.wait("!document.querySelector('#reader[open]')")
        self.assertEqual(self.js("document.querySelector('tr.active').dataset.at"), "2")
        self.assertEqual(self.js("document.activeElement.hash"), "#run=synthetic-2")
        self.browser.key("/")
        self.assertEqual(self.js("document.activeElement.type"), "search")

    def test_an_address_opens_a_reader(self) -> None:
        self.browser.open(SMALL + "#run=synthetic-41")
        self.wait("document.querySelector('#reader[open] .chain')")
        self.assertEqual(self.js("document.querySelectorAll('.chain li').length"), 8)
        self.assertEqual(self.js("document.querySelectorAll('.turn').length"), 8)
        self.assertIn("not in the record", self.js("document.querySelector('.note').innerText"))

    def test_a_run_without_a_reader_says_how_to_see_it(self) -> None:
        self.browser.open(SMALL + "#run=synthetic-110")
        self.wait("document.querySelector('#reader[open] .command')")
        self.assertEqual(self.js("document.querySelector('.command').textContent"), "pasb show --out out/synthetic synthetic-110")
        self.assertIn("Readers for 100 of 120 runs", self.js("document.getElementById('readers').textContent"))

    def test_a_phone_scrolls_only_downwards(self) -> None:
        self.browser.view(390, 844)
        self.browser.open(SMALL)
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 390)
        self.js("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 390)
        self.open_reader("synthetic-0")
        self.js("document.querySelectorAll('#reader details').forEach((details) => { details.open = true; })")
        self.assertLessEqual(self.js("document.getElementById('reader').scrollWidth"), 390)

    def test_figures_and_tables_need_no_script(self) -> None:
        self.browser.open(SMALL, script=False)
        document = self.browser.call("DOM.getDocument", depth=0)["root"]["nodeId"]

        def found(selector: str) -> int:
            return len(self.browser.call("DOM.querySelectorAll", nodeId=document, selector=selector)["nodeIds"])

        self.assertEqual(found("article.table tbody tr"), 8)
        self.assertGreaterEqual(found("figure svg"), 6)
        self.assertEqual(found("figure table.data"), 6)
        self.assertEqual(found("noscript p"), 1)
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)

    def test_the_theme_follows_the_system_and_the_button(self) -> None:
        colour = "getComputedStyle(document.body).backgroundColor"
        self.browser.open(SMALL)
        light = self.js(colour)
        self.browser.view(1280, 900, "dark")
        dark = self.js(colour)
        self.assertNotEqual(light, dark)
        self.js("document.querySelector('#theme button').click()")
        self.assertEqual(self.js(colour), light)

    def test_a_whole_study_stays_usable(self) -> None:
        begin = time.monotonic()
        self.browser.open(LARGE)
        loaded = time.monotonic() - begin
        self.assertEqual(self.js(STATUS), "51,200 runs")
        self.assertLess(self.js(ROWS), 100)
        filtered = self.js("""(() => {
          const begin = performance.now();
          const select = [...document.querySelectorAll('.filters label')].find((l) => l.firstChild.textContent === 'Scenario').querySelector('select');
          select.selectedIndex = 1;
          select.dispatchEvent(new Event('change'));
          return performance.now() - begin;
        })()""")
        sorted_in = self.js("""(() => {
          const begin = performance.now();
          document.querySelector('table.runs th button').click();
          return performance.now() - begin;
        })()""")
        begin = time.monotonic()
        self.open_reader("synthetic-1599")
        opened = time.monotonic() - begin
        size = (FOLDER / "large.html").stat().st_size / 1e6
        print(f"51,200 runs, 1,600 readers: {size:.1f} MB, loaded {loaded:.2f} s, filtered {filtered:.0f} ms, "
              f"sorted {sorted_in:.0f} ms, reader {opened * 1000:.0f} ms", file=sys.stderr)
        self.assertLess(loaded, 20)
        self.assertLess(filtered, 1500)
        self.assertLess(sorted_in, 1500)
        self.assertLess(opened, 5)


if __name__ == "__main__":
    unittest.main()
