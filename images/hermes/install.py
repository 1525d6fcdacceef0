"""Unpacks the wheels in WHEELS as a virtual environment below STAGE/opt/hermes.

Not an installer: it leaves out what would differ between hosts or is of no use in the
image (start scripts with an interpreter's path, lists of installed files). Run by the
base image's Python, whose byte code it writes.
"""

import compileall
import os
import pathlib
import py_compile
import shutil
import stat
import sys
import zipfile

STAGE = pathlib.Path(os.environ["STAGE"])
PREFIX = STAGE / "opt/hermes"
PACKAGES = PREFIX / "lib/python3.11/site-packages"
SCHEMES = {"purelib": PACKAGES, "platlib": PACKAGES, "data": PREFIX}
LEFT_OUT = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


def destination(name):
    """Where a wheel's member goes, or None for what is left out."""
    top, _, rest = name.partition("/")
    if top.endswith(".dist-info") and rest in LEFT_OUT:
        return None
    if not top.endswith(".data"):
        return PACKAGES / name
    scheme, _, rest = rest.partition("/")
    return SCHEMES[scheme] / rest if scheme in SCHEMES else None


def unpack(wheel):
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            target = destination(member.filename)
            if member.is_dir() or target is None:
                continue
            if target.exists():
                sys.exit(f"{wheel.name}: {member.filename} is in another wheel too")
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, open(target, "xb") as out:
                shutil.copyfileobj(source, out)
            executable = (member.external_attr >> 16) & stat.S_IXUSR
            target.chmod(0o755 if executable else 0o644)


for wheel in sorted(pathlib.Path(os.environ["WHEELS"]).glob("*.whl")):
    unpack(wheel)

(PREFIX / "bin").mkdir()
(PREFIX / "bin/python").symlink_to("/usr/bin/python3.11")
(PREFIX / "pyvenv.cfg").write_text(
    "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11\n")

# Byte code that is never compared with its source's time, for the layer's times are set
# later. In one process and one order, because what the compiler interns shows in its output.
compileall.compile_dir(
    PREFIX / "lib", maxlevels=64, quiet=2, workers=1, stripdir=str(STAGE), prependdir="/",
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
