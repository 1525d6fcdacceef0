"""Fills HERMES_HOME as the first start of `hermes chat` would: folders, the default
persona, and the bundled skills with their manifest."""

from hermes_cli.config import ensure_hermes_home
from tools.skills_sync import sync_skills

ensure_hermes_home()
if not sync_skills(quiet=True)["copied"]:
    raise SystemExit("no bundled skills were found")
