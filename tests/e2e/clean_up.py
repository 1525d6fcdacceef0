"""Ends the runners that the tests of one work folder started, and removes their containers and runtime folders. Nobody else's."""
import os
import pathlib
import shutil
import signal
import sys

import leftovers


def main():
    owners = pathlib.Path(sys.argv[1]) / "owners"
    for owner in owners.read_text().split() if owners.exists() else []:
        pid = int(owner.partition("-")[0])
        if leftovers.owner_of(pid) == owner:
            os.kill(pid, signal.SIGKILL)
        for pid in leftovers.processes(owner):
            os.kill(pid, signal.SIGKILL)
        for container in leftovers.containers(owner):
            leftovers.podman("rm", "--force", "--volumes", container)
        shutil.rmtree(leftovers.runtime_folder(owner), ignore_errors=True)


if __name__ == "__main__":
    main()
