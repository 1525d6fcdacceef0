# Sourced by lock and stage: how wheels for the image's Python are fetched,
# whatever the Python and pip of the host are.
# shellcheck shell=bash

# pip knows no ordering between these, so that each one has to be named.
target=(--python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none)
for tag in manylinux_2_28 manylinux_2_17 manylinux2014 manylinux_2_12 manylinux2010 \
    manylinux_2_5 manylinux1; do
  target+=(--platform "${tag}_x86_64")
done

download_wheels() { # FOLDER PIP-ARGUMENT...
  python3 -m pip download --quiet --disable-pip-version-check --only-binary :all: \
    "${target[@]}" --dest "$@"
}

# Fetches the source archive. pip runs the build backend to read its metadata, so the
# locked setuptools stands in BACKEND and nothing else is fetched.
download_source() { # FOLDER BACKEND PIP-ARGUMENT...
  PYTHONPATH=$2 python3 -m pip download --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --ignore-requires-python --no-binary hermes-agent --dest "$1" "${@:3}"
}
