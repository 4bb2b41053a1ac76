/**
 * What the first process of an overlay slot runs: it mounts, then serves requests for fresh
 * layers beside the worker, which as an ordinary user's has no right to mount.
 *
 * Positional: tree, folder of the slot's layers, mount options, and the worker's command. All
 * layers are named relative to that folder, so that no path needs quoting in mount options: a
 * comma or colon in the tree's own path would. The shell stays process 1 and waits for the worker,
 * because whoever is process 1 has to reap what tests orphan; bash would be replaced by the worker
 * if that were the last command.
 */
export const OVERLAY_SCRIPT = `set -e
tree=$1 layers=$2 options=$3
shift 3
cd "$layers"
mkfifo requests answers
mount -n --bind "$tree" lower
mount -n -i -t overlay counterproof -o "\${options}lowerdir=empty:lower" "$tree"
mount -n -i -t overlay counterproof -o "\${options}volatile,lowerdir=lower,upperdir=u0,workdir=w0" "$tree"
lay() {
  mount -n -i -t overlay counterproof -o "$options$1" "$2" 2>trouble
}
serve() {
  while read -r number lowers upper work; do
    if
      if test -z "$upper"
      then
        umount -n -l below 2>trouble
        lay "lowerdir=$lowers" below
      else
        umount -n -l "$tree" 2>trouble &&
          lay "volatile,lowerdir=$lowers,upperdir=$upper,workdir=$work" "$tree"
      fi
    then echo "$number ok"
    else echo "$number $(tr '\\n' ' ' <trouble)"
    fi
  done
}
serve <requests >answers &
cd /
"$@"
exit
`;
