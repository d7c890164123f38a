#!/bin/sh
# The command `galley` of deb and rpm packages: a command of the command line, or else the app, with the files named.
app=$(dirname -- "$(readlink -f -- "$0")")/../../galley

# What comes first besides the data folder, as in electron/start/command-line.ts.
first=
is_folder=
for argument do
  if [ "$is_folder" ]; then
    is_folder=
    continue
  fi
  case $argument in
    --data) is_folder=yes ;;
    --data=*) ;;
    *)
      first=$argument
      break
      ;;
  esac
done

# For a command no page is ever opened. So it needs no display; nor a sandbox for pages, which neither root nor most
# containers can have.
run_command() {
  exec "$app" --no-sandbox --ozone-platform=headless --disable-gpu --command "$@"
}

case $first in
  serve | sign-in | import | export | key | user | tunnel | backup | restore | check | version | help) run_command "$@" ;;
  --help | -h | --version | -v) run_command "$@" ;;
  '' | [!abcdefghijklmnopqrstuvwxyz]* | *[!abcdefghijklmnopqrstuvwxyz-]*) ;;
  *) [ -e "$first" ] || run_command "$@" ;;
esac
exec "$app" "$@"
