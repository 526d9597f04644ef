#!/usr/bin/env bash
# Makes the packages of a build (cpack), installs the program's .deb in a bare Debian and plans there;
# resolves the dependencies of libtidewise-dev, and links against the tarball.
#   scripts/check_package.sh [BUILD]      BUILD: build/cpu if not given
# The bare Debian (debootstrap; root) is kept in build/bare. Without root the .deb is unpacked here instead,
# with a message. Needs 'scripts/install_dependencies.sh --package'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh
source=$PWD build=$(realpath "${1:-build/cpu}") bare=$PWD/build/bare
scratch=$(mktemp -d)
mounted=()
finish() {
  for place in "${mounted[@]}"; do umount "$place"; done
  rm -rf --one-file-system "$scratch"
}
trap finish EXIT


step "cpack"
cmake --build "$build" --target tidewise tidewise_command_files >/dev/null
rm -rf "$build/packages"
(cd "$build" && cpack) >"$scratch/cpack" 2>&1 || fail "cpack fails: $(tail -n 3 "$scratch/cpack")"
if grep -qi warning "$scratch/cpack"; then fail "cpack warns: $(grep -i -A 2 warning "$scratch/cpack")"; fi
program=$(echo "$build"/packages/tidewise_*.deb)
development=$(echo "$build"/packages/libtidewise-dev_*.deb)
tarball=$(echo "$build"/packages/tidewise-*.tar.gz)
version=$("$build/app/tidewise" --version)
for file in "$program" "$development"; do
  [[ $(dpkg-deb --field "$file" Version) == "$version" ]] || fail "$file is not of version $version"
done
contents=$(dpkg-deb --fsys-tarfile "$program" | tar t)
for file in bin/tidewise share/man/man1/tidewise.1 share/bash-completion/completions/tidewise share/doc/tidewise/LICENSE; do
  grep -qx "./usr/$file" <<<"$contents" || fail "$program has no usr/$file"
done
if grep -E '\.(a|h|cmake)$' <<<"$contents"; then fail "the program's package contains developers' files"; fi

# Commands for the installed program; their output must equal that of the build.
cat >"$scratch/try.sh" <<'END'
set -euo pipefail
cd "$1"
tidewise=$2
"$tidewise" --version
"$tidewise" -q env double-gyre --out gyre.h5 --nx 50 --ny 50 --nt 60 --modes 2 --realizations 50
printf '[environment]\nfile = "gyre.h5"\n[vehicle]\nspeeds = [1.0]\n[mission]\n' >first.toml
printf 'start = [25.5, 10.5]\ntarget = [25.5, 40.5]\ntarget_radius = 2.0\n' >>first.toml
"$tidewise" -q plan first.toml --backend cpu | grep -E '^(Heading|Arrival)'
if [[ -e forecast.nc ]]; then # asks PROJ for its database
  "$tidewise" -q env import forecast.nc --out forecast.h5 --spacing 12km --lagged 1
  "$tidewise" env info forecast.h5 | grep -E '^(grid|modes|mean flow)'
fi
"$tidewise" -q research mdp gridworld --out world.h5 --nx 20 >mdp.log
"$tidewise" -q research solve world.h5 --out solution.txt >solve.log
cksum <solution.txt
END
forecast=$source/../shared/data/rtofs_washington_2024.nc
# try_in ROOT PROGRAM [COMMAND…]: copies try.sh and its inputs into a folder under ROOT, and runs COMMAND.
try_in() {
  local root=$1 tidewise=$2
  shift 2
  mkdir -p "$root/tmp/try"
  cp "$scratch/try.sh" "$root/tmp/try.sh"
  if [[ -e $forecast ]]; then cp "$forecast" "$root/tmp/try/forecast.nc"; fi
  "$@"
}
mkdir "$scratch/here"
try_in "$scratch/here" "$build/app/tidewise" \
  bash "$scratch/here/tmp/try.sh" "$scratch/here/tmp/try" "$build/app/tidewise" >"$scratch/expected"
grep -q '^Arrival' "$scratch/expected" || fail "the build's own program does not plan"

if ((EUID == 0)) && command -v debootstrap >/dev/null && command -v apt-get >/dev/null; then
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  if [[ ! -e $bare/complete ]]; then
    step "a bare $codename (kept in build/bare)"
    rm -rf --one-file-system "$bare"
    # Uses the package source of this machine.
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Codename: $codename" |
      sed -n 1p)
    debootstrap --variant=minbase "$codename" "$bare" ${mirror:+"$mirror"} >"$scratch/debootstrap" 2>&1 ||
      fail "debootstrap fails: $(tail -n 3 "$scratch/debootstrap")"
    chroot "$bare" apt-get -q update >/dev/null
    touch "$bare/complete"
  fi
  step "the .deb in it, with its dependencies"
  root=$scratch/root
  cp -a "$bare" "$root"
  if mount -t proc proc "$root/proc" 2>/dev/null; then mounted+=("$root/proc"); fi
  cp "$program" "$development" "$root/tmp"
  inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
  ! inside which tidewise >/dev/null || fail "the bare system is not bare"
  # Apt keeps the downloaded packages, so that the next installation needs no network.
  inside apt-get -q --yes --no-install-recommends -o APT::Keep-Downloaded-Packages=true \
    -o DPkg::Post-Invoke::= install "/tmp/$(basename "$program")" \
    >"$scratch/apt" 2>&1 || fail "the .deb cannot be installed: $(tail -n 5 "$scratch/apt")"
  cp --update --no-clobber "$root"/var/cache/apt/archives/*.deb "$bare/var/cache/apt/archives/" 2>/dev/null || true
  try_in "$root" /usr/bin/tidewise inside bash /tmp/try.sh /tmp/try tidewise >"$scratch/found" ||
    fail "the installed program fails"
  step "libtidewise-dev: all of its dependencies exist"
  inside apt-get -q --simulate --no-install-recommends install \
    "/tmp/$(basename "$development")" >"$scratch/apt" 2>&1 ||
    fail "libtidewise-dev cannot be installed: $(tail -n 5 "$scratch/apt")"
  inside dpkg --purge tidewise >/dev/null
  ! inside which tidewise >/dev/null || fail "the program remains after its package was removed"
else
  step "no root or no debootstrap: the .deb is unpacked on this system, which has its libraries anyway"
  dpkg-deb --extract "$program" "$scratch/root"
  if ldd "$scratch/root/usr/bin/tidewise" | grep 'not found'; then fail "libraries are missing"; fi
  try_in "$scratch/root" "$scratch/root/usr/bin/tidewise" \
    bash "$scratch/root/tmp/try.sh" "$scratch/root/tmp/try" "$scratch/root/usr/bin/tidewise" >"$scratch/found"
fi
diff "$scratch/expected" "$scratch/found" || fail "the installed program's output differs from the build's"

step "the tarball: unpacked in another folder, and linked"
mkdir "$scratch/tar"
tar --extract --file "$tarball" --directory "$scratch/tar"
folder=$(echo "$scratch"/tar/*)
[[ -d $folder ]] || fail "the tarball has not one folder at its top"
[[ $("$folder/bin/tidewise" --version) == "$version" ]] || fail "the tarball's program does not print $version"
cmake -S examples/library -B "$scratch/example" -D CMAKE_PREFIX_PATH="$folder" -D CMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$scratch/example" --target solve >/dev/null
"$scratch/example/solve" | grep -q "cell 0: go right, 5.0000 tries" || fail "the program linked with the tarball gives a wrong result"
cat "$scratch/found"
echo "packed, installed bare, linked: $version"
