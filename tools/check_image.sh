#!/bin/sh
# Builds the container image for real, without Docker, and tries it: make image-check. It takes root, buildah and
# debootstrap (Debian: apt install buildah debootstrap), and ten minutes.
#
# No base image is fetched: images of the same names are made from Debian's own packages, in which Python is a little
# older or newer. What pip is told on this machine (its settings, an index, certificates) is told to the build.
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/build/image
mirror=${MIRROR:-http://deb.debian.org/debian}
suite=${SUITE:-trixie}
python=$(sed -n 's/^ARG PYTHON=//p' deploy/Dockerfile)
image=localhost/punct:check
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs STORAGE_OPTS=''
buildah="buildah --root $folder/storage --runroot $folder/run"

# A name of the Dockerfile, and Debian's packages that stand for it.
make_base() {
    name=$1 packages=$2
    if $buildah inspect --type image "$name" >/dev/null 2>&1; then return; fi
    echo "Making $name of Debian $suite"
    rm -rf "$folder/root" && mkdir -p "$folder/root"
    debootstrap --variant=minbase --include="$packages" "$suite" "$folder/root" "$mirror" >"$folder/debootstrap.log"
    rm -rf "$folder"/root/var/cache/apt/archives/*.deb "$folder"/root/var/lib/apt/lists/* \
        "$folder"/root/usr/lib/python3*/EXTERNALLY-MANAGED
    ln -sf python3 "$folder/root/usr/bin/python"
    container=$($buildah from scratch)
    $buildah copy --quiet "$container" "$folder/root" / >/dev/null
    $buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $3 "$container"
    $buildah commit --quiet --rm "$container" "$name" >/dev/null
    rm -rf "$folder/root"
}

# The names as the Dockerfile has them, of the stages in order.
bases=$(sed -n "s/^FROM \([^ ]*\).*/\1/p" deploy/Dockerfile | sed "s/\${PYTHON}/$python/")
build_base=docker.io/library/$(echo "$bases" | sed -n 1p)
final_base=docker.io/library/$(echo "$bases" | sed -n 2p)
mkdir -p "$folder"
make_base "$final_base" python3,ca-certificates ""
make_base "$build_base" python3,python3-dev,python3-pip,python3-venv,build-essential,ca-certificates \
    "--env NODE_EXTRA_CA_CERTS=/certificates.crt --env PIP_CERT=/certificates.crt"

echo "Building the image"
pip_settings=$folder/pip.conf
python3 -m pip config list | sed -n "s/^[^.]*\.\.\{0,1\}\([a-z-]*\)='\(.*\)'$/\1 = \2/p" | sort -u -t= -k1,1 \
    | { echo "[global]"; cat; } >"$pip_settings"
cp "$(python3 -c 'import ssl; print(ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt")')" \
    "$folder/certificates.crt" # a copy: a build must not change this machine's own
sed -i 's#^cert = .*#cert = /certificates.crt#' "$pip_settings"
set -- --volume "$pip_settings:/etc/pip.conf:ro" --volume "$folder/certificates.crt:/certificates.crt:ro"
for path in $(grep -v cert "$pip_settings" | grep -o '/[a-z][^ :]*' | sed 's#/simple/*$##' | sort -u); do
    if [ -d "$path" ]; then set -- "$@" --volume "$path:$path:ro"; fi # packages that lie on this machine
done
if [ -f "$HOME/.npmrc" ]; then set -- "$@" --volume "$HOME/.npmrc:/root/.npmrc:ro"; fi
$buildah bud --pull-never --format docker --network host "$@" --build-arg VERSION=check --file deploy/Dockerfile \
    --tag "$image" . >"$folder/build.log" 2>&1 || { tail -n 30 "$folder/build.log"; exit 1; }

size() { $buildah images --format '{{.Size}}' "$1"; }
echo "The image: $(size "$image"), of which its base is $(size "$final_base")"
container=$($buildah from --pull-never "$image")
trap '$buildah rm "$container" >/dev/null' EXIT
$buildah inspect --format 'User {{.Docker.Config.User}}, labels {{.Docker.Config.Labels}}' "$container"

echo "Playing in it, as an orchestrator would have it: nothing writable but /data and /tmp, and no capabilities"
root=$($buildah mount "$container")
rm -rf "$folder/data" && install --directory --owner=10001 --group=10001 "$folder/data"
unshare --mount --pid --fork --kill-child sh -euc '
    mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
    mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/tmp" && mount --rbind /dev "$1/dev"
    mount --bind "$2" "$1/data"
    exec chroot "$1" setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --reuid=10001 --regid=10001 \
        --clear-groups env -i PATH=/opt/punct/bin:/usr/bin HOME=/data XDG_DATA_HOME=/data PYTHONDONTWRITEBYTECODE=1 \
        punct serve --no-open --host 127.0.0.1 --port 0
' sh "$root" "$folder/data" >"$folder/serve.log" 2>&1 &
server=$! # ended by SIGKILL alone, and all in it: unshare ignores SIGTERM while it waits
trap 'kill -KILL $server 2>/dev/null; wait $server 2>/dev/null; $buildah rm "$container" >/dev/null' EXIT
until grep -q "PÜNCT is at" "$folder/serve.log"; do
    kill -0 $server 2>/dev/null || { cat "$folder/serve.log"; exit 1; }
    sleep 1
done
address=$(sed -n 's/^PÜNCT is at //p' "$folder/serve.log")
python3 - "$address" <<'PROGRAM'
import json, sys, time, urllib.request

def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(sys.argv[1] + path, data, {"Content-Type": "application/json"})
    return urllib.request.urlopen(request, timeout=60).read()

assert b"<script" in ask(""), "the image lacks the page"
game = json.loads(ask("api/v1/games", {"seats": {"b": {"type": "engine", "level": 1}}, "record": "Ed5ne"}))
while json.loads(ask(f"api/v1/games/{game['id']}"))["ply"] < 2:
    time.sleep(0.1)
assert ask(f"api/v1/games/{game['id']}/picture.png").startswith(b"\x89PNG")
print("It serves the page, plays and draws")
PROGRAM
