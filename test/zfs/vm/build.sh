#!/bin/bash
# build.sh FOLDER: makes a small virtual machine with real ZFS out of Debian 12's own packages.
# Nothing is installed on this machine: packages are fetched with an apt state of our own and unpacked into FOLDER/work,
# which may be deleted afterwards. What is needed to run it ends up in FOLDER: vmlinux, initramfs.cpio, qemu/, VERSION.
# Needs apt-get, dpkg, gcc-12, make, perl, cpio, xz and strip; no root. Takes about 10 minutes, most of it the ZFS module.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "$1")
work=$out/work
unpacked=$work/unpacked
triplet=x86_64-linux-gnu
mkdir -p "$work"
trap 'echo "build.sh: failed at line $LINENO; the logs are in $work" >&2' ERR

say() { echo "[${SECONDS}s] $*"; }

# Runs a command with its output in a log, and shows the end of the log when it fails.
logged() {
  local log=$work/$1.log
  shift
  "$@" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; return 1; }
}

use_own_apt_state() {
  local apt=$work/apt file
  mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,sources}
  # The machine's own sources, with `contrib` added: that is where ZFS is.
  for file in /etc/apt/sources.list.d/*.sources; do
    grep -q '^Suites:.*bookworm' "$file" || continue
    sed -E 's/^Components:.*/Components: main contrib/' "$file" >"$apt/sources/${file##*/}"
  done
  [ -n "$(ls "$apt/sources")" ] || { echo 'No Debian 12 (bookworm) package source in /etc/apt/sources.list.d.' >&2; return 1; }
  apt_options=(
    -o "Dir::State=$apt/state" -o Dir::State::status=/var/lib/dpkg/status -o "Dir::Cache=$apt/cache"
    -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/sources" -o "APT::Sandbox::User=$(id -un)"
    -o Acquire::Languages=none -o Debug::NoLocking=1 -o Acquire::Retries=3
  )
  logged apt apt-get "${apt_options[@]}" -q update
}

# The packages that installing these would bring along.
with_dependencies() {
  apt-get "${apt_options[@]}" install -s --no-install-recommends "$@" | awk '/^Inst/ { print $2 }'
}

fetch_packages() {
  kernel=$(apt-cache "${apt_options[@]}" depends linux-headers-amd64 | sed -n 's/.*Depends: linux-headers-//p' | head -n 1)
  local libraries emulator
  libraries=$(with_dependencies zfsutils-linux | grep -E '^lib(zfs[0-9]|nvpair|uutil).*linux$')
  emulator=$(with_dependencies qemu-system-x86)
  mkdir -p "$work/packages"
  cd "$work/packages"
  # shellcheck disable=SC2086 # lists of names
  logged apt apt-get "${apt_options[@]}" -q download $emulator qemu-system-x86 qemu-system-data seabios \
    "linux-image-$kernel" "linux-headers-$kernel" "linux-headers-${kernel%-amd64}-common" linux-kbuild-6.1 linux-compiler-gcc-12-x86 \
    zfs-dkms zfsutils-linux $libraries busybox-static libtirpc3 libtirpc-common
}

unpack_packages() {
  local file part
  rm -rf "$unpacked"
  mkdir -p "$unpacked"/{kernel,module,tools,busybox,emulator}
  for file in "$work"/packages/*.deb; do
    case ${file##*/} in
      linux-*) part=kernel ;;
      zfs-dkms*) part=module ;;
      zfsutils* | libzfs* | libnvpair* | libuutil* | libtirpc*) part=tools ;;
      busybox*) part=busybox ;;
      *) part=emulator ;;
    esac
    dpkg -x "$file" "$unpacked/$part"
  done
}

# qemu with the libraries it needs, so that none has to be installed.
collect_emulator() {
  local from=$unpacked/emulator libraries
  libraries=$from/usr/lib/$triplet:$from/lib/$triplet
  rm -rf "$out/qemu"
  mkdir -p "$out"/qemu/{bin,lib,modules,share}
  cp "$from/usr/bin/qemu-system-x86_64" "$out/qemu/bin/"
  cp "$from/usr/lib/$triplet/qemu/accel-tcg-x86_64.so" "$out/qemu/modules/"
  LD_LIBRARY_PATH=$libraries ldd "$out"/qemu/bin/* "$out"/qemu/modules/* | awk '$3 ~ /^\// { print $3 }' | sort -u |
    xargs -I{} cp -L {} "$out/qemu/lib/"
  cp -L /lib64/ld-linux-x86-64.so.2 "$out/qemu/lib/"
  cp -L "$from"/usr/share/seabios/bios-256k.bin "$from"/usr/share/qemu/{linuxboot_dma,kvmvapic}.bin "$out/qemu/share/"
  cp -L "$from"/usr/share/qemu/pvh.bin "$out/qemu/share/" 2>/dev/null || cp -L "$from"/usr/share/*/pvh.bin "$out/qemu/share/"
}

