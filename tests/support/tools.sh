# Installs what the tests need besides Rust; sourced by tests/run, which sets `root`.
#
# Everything goes to target/test-tools and to the TypeScript client's node_modules. A stamp made
# of the files that pin the versions says whether that was done already.

tools=$root/target/test-tools
python_client=$root/tests/clients/python
typescript_client=$root/tests/clients/typescript

# What the installed tools depend on, as one checksum.
tools_fingerprint() {
  cat "$python_client/requirements.txt" "$typescript_client/package-lock.json" | sha256sum | cut -d' ' -f1
  python3 --version
  uname -sm
}

install_tools() {
  local stamp=$tools/stamp
  if [ -d "$typescript_client/node_modules" ] && [ "$(tools_fingerprint)" = "$(cat "$stamp" 2>/dev/null)" ]; then
    return
  fi
  rm -rf "$tools" "$typescript_client/node_modules"
  mkdir -p "$tools"
  python3 -m venv "$tools/python"
  "$tools/python/bin/python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes --only-binary :all: --requirement "$python_client/requirements.txt"
  npm --prefix "$typescript_client" ci --no-audit --no-fund --ignore-scripts --loglevel=error
  tools_fingerprint >"$stamp"
}
