#!/bin/sh
# The command `galley` on macOS; the app itself tells commands from files.
file=$0
# Older systems' readlink follows no chain of links.
while [ -L "$file" ]; do
  link=$(readlink "$file")
  case $link in
    /*) file=$link ;;
    *) file=$(dirname "$file")/$link ;;
  esac
done
exec "$(cd "$(dirname "$file")/../.." && pwd -P)/MacOS/Galley" "$@"