# The plain kernel: an emulated processor would take seconds to unpack the compressed one at each start.
extract_kernel() {
  local packed=$unpacked/kernel/boot/vmlinuz-$kernel offset
  offset=$({ LC_ALL=C grep -obUaP '\xFD7zXZ\x00' "$packed" || true; } | cut -d: -f1 | sed -n 1p)
  # What follows the stream makes xz complain; the check below is the one that counts.
  { tail -c "+$((offset + 1))" "$packed" || true; } | { xz -dc --single-stream 2>/dev/null || true; } >"$work/vmlinux"
  [ "$(head -c 4 "$work/vmlinux" | tail -c 3)" = ELF ]
  strip -o "$out/vmlinux" "$work/vmlinux"
}

build_module() {
  local headers=$unpacked/kernel/usr/src/linux-headers
  zfs_version=$(basename "$unpacked"/module/usr/src/zfs-*)
  source=$work/$zfs_version-$kernel
  sed -i "s,include /usr/src/,include $unpacked/kernel/usr/src/," "$headers-$kernel/Makefile"
  [ -e "$source/.built" ] && return
  rm -rf "$source"
  cp -a "$unpacked/module/usr/src/$zfs_version" "$source"
  cd "$source"
  logged configure ./configure --with-config=kernel "--with-linux=$headers-${kernel%-amd64}-common" "--with-linux-obj=$headers-$kernel"
  say 'the ZFS module is configured; compiling it'
  logged make make -j"$(nproc)"
  touch .built
}

declare -A added=()
# Copies a kernel module after the ones it depends on, and notes the order.
add_module() {
  local dashed=${1//_/-} file dependency
  [ -n "${added[$dashed]:-}" ] && return
  added[$dashed]=1
  file=$(find "$source/module" "$unpacked/kernel/lib/modules/$kernel/kernel" -name "$dashed.ko" -o -name "${dashed//-/_}.ko" | sed -n 1p)
  [ -n "$file" ] || { say "no module $1: built into the kernel"; return 0; }
  for dependency in $(tr '\0' '\n' <"$file" | sed -n 's/^depends=//p' | tr , ' '); do add_module "$dependency"; done
  cp "$file" "$root/lib/modules/"
  case $file in "$source"/*) strip -g "$root/lib/modules/${file##*/}" ;; esac
  echo "${file##*/}" >>"$root/lib/modules/order"
}

make_initramfs() {
  root=$work/initramfs
  local tools=$unpacked/tools name module
  rm -rf "$root"
  mkdir -p "$root"/{bin,lib/modules,proc,sys,dev,ctl,zfs/sbin,zfs/lib}
  for module in virtio_pci virtio_blk virtio_console virtio-rng 9pnet_virtio 9p overlay zfs; do add_module "$module"; done
  cp "$unpacked/busybox/bin/busybox" "$root/bin/busybox"
  for name in zfs zpool mount.zfs; do cp "$(find "$tools" -type f -path "*/sbin/$name")" "$root/zfs/sbin/"; done
  # The machine's own libraries are there in the guest; only what ZFS brings along has to be copied.
  LD_LIBRARY_PATH=$tools/lib/$triplet:$tools/usr/lib/$triplet ldd "$root"/zfs/sbin/* | awk '$3 ~ /^\// { print $3 }' | sort -u |
    xargs -I{} cp -L {} "$root/zfs/lib/"
  install -m 755 "$here/guest/init" "$here/guest/stage2" "$root/"
  (cd "$root" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >"$out/initramfs.cpio"
}

say 'asking for the packages'
use_own_apt_state
fetch_packages
say "unpacking, kernel $kernel"
unpack_packages
collect_emulator
extract_kernel
build_module
say 'packing the guest'
make_initramfs
echo "$kernel $zfs_version" >"$out/VERSION"
say 'done'
