# Starts and kills SeaweedFS as a throw-away S3 server; sourced by tests/run, which sets `tools`.
#
# It listens on free ports of the loopback interface, keeps its data in a temporary folder, and
# lets any credentials in. Buckets have to be created: a PUT without a signature does.

seaweedfs_pid=
seaweedfs_folder=
seaweedfs_grpc_ports=
seaweedfs_endpoint=

# Prints as many free loopback ports as asked for.
free_ports() {
  python3 - "$1" <<'PYTHON'
import socket, sys

sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(each.getsockname()[1] for each in sockets))
PYTHON
}

# Starts the server once; the environment is emptied, since it takes credentials from there.
launch_seaweedfs() {
  local master master_grpc volume volume_grpc filer filer_grpc s3 s3_grpc
  read -r master master_grpc volume volume_grpc filer filer_grpc s3 s3_grpc <<<"$(free_ports 8)"
  seaweedfs_grpc_ports="$master_grpc $volume_grpc $filer_grpc $s3_grpc"
  seaweedfs_endpoint=http://127.0.0.1:$s3
  seaweedfs_folder=$(mktemp -d)
  mkdir "$seaweedfs_folder/data"
  # Where the system can, the server is killed with this script even if no trap runs.
  local with_parent=()
  if command -v setpriv >/dev/null; then with_parent=(setpriv --pdeathsig KILL); fi
  env -i PATH="$PATH" HOME="$seaweedfs_folder" TMPDIR="$seaweedfs_folder" \
    "${with_parent[@]}" "$tools/python/bin/weed" -logtostderr server \
    -dir="$seaweedfs_folder/data" -ip=127.0.0.1 -ip.bind=127.0.0.1 \
    -master.port="$master" -master.port.grpc="$master_grpc" -master.telemetry=false \
    -master.volumeSizeLimitMB=64 -master.defaultReplication=000 \
    -volume.port="$volume" -volume.port.grpc="$volume_grpc" -volume.max=0 \
    -filer.port="$filer" -filer.port.grpc="$filer_grpc" -filer.localSocket="$seaweedfs_folder/filer.sock" \
    -s3 -s3.port="$s3" -s3.port.grpc="$s3_grpc" -s3.localSocket="$seaweedfs_folder/s3.sock" \
    -s3.port.iceberg=0 -s3.port.lance=0 \
    >"$seaweedfs_folder/log" 2>&1 </dev/null &
  seaweedfs_pid=$!
}

# Succeeds once a bucket and an object in it can be written; gives up when the server is gone.
seaweedfs_is_ready() {
  local bucket=$1 try
  for try in $(seq 240); do
    kill -0 "$seaweedfs_pid" 2>/dev/null || return 1
    if curl -s -o /dev/null -X PUT "$seaweedfs_endpoint/$bucket" &&
      curl -s -f -o /dev/null -X PUT --data ready "$seaweedfs_endpoint/$bucket/.ready"; then
      return 0
    fi
    sleep 0.25
  done
  return 1
}

# Starts SeaweedFS with a bucket of the given name; a port that was taken meanwhile is no failure.
start_seaweedfs() {
  local try
  for try in 1 2 3; do
    launch_seaweedfs
    if seaweedfs_is_ready "$1"; then return 0; fi
    echo "SeaweedFS did not get ready (try $try):" >&2
    tail -n 20 "$seaweedfs_folder/log" >&2
    kill_seaweedfs
  done
  return 1
}

# Kills it (it takes long to end by itself) and removes all that it left.
kill_seaweedfs() {
  if [ -n "$seaweedfs_pid" ]; then
    kill -KILL "$seaweedfs_pid" 2>/dev/null || true
    wait "$seaweedfs_pid" 2>/dev/null || true
    seaweedfs_pid=
  fi
  if [ -n "$seaweedfs_folder" ]; then
    rm -rf "$seaweedfs_folder"
    seaweedfs_folder=
  fi
  local port
  for port in $seaweedfs_grpc_ports; do
    rm -f /tmp/seaweedfs-*-grpc-"$port".sock
  done
  seaweedfs_grpc_ports=
}
