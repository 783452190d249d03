# Installs what the tests need besides Rust; sourced by tests/run, which sets `root`.
#
# Everything goes to target/test-tools and to the node_modules of the TypeScript client and of the
# conformance suite. A stamp made of the files that pin the versions says whether that was done already.

tools=$root/target/test-tools
python_client=$root/tests/clients/python
# Checks the template of the deployment; in an environment of its own, for it pins much.
sam_requirements=$root/infra/test/requirements.txt
# The folders with a package-lock.json.
npm_folders=("$root/tests/clients/typescript" "$root/tests/conformance")

# What the installed tools depend on, as one checksum.
tools_fingerprint() {
  cat "$python_client/requirements.txt" "$sam_requirements" "${npm_folders[@]/%//package-lock.json}" | sha256sum | cut -d' ' -f1
  python3 --version
  uname -sm
}

# Debian's Chromium, where it can be had without asking. Without it, one test is left out.
install_browser() {
  [ -x /usr/bin/chromium ] && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing chromium"
    apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null || true
  fi
  [ -x /usr/bin/chromium ] || echo "There is no /usr/bin/chromium: the test of a web page will be left out."
}

tools_are_installed() {
  local folder
  for folder in "${npm_folders[@]}"; do
    [ -d "$folder/node_modules" ] || return 1
  done
  [ "$(tools_fingerprint)" = "$(cat "$tools/stamp" 2>/dev/null)" ]
}

# An environment with exactly what a file of requirements names, which is everything.
install_python() {
  python3 -m venv "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes --no-deps --only-binary :all: --requirement "$2"
}

install_tools() {
  local folder
  install_browser
  if tools_are_installed; then return; fi
  rm -rf "$tools" "${npm_folders[@]/%//node_modules}"
  mkdir -p "$tools"
  install_python "$tools/python" "$python_client/requirements.txt"
  install_python "$tools/sam" "$sam_requirements"
  for folder in "${npm_folders[@]}"; do
    npm --prefix "$folder" ci --no-audit --no-fund --ignore-scripts --loglevel=error
  done
  tools_fingerprint >"$tools/stamp"
}
