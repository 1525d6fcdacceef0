"""A headless Chromium driven over the DevTools protocol's pipe. Only what the page's tests need; no third-party code."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from typing import Any

Event = dict[str, Any]

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")


class Browser:
    """One browser process with one page. A context manager: the process and its profile end with it."""

    def __init__(self) -> None:
        program = next((path for path in map(shutil.which, NAMES) if path), None)
        if program is None:
            raise SystemExit("no Chromium: install one of " + ", ".join(NAMES))
        self.profile = tempfile.mkdtemp(prefix="page-test-")
        to_read, self.to = os.pipe()
        self.answers, from_write = os.pipe()
        # The protocol's pipes are the browser's descriptors 3 and 4, which only a shell can give them safely.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{from_write}', "browser", program, "--headless", "--no-sandbox",
             "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars", f"--user-data-dir={self.profile}",
             "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.numbers = itertools.count(1)
        self.events: list[Event] = []
        self.session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self) -> Event:
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise RuntimeError("the browser has gone")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method: str, **params: Any) -> Any:
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, expression: str) -> Any:
        """The value of a script expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise AssertionError("did not become true: " + expression)
            time.sleep(0.05)

    def view(self, width: int, height: int, scheme: str = "light") -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, url: str, script: bool = True) -> None:
        self.events.clear()
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        if script:
            self.wait("document.querySelector('html[data-ready]')")
        else:
            time.sleep(1)

    def key(self, key: str) -> None:
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39}
        press = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", **press, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **press)

    def picture(self, path: str, whole: bool = False) -> None:
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole,
                         **({"clip": self.whole_page()} if whole else {}))
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def whole_page(self) -> dict[str, float]:
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

