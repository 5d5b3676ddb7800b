#!/usr/bin/env python3
"""Looks at the page of `crash report --format html` with a real browser.

usage: browser.py [--crashes N] [--screenshots DIR]      (build first: make)

A document of N crashes (default: 10,000) with hostile texts among them becomes a page, which headless Chromium
opens from its file. Checked are: the time until the page can be used (2 s are allowed), that nothing is written to the
console, that no text of the document became markup, searching, filters, keys, the overview, a crash, the test's copy
button, and that nothing is wider than a narrow window. --screenshots keeps what it looks like: wide, narrow, dark, printed.
Debian's chromium and chromium-driver are installed, as root. Exit status 1 if something is not as it should be.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

root = pathlib.Path(__file__).resolve().parent.parent
HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "]]>&lt;\"'`", "\u202e\u0000\x1b[31m", "a" * 3000]


class Browser:
    """A session with ChromeDriver, by the WebDriver protocol."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=9517"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = "http://127.0.0.1:9517"
        for _ in range(100):
            try:
                self.call("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900"]}
        value = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/session/" + value["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        req = urllib.request.Request(self.base + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(req, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as err:
            raise RuntimeError(json.load(err)["value"]["message"]) from None

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def js(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def wait(self, script, seconds=5):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.js(script):
                return True
            time.sleep(0.02)
        return False

    def keys(self, text):
        actions = [a for k in text for a in ({"type": "keyDown", "value": k}, {"type": "keyUp", "value": k})]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def cdp(self, cmd, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": cmd, "params": params})

    def size(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, file):
        file.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def console(self):
        return [e["message"] for e in self.call("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def document(n):
    """A crashes document with the crashes of examples/parcel again and again, and hostile texts among them."""
    with tempfile.TemporaryDirectory(prefix="dsd-browser-") as out:
        parcel = root / "examples/parcel"
        run = lambda *cmd: subprocess.run([str(c) for c in cmd], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run(root / "bin/infer", "trace", "-C", parcel, "-o", out + "/t.gz", "./...")
        run(root / "bin/infer", "invariants", "-o", out + "/i.json", out + "/t.gz")
        run(root / "bin/check", "-C", parcel, "--assume", out + "/i.json", "-o", out + "/w.json", "./...")
        run(root / "bin/crash", "confirm", "-C", parcel, "--assume", out + "/i.json", "-o", out + "/c.json", out + "/w.json")
        doc = json.load(open(out + "/c.json"))
    real = doc["crashes"]
    ranks = ["likely-bug", "look", "contract", "unreachable"]
    doc["crashes"] = []
    for i in range(n):
        c = json.loads(json.dumps(real[i % len(real)]))
        c["id"], c["fingerprint"] = f"C{i + 1}", f"{i:016x}"
        if i >= len(real):
            c["rank"] = ranks[i % 4]
            c["func"] = c["func"].replace("example.com/parcel", f"example.com/parcel/p{i % 40}")
            if i % 50 == 7:
                text = HOSTILE[i // 50 % len(HOSTILE)]
                c["message"] = c["inputs"] = c["test"]["source"] = text
                c["signs"] = [{"name": "x", "weight": 1, "text": text}]
        doc["crashes"].append(c)
    return doc


def invariants(scratch):
    """Makes the page of invariants and usage models of examples/parcel; returns its address."""
    parcel, page = root / "examples/parcel", scratch / "invariants.html"
    for args in (["trace", "-C", parcel, "-o", scratch / "t.gz", "./..."], ["invariants", "-o", scratch / "i.json", scratch / "t.gz"],
                 ["models", "-C", parcel, "-o", scratch / "m.json", "./..."],
                 ["show", "--format", "html", "--models", scratch / "m.json", "-o", page, scratch / "i.json"]):
        subprocess.run([root / "bin/infer"] + args, check=True)
    return page.as_uri()


def look_at_invariants(b, url, check, screenshots):
    b.open(url)
    check("models are drawn", b.wait("return document.querySelectorAll('svg .node').length > 10"))
    b.js("document.querySelectorAll('details').forEach((e, i) => { e.open = i < 3 })")
    if screenshots:
        b.screenshot(screenshots / "invariants.png")
    all = b.js("return document.querySelectorAll('details:not([hidden])').length")
    b.keys("/")
    b.keys("Depot).Next")
    check("searching leaves some functions", b.wait(f"const n = document.querySelectorAll('details:not([hidden])').length; "
                                                    f"return n > 0 && n < {all}"))
    b.size(390, 844)
    check("invariants: nothing is wider than a narrow window", b.js("return document.documentElement.scrollWidth") <= 390)
    b.cdp("Emulation.clearDeviceMetricsOverride")
    said = b.console()
    check(f"invariants: nothing is written to the console: {said[:3]}", not said)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--crashes", type=int, default=10000)
    ap.add_argument("--screenshots", type=pathlib.Path)
    a = ap.parse_args()
    if not shutil.which("chromedriver"):
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "chromium", "chromium-driver"], check=True,
                       stdout=subprocess.DEVNULL)
    bad = []

    def check(what, ok):
        if not ok:
            bad.append(what)
            print("not as it should be:", what)

    with tempfile.TemporaryDirectory(prefix="dsd-browser-") as scratch:
        scratch = pathlib.Path(scratch)
        doc = document(a.crashes)
        (scratch / "c.json").write_text(json.dumps(doc))
        page = scratch / "page.html"
        with open(page, "w") as out:
            p = subprocess.run([root / "bin/crash", "report", "-C", root / "examples/parcel", "--format", "html", scratch / "c.json"],
                               stdout=out)
        check("crash report's status", p.returncode == 1)
        print(f"{a.crashes} crashes: {page.stat().st_size / 1e6:.1f} MB")
        b = Browser()
        try:
            look(b, page.as_uri(), doc, check, a.screenshots)
            look_at_invariants(b, invariants(scratch), check, a.screenshots)
        finally:
            b.close()
    return 1 if bad else 0


def look(b, url, doc, check, screenshots):
    n = len(doc["crashes"])

    def shot(name):
        if screenshots:
            screenshots.mkdir(exist_ok=True)
            b.screenshot(screenshots / f"{name}.png")

    times = []
    for _ in range(5):
        b.open("about:blank")
        b.open(url)
        check("the page shows rows", b.wait("return document.querySelectorAll('#rows li').length > 2"))
        times.append(b.js("const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime"))
    print(f"usable after {sorted(times)[2]:.0f} ms (median of 5)")
    check("usable within 2 s", sorted(times)[2] < 2000)
    check("few rows are drawn", b.js("return document.querySelectorAll('#rows li').length") < 80)
    shot("overview")
    start = time.monotonic()
    b.js("document.getElementById('list').scrollTop = 1e9")
    check("the last row is drawn", b.wait(f"return [...document.querySelectorAll('#rows li')].some(e => "
                                          f"e.getAttribute('aria-posinset') === '{n}')"))
    check("scrolling to the end within 300 ms", time.monotonic() - start < 0.3)
    # Texts stay texts.
    check("no markup from the document", b.js("return document.querySelectorAll('img, #rows script, #detail script').length") == 0)
    for i, c in enumerate(doc["crashes"]):
        if i % 50 == 7 and i < 300:
            b.js("location.hash = arguments[0]", c["id"])
            check(f"{c['id']} is shown", b.wait("return document.querySelector('#detail h2').textContent.includes(' in ')"))
            check("no markup from a crash", b.js("return document.querySelectorAll('#detail img, #detail script').length") == 0)
    # Searching and filters.
    b.js("location.hash = ''")
    b.js("document.activeElement.blur()")
    b.keys("/")
    check("/ goes to the search", b.js("return document.activeElement.id") == "search")
    start = time.monotonic()
    b.keys(doc["crashes"][n // 2]["fingerprint"])
    check("one crash is found", b.wait("return document.querySelectorAll('#rows li').length === 1"))
    check("found within 500 ms", time.monotonic() - start < 0.5)
    b.keys("\ue00c")  # Escape
    b.js("const s = document.getElementById('search'); s.value = ''; s.oninput({target: s})")
    check("all are back", b.wait(f"return document.getElementById('summary').textContent.startsWith('{n} ')"))
    b.js("document.querySelector('#ranks button').click()")
    check("a rank is hidden", b.wait("return !document.querySelector('#rows .likely-bug')"))
    b.js("document.querySelector('#ranks button').click()")
    # Keys.
    b.keys("j")
    check("j opens the first", b.wait("return location.hash === '#' + document.querySelector('#rows li').textContent.match(/C\\d+/)[0]"))
    first = b.js("return location.hash")
    b.keys("j")
    check("j opens the next", b.wait(f"return location.hash !== '{first}'"))
    b.keys("k")
    check("k goes back", b.wait(f"return location.hash === '{first}'"))
    check("a crash has marked source", b.js("return document.querySelectorAll('#detail .mark').length") > 0)
    shot("crash")
    b.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    b.js("[...document.querySelectorAll('#detail .titled button')].at(-1).click()")
    check("the test is copied", b.wait("return [...document.querySelectorAll('#detail .titled button')].at(-1).textContent === 'Copied'"))
    # Dark, narrow, printed.
    b.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    check("dark", b.js("return getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)")
    shot("dark")
    b.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
    b.size(390, 844)
    check("nothing is wider than a narrow window", b.js("return document.documentElement.scrollWidth") <= 390)
    shot("narrow-crash")
    b.js("document.getElementById('back').click()")
    check("narrow: the list is back", b.wait("return getComputedStyle(document.getElementById('list')).display !== 'none'"))
    shot("narrow")
    b.js(f"location.hash = '{first}'")
    b.cdp("Emulation.clearDeviceMetricsOverride")
    printed = base64.b64decode(b.cdp("Page.printToPDF", printBackground=True)["data"])
    check("it can be printed", printed.startswith(b"%PDF") and len(printed) > 5000)
    if screenshots:
        (screenshots / "crash.pdf").write_bytes(printed)
    said = b.console()
    check(f"nothing is written to the console: {said[:3]}", not said)


if __name__ == "__main__":
    sys.exit(main())
