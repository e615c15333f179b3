# shellcheck shell=bash
# How the demo speaks: steps with their seconds, and a live view of a cluster that comes up.

demo_log=target/demo.log
background_log=target/demo-background.log
mkdir -p target
: >"$demo_log"
rm -f "$background_log"

bold='' dim='' red='' green='' plain='' live=false
if [[ -t 1 ]]; then
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m' live=true
fi

say() { printf '%s%s%s\n' "$bold" "$*" "$plain"; }

heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

fail() {
  printf '%s%s%s\n' "$red" "demo: $*" "$plain" >&2
  exit 1
}

# step WHAT COMMAND...: runs it with one line of progress; its output is kept, and shown if it fails.
# Without a terminal, there is a line of progress every ten seconds.
step() {
  local what=$1 begin=$SECONDS due=$((SECONDS + 10)) mark pid code=0
  shift
  mark=$(wc -c <"$demo_log")
  [[ $live == true ]] || printf '  … %s\n' "$what"
  "$@" >>"$demo_log" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    if [[ $live == true ]]; then
      printf '\r\e[K  … %s %s%ds  %.60s%s' "$what" "$dim" $((SECONDS - begin)) "$(last_line "$mark")" "$plain"
    elif ((SECONDS >= due)); then
      printf '    %ds  %.100s\n' $((SECONDS - begin)) "$(last_line "$mark")"
      due=$((SECONDS + 10))
    fi
    sleep 0.2
  done
  wait "$pid" || code=$?
  [[ $live == false ]] || printf '\r\e[K'
  if ((code != 0)); then
    printf '  %s✗ %s%s (%ds)\n' "$red" "$what" "$plain" $((SECONDS - begin))
    tail -c "+$((mark + 1))" "$demo_log" | tail -40
    fail "see $demo_log"
  fi
  printf '  %s✓%s %s %s(%ds)%s\n' "$green" "$plain" "$what" "$dim" $((SECONDS - begin)) "$plain"
}

# The newest line of the step, or else of what is compiled beside it; without colours and without the margin.
last_line() {
  local line
  line=$(tail -c "+$(($1 + 1))" "$demo_log" | words)
  [[ -n $line || ! -s $background_log ]] || line="beside it: $(words <"$background_log")"
  printf '%s' "$line"
}

words() { tail -n 20 | tr -d '\r\t' | sed 's/\x1b\[[0-9;]*m//g; s/^ *//' | { grep . || true; } | tail -n 1; }

# in_background COMMAND...: starts it beside the steps that follow; step_of_background WHAT shows it to its end.
in_background() {
  : >"$background_log"
  rm -f "$background_log.code"
  # A process group of its own: if the demo ends early, all of it ends.
  # shellcheck disable=SC2016 # the inner shell expands it
  setsid bash -c '"${@:2}" >"$1" 2>&1; echo $? >"$1.code"' bash "$background_log" "$@" &
  background_pid=$!
  trap 'kill -- -$background_pid 2>/dev/null' EXIT
}

step_of_background() {
  step "$1" follow_background
  trap - EXIT
}

follow_background() {
  tail -n +1 -f --pid="$background_pid" "$background_log"
  return "$(cat "$background_log.code")"
}

# try COMMAND [WHAT-IT-SHOWS]
try() {
  if (($# == 1)); then printf '  %s\n' "$1"; else printf '  %-66s %s%s%s\n' "$1" "$dim" "$2" "$plain"; fi
}

selector_of() { echo "etcd.improbable.io/cluster-name=$1"; }

a_pod_of() { kubectl get pods --selector "$(selector_of "$1")" -o 'jsonpath={.items[0].metadata.name}'; }

members_of() {
  kubectl get etcd "$1" -o go-template='
{{- printf "  %-18s %-18s %-8s %-8s %-9s %s\n" "ID" "NAME" "ROLE" "HEALTHY" "VERSION" "DB BYTES" -}}
{{- range .status.members -}}
{{- printf "  %-18v %-18v %-8v %-8v %-9v %v\n" .id .name .role .healthy .version (or .dbSizeBytes 0) -}}
{{- end -}}'
}

# Without anything that changes by itself, such as ages: a new picture is news.
picture_of() {
  kubectl get etcd "$1" 2>/dev/null -o go-template='
{{- printf "    etcd %v   %v of %v members ready   leader: %v\n" .spec.version (or .status.readyReplicas 0) .spec.replicas (or .status.leader "none yet") -}}'
  kubectl get pods --selector "$(selector_of "$1")" 2>/dev/null \
    -o custom-columns='POD:.metadata.name,NODE:.spec.nodeName,PHASE:.status.phase,READY:.status.containerStatuses[0].ready' | sed 's/^/    /'
  kubectl get etcd "$1" 2>/dev/null -o go-template='
{{- range .status.conditions }}{{ printf "    %-12s %-6s %s\n" .type .status (or .message .reason) }}{{ end }}'
}

is_well() {
  local seen
  seen=$(kubectl get etcd "$1" -o 'jsonpath={.status.conditions[?(@.type=="Available")].status} {.status.readyReplicas}/{.spec.replicas}' 2>/dev/null) || return 1
  [[ $seen == True* ]] && [[ ${seen#* } == "${seen##*/}/${seen##*/}" ]]
}

# watch_cluster NAME SECONDS: draws it over and over until all members are ready.
watch_cluster() {
  local begin=$SECONDS due=0 drawn=0 last='' picture width
  while ((SECONDS - begin < $2)); do
    picture=$(picture_of "$1")
    width=$(tput cols 2>/dev/null || echo 120)
    if [[ $live == true ]]; then
      ((drawn == 0)) || printf '\e[%dA\e[J' "$drawn"
      printf '  … %s %s%ds%s\n%s\n' "$1" "$dim" $((SECONDS - begin)) "$plain" "$(cut -c "1-$((width - 1))" <<<"$picture")"
      drawn=$(($(wc -l <<<"$picture") + 1))
    elif [[ $picture != "$last" ]] || ((SECONDS >= due)); then
      printf '  … %s %ds\n%s\n' "$1" $((SECONDS - begin)) "$picture"
      last=$picture due=$((SECONDS + 10))
    fi
    if is_well "$1"; then
      printf '  %s✓%s %s has all its members %s(%ds)%s\n' "$green" "$plain" "$1" "$dim" $((SECONDS - begin)) "$plain"
      return 0
    fi
    sleep 0.3
  done
  return 1
}
