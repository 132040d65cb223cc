# Outlives the JVM by a moment and ends what it left: kills processes and deletes folders that are still watched when
# standard input ends, as it does however the JVM ends.
#
# Lines: "watch PID FOLDER" (PID is "-" while nothing runs there), "forget - FOLDER".

trap '' INT TERM HUP

watched=''

# Prints the watched without the folder $1.
without() {
  printf '%s\n' "$watched" | while read -r pid folder; do
    [ -z "$folder" ] || [ "$folder" = "$1" ] || printf '%s %s\n' "$pid" "$folder"
  done
}

while read -r verb pid folder; do
  watched=$(without "$folder")
  if [ "$verb" = watch ]; then
    watched=$(printf '%s\n%s %s' "$watched" "$pid" "$folder")
  fi
done

without '' | while read -r pid folder; do
  [ "$pid" = - ] || kill -9 "$pid"
  rm -rf -- "$folder"
done
