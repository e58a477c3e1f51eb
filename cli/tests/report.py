"""A report in a browser: every link is clicked, every closed part opened, and nothing is loaded from elsewhere.

python cli/tests/report.py PAGE.html [SCREENSHOT.png]: drives chromedriver by its own protocol, and needs nothing else.
"""

import base64
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

OPTIONS = {
    "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"],
    "perfLoggingPrefs": {"enableNetwork": True},
}


class Browser:
    """A page in headless Chromium."""

    def __init__(self, page):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL)
        self.session = ""
        wanted = {"goog:chromeOptions": OPTIONS, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        for _ in range(50):
            try:
                self.session = self.ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
                break
            except OSError:
                time.sleep(0.2)
        self.ask("POST", "/url", {"url": page.resolve().as_uri()})

    def ask(self, method, path, body=None):
        url = f"http://127.0.0.1:{self.port}/session" + (f"/{self.session}" if self.session else "") + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"].splitlines()[0]) from error

    def run(self, script):
        return self.ask("POST", "/execute/sync", {"script": script, "args": []})

    def elements(self, selector):
        found = self.ask("POST", "/elements", {"using": "css selector", "value": selector})
        return [next(iter(element.values())) for element in found]

    def click(self, element):
        self.ask("POST", f"/element/{element}/click", {})

    def close(self):
        if self.session:
            self.ask("DELETE", "")
        self.driver.terminate()


def look(browser):
    links = browser.elements("nav a")
    assert len(links) >= 4, f"{len(links)} links"
    for link in links:
        browser.click(link)
        top = browser.run("return document.querySelector(location.hash).getBoundingClientRect().top")
        height = browser.run("return innerHeight")
        assert -1 <= top < height, f"the link leads {top} pixels away"
    for _ in browser.elements("details"):
        is_seen = "return document.querySelector('details table').checkVisibility()"
        assert not browser.run(is_seen)
        # The summary is scrolled to where somebody would look at it, not behind the links.
        browser.run("document.querySelector('details summary').scrollIntoView({block: 'center'})")
        browser.click(browser.elements("details summary")[0])
        assert browser.run(is_seen), "the fold does not open"
    pictures = browser.run("return [...document.querySelectorAll('figure svg')].map(svg => svg.getBoundingClientRect().width)")
    assert pictures and min(pictures) > 300, pictures
    assert browser.run("scrollTo(0, 1500); return document.querySelector('nav').getBoundingClientRect().top") == 0, "the links are gone"
    # The width of a telephone, and that of the screen again.
    for width in [500, 1200]:
        browser.ask("POST", "/window/rect", {"width": width, "height": 900})
        over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"the page is {over} pixels too wide for {width}"
    faults = [entry for entry in browser.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]
    assert not faults, faults
    events = (json.loads(entry["message"])["message"] for entry in browser.ask("POST", "/se/log", {"type": "performance"}))
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    elsewhere = [url for url in asked if not url.startswith(("file:", "data:"))]
    assert not elsewhere, elsewhere


def main():
    browser = Browser(Path(sys.argv[1]))
    try:
        look(browser)
        if len(sys.argv) > 2:
            browser.run("scrollTo(0, 0)")
            Path(sys.argv[2]).write_bytes(base64.b64decode(browser.ask("GET", "/screenshot")))
    finally:
        browser.close()


if __name__ == "__main__":
    main()
