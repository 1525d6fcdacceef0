"""What a runner, alive or dead, has on this machine: containers, runtime folder, mounts, processes. An owner is `pid-starttime`."""
import os
import pathlib
import subprocess
import time


def owner_of(pid):
    """None when there is no such process."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return f"{pid}-{fields[19]}" if fields[0] != "Z" else None


def runtime_folder(owner):
    if os.geteuid() == 0:
        return f"/run/pasb/{owner}"
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return f"{runtime}/pasb/{owner}" if runtime else f"/tmp/pasb-{os.geteuid()}/{owner}"


def podman(*arguments):
    return subprocess.run(["podman", *arguments], capture_output=True, text=True, check=False).stdout.split()


def containers(owner):
    return podman("ps", "--all", "--quiet", "--no-trunc", "--filter", f"label=pasb.owner={owner}")


def volumes():
    return set(podman("volume", "ls", "--quiet"))


def processes(*words):
    """Ids of processes whose command line holds one of the words; not this one."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if int(pid) != os.getpid() and any(word in command for word in words):
            found.append(int(pid))
    return found


def mounts(*words):
    lines = pathlib.Path("/proc/mounts").read_text().splitlines()
    return [line for line in lines if any(word in line for word in words)]


def cgroups(*ids):
    return [folder for folder, _, _ in os.walk("/sys/fs/cgroup") if any(container in folder for container in ids)]


def of_dead(owner, container_ids):
    """What is left of a dead runner, as lines for people. Processes apart: Podman's monitor of an exec stays up to 20 s after it."""
    left = [f"container {container[:12]}" for container in containers(owner)]
    if os.path.exists(runtime_folder(owner)):
        left.append(runtime_folder(owner))
    left += [f"mount {line.split()[1]}" for line in mounts(owner, *container_ids)]
    left += [f"cgroup {folder}" for folder in cgroups(*container_ids)]
    return left


def for_good(owner, container_ids, seconds=40):
    """The same with processes, once they had time to end."""
    end = time.monotonic() + seconds
    while (pids := processes(owner, *container_ids)) and time.monotonic() < end:
        time.sleep(0.5)
    return of_dead(owner, container_ids) + [f"process {pid} ({command_of(pid)})" for pid in pids]


def command_of(pid):
    try:
        return " ".join(pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0"))[:80]
    except OSError:
        return "gone"
