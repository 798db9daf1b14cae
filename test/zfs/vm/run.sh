#!/bin/bash
# run.sh FOLDER PROGRAM ARGUMENT…: starts the machine that build.sh made in FOLDER, runs PROGRAM in it as root, prints its output
# and exits with its code; 125 when the machine itself failed, 124 when it took longer than AH_ZFS_TIMEOUT seconds.
# In it: this machine's files as they are, read-only with a layer in memory; an empty pool `tank` at /tank; no network.
set -euo pipefail
vm=$(realpath "$1")
shift
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ah-zfs.XXXXXX")
emulator=
cleanup() {
  [ -z "$emulator" ] || kill "$emulator" 2>/dev/null || true
  rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# One partition: `zpool create` on a whole disk waits for udev, which is not there.
make_disk() {
  local sectors
  truncate -s 4G "$scratch/disk"
  sectors=$(($(stat -c %s "$scratch/disk") / 512 - 2048))
  printf "\\x00\\xff\\xff\\xff\\x83\\xff\\xff\\xff$(little_endian 2048)$(little_endian $sectors)" |
    dd of="$scratch/disk" bs=1 seek=446 conv=notrunc status=none
  printf '\x55\xaa' | dd of="$scratch/disk" bs=1 seek=510 conv=notrunc status=none
}
little_endian() { printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255)); }

make_disk
mkdir "$scratch/ctl"
printf '%q ' "$@" >"$scratch/ctl/command"
mkfifo "$scratch/out"
cat "$scratch/out" &
reader=$!

QEMU_MODULE_DIR=$vm/qemu/modules timeout -k 5 "${AH_ZFS_TIMEOUT:-1800}" \
  "$vm/qemu/lib/ld-linux-x86-64.so.2" --library-path "$vm/qemu/lib" "$vm/qemu/bin/qemu-system-x86_64" -L "$vm/qemu/share" \
  -accel tcg,thread=multi,tb-size=256 -cpu Nehalem -M q35 -smp 2 -m 2048 \
  -nodefaults -no-user-config -display none -no-reboot -serial "file:$scratch/console" \
  -kernel "$vm/vmlinux" -initrd "$vm/initramfs.cpio" \
  -append 'console=ttyS0 quiet panic=-1 mitigations=off nokaslr random.trust_cpu=on cryptomgr.notests tsc=reliable no_timer_check' \
  -device virtio-rng-pci \
  -drive "file=$scratch/disk,format=raw,if=none,id=disk,cache=unsafe,discard=unmap" -device virtio-blk-pci,drive=disk \
  -fsdev "local,id=ctl,path=$scratch/ctl,security_model=none" -device virtio-9p-pci,fsdev=ctl,mount_tag=ctl \
  -fsdev local,id=hostroot,path=/,security_model=none,readonly=on,multidevs=remap -device virtio-9p-pci,fsdev=hostroot,mount_tag=hostroot \
  -device virtio-serial-pci -chardev "file,id=out,path=$scratch/out" -device virtserialport,chardev=out,nr=1,name=out \
  </dev/null >"$scratch/emulator" 2>&1 &
emulator=$!
exit_code=0
wait "$emulator" || exit_code=$?
emulator=
# An emulator that never opened the pipe left its reader waiting for a writer: be one.
exec 9<>"$scratch/out"
exec 9>&-
wait "$reader" || true
status=125
[ "$exit_code" != 124 ] || status=124
[ ! -s "$scratch/ctl/status" ] || status=$(cat "$scratch/ctl/status")
if [ "$status" = 125 ]; then
  cat "$scratch/emulator" >&2
  tail -n 40 "$scratch/console" >&2 || true
fi
exit "$status"
