#!/usr/bin/env bash
# Writes the manual page and the completions of bash and zsh for a built tidewise, from the --help of
# each command: scripts/write_command_files.sh PROGRAM FOLDER
# leaves tidewise.1, tidewise.bash and _tidewise (zsh) in FOLDER.
set -euo pipefail
if (($# != 2)); then
  echo "usage: $0 PROGRAM FOLDER" >&2
  exit 2
fi
program=$1 folder=$2
mkdir -p "$folder"
tree=$(mktemp)
trap 'rm -f "$tree"' EXIT

# Converts --help to one record per line: KIND, COMMAND, NAME, TYPE, TEXT, separated by tabs. Kinds: about,
# usage, command, positional, option, example, note. The text begins in column 31, or on the next line.
describe() {
  local words="tidewise${*:+ $*}"
  "$program" "$@" --help | awk -v OFS='\t' -v at="$words" '
    function put() {
      if (name != "") print kind, at, name, type, text
      name = ""
    }
    NR == 1 && $0 != "" { print "about", at, "", "", $0; next }
    /^Usage: / { put(); print "usage", at, "", "", substr($0, 8); next }
    /^(Subcommands|Plan|Fly|Forecast|Many|Research):$/ { put(); kind = "command"; next }
    /^Positionals:$/ { put(); kind = "positional"; next }
    /^Options:$/ { put(); kind = "option"; next }
    /^Examples?:$/ { put(); kind = "example"; next }
    kind != "" && /^[^ ]/ { put(); kind = "note"; print kind, at, "", "", $0; next }
    kind == "example" && /^  / { print kind, at, "", "", substr($0, 3); next }
    kind != "" && /^  [^ ]/ {
      put()
      head = length($0) > 30 && substr($0, 30, 1) == " " ? substr($0, 1, 30) : $0
      text = substr($0, length(head) + 1)
      sub(/^ +/, "", head)
      sub(/ +$/, "", head)
      name = type = head
      sub(/ .*/, "", name)
      if (!sub(/^[^ ]+ /, "", type)) type = ""
      next
    }
    kind != "" && /^ +[^ ]/ { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
    END { put() }' >"$tree.part"
  cat "$tree.part" >>"$tree"
  local name
  for name in $(awk -F '\t' '$1 == "command" { print $3 }' "$tree.part"); do
    describe "$@" "$name"
  done
}
describe
rm -f "$tree.part"

# Completion of an option's argument: none, words, a file, or other.
values='
  function values_of(type, list, n, i, found) {
    if (type !~ /\|/) return ""
    sub(/[:= ].*/, "", type)
    n = split(type, list, "|")
    for (i = 1; i <= n; ++i) if (list[i] ~ /^[a-z0-9][a-z0-9-]*$/) found = found " " list[i]
    return substr(found, 2)
  }
  function argument_of(type) {
    if (type == "" || type ~ /^(Excludes|Needs|REQUIRED)/) return "none"
    if (values_of(type) != "") return "words"
    return type ~ /^(INT|UINT|FLOAT|NUMBER|N|K|STEPS|SIZE|X,Y|LON,LAT|KEY=VALUE)([= ]|$)/ ? "other" : "file"
  }'

{
  echo '# Completion of tidewise for bash, made from its --help.'
  echo 'declare -gA _tidewise_commands _tidewise_options _tidewise_arguments'
  awk -F '\t' "$values"'
    $1 == "command" { commands[$2] = commands[$2] " " $3 }
    $1 == "option" {
      n = split($3, names, ",")
      for (i = 1; i <= n; ++i) {
        options[$2] = options[$2] " " names[i]
        argument = argument_of($4)
        if (argument == "words") argument = values_of($4)
        if (argument != "none") arguments[$2 " " names[i]] = argument
      }
    }
    $1 == "about" { order[++count] = $2 }
    END {
      for (i = 1; i <= count; ++i) {
        at = order[i]
        if (at in commands) printf "_tidewise_commands[%s]=\"%s\"\n", at, substr(commands[at], 2)
        printf "_tidewise_options[%s]=\"%s\"\n", at, substr(options[at], 2)
        n = split(options[at], names, " ")
        for (j = 1; j <= n; ++j) {
          key = at " " names[j]
          if (key in arguments) printf "_tidewise_arguments[%s]=\"%s\"\n", key, arguments[key]
        }
      }
    }' "$tree"
  cat <<'SHELL'
_tidewise() {
  local at=tidewise current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} n word
  for ((n = 1; n < COMP_CWORD; ++n)); do
    word=${COMP_WORDS[n]}
    [[ " ${_tidewise_commands[$at]-} " == *" $word "* ]] && at+=" $word"
  done
  local words="${_tidewise_commands[$at]-}"
  [[ $current == -* ]] && words=${_tidewise_options[$at]-}
  case ${_tidewise_arguments["$at $previous"]-} in
    "") ;;
    file) words='' ;;
    other) return ;;
    *) words=${_tidewise_arguments["$at $previous"]} ;;
  esac
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _tidewise tidewise
SHELL
} >"$folder/tidewise.bash"

{
  echo '#compdef tidewise'
  echo '# Completion of tidewise for zsh, made from its --help.'
  cat <<'SHELL'
_tidewise() {
  local at=tidewise word
  local -a known described accepted
  for word in ${words[2,CURRENT-1]}; do
    _tidewise_known
    (( ${known[(Ie)$word]} )) && at="$at $word"
  done
  _tidewise_accepted "$at ${words[CURRENT-1]}"
  case ${accepted[1]-} in
    '') ;;
    (file) _files; return ;;
    (other) return ;;
    (*) compadd -a accepted; return ;;
  esac
  _tidewise_known
  if [[ ${words[CURRENT]} == -* || $#known -eq 0 ]]; then _tidewise_options; else _tidewise_commands; fi
  (( $#described )) && _describe tidewise described
  [[ ${words[CURRENT]} != -* && $#known -eq 0 ]] && _files
}
SHELL
  awk -F '\t' "$values"'
    function quoted(word) { gsub(/\047/, "\047\\\047\047", word); return "\047" word "\047" }
    function entry(name, text) { gsub(/:/, "\\:", name); return " " quoted(name ":" text) }
    function table(name, array, rows) {
      printf "_tidewise_%s() {\n  case $at in\n", name
      for (i = 1; i <= count; ++i) {
        if (order[i] in rows) printf "    (\"%s\") %s=(%s) ;;\n", order[i], array, substr(rows[order[i]], 2)
      }
      printf "    (*) %s=() ;;\n  esac\n}\n", array
    }
    $1 == "about" { order[++count] = $2 }
    $1 == "command" {
      names[$2] = names[$2] " " $3
      commands[$2] = commands[$2] entry($3, $5)
    }
    $1 == "option" {
      n = split($3, spellings, ",")
      for (i = 1; i <= n; ++i) {
        options[$2] = options[$2] entry(spellings[i], $5)
        argument = argument_of($4)
        if (argument == "words") argument = values_of($4)
        if (argument != "none") accepted = accepted sprintf("    (\"%s %s\") accepted=(%s) ;;\n", $2, spellings[i], argument)
      }
    }
    END {
      table("known", "known", names)
      table("commands", "described", commands)
      table("options", "described", options)
      printf "_tidewise_accepted() {\n  case $1 in\n%s    (*) accepted=() ;;\n  esac\n}\n", accepted
    }' "$tree"
  echo '_tidewise "$@"'
} >"$folder/_tidewise"

version=$("$program" --version)
awk -F '\t' -v version="$version" '
  function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.\047]/) text = "\\&" text
    return text
  }
  function close_example() { if (in_example) print ".fi\n.RE"; in_example = 0 }
  BEGIN {
    printf ".TH TIDEWISE 1 \"\" \"tidewise %s\" \"User commands\"\n.ad l\n.SH NAME\n", roff(version)
  }
  $1 != "example" { close_example() }
  $1 == "about" && $2 == "tidewise" {
    about = $5
    sub(/\.$/, "", about)
    print "tidewise \\- " roff(tolower(substr(about, 1, 1)) substr(about, 2))
    print ".SH SYNOPSIS"
  }
  $1 == "about" && $2 != "tidewise" { print ".SH \"" toupper(roff($2)) "\"\n" roff($5) "." }
  $1 == "note" { print ".PP\n" roff($5) }
  $1 == "usage" && $2 == "tidewise" { print ".B " roff($5); print ".SH COMMANDS AND OPTIONS" }
  $1 == "usage" && $2 != "tidewise" { print ".PP\n.B " roff($5) }
  $1 == "command" || $1 == "positional" || $1 == "option" {
    print ".TP"
    name = $3
    gsub(/,/, ", ", name)
    print "\\fB" roff(name) "\\fR" ($4 == "" ? "" : " " roff($4))
    print roff($5)
  }
  $1 == "example" {
    if (!in_example) print ".PP\nExamples:\n.RS 4\n.nf"
    in_example = 1
    print roff($5)
  }
  END {
    close_example()
    print ".SH EXIT STATUS"
    print "0: done. 1: the run failed, for example because the disk is full. 2: the input is wrong; one line on standard error states what is wrong, why, and what to do."
  }' "$tree" >"$folder/tidewise.1"
