# bash completion for kettle

_kettle_reply() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}
_kettle_words() { _kettle_reply < <(compgen -W "$1" -- "$cur"); }
_kettle_lines() {
  local line
  while IFS= read -r line; do
    if [[ $line == "$cur"* && $line != *[^[:alnum:]_.@+=/-]* ]]; then
      COMPREPLY+=("$line")
    fi
  done < <('kettle' "$@" 2>/dev/null)
}
_kettle_paths() {
  compopt -o filenames 2>/dev/null
  _kettle_reply < <(compgen "$1" -- "$cur")
}

_kettle() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local at='kettle' word
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $cur == : || $prev == : ]]; then
    return
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      'kettle brew' | 'kettle recipes' | 'kettle recipes list' | 'kettle recipes show' | 'kettle check' | 'kettle help' | 'kettle help brew' | 'kettle help recipes' | 'kettle help recipes list' | 'kettle help recipes show' | 'kettle help check') at="$at $word" ;;
    esac
  done
  case $at in
    'kettle')
      case $prev in
        *) if [[ $cur == -* ]]; then _kettle_words '-h --help --version'; else _kettle_words 'brew recipes check help'; fi ;;
      esac
      ;;
    'kettle brew')
      case $prev in
        '-l' | '--leaf') _kettle_words 'green black oolong' ;;
        '--second-leaf') _kettle_words 'green black oolong' ;;
        '-m' | '--minutes') : ;;
        '--guest') : ;;
        '--seed') _kettle_paths -f ;;
        '-t' | '--temperature') : ;;
        *) if [[ $cur == -* ]]; then _kettle_words '-l --leaf --second-leaf -m --minutes --guest --seed -t --temperature --filter --no-filter --no-log -q --quiet -h --help'; else _kettle_paths -f; fi ;;
      esac
      ;;
    'kettle recipes')
      case $prev in
        *) if [[ $cur == -* ]]; then _kettle_words '-h --help'; else _kettle_words 'list show'; fi ;;
      esac
      ;;
    'kettle recipes list')
      case $prev in
        '--limit') : ;;
        '-t' | '--temperature') : ;;
        *) _kettle_words '--limit -t --temperature --filter --no-filter -h --help' ;;
      esac
      ;;
    'kettle recipes show')
      case $prev in
        *) _kettle_words '-h --help' ;;
      esac
      ;;
    'kettle check')
      case $prev in
        '--strictness') : ;;
        *) if [[ $cur == -* ]]; then _kettle_words '--strictness -h --help'; else _kettle_paths -d; fi ;;
      esac
      ;;
    'kettle help')
      case $prev in
        *) if [[ $cur == -* ]]; then _kettle_words ''; else _kettle_words 'brew recipes check'; fi ;;
      esac
      ;;
    'kettle help brew')
      case $prev in
        *) _kettle_words '' ;;
      esac
      ;;
    'kettle help recipes')
      case $prev in
        *) if [[ $cur == -* ]]; then _kettle_words ''; else _kettle_words 'list show'; fi ;;
      esac
      ;;
    'kettle help recipes list')
      case $prev in
        *) _kettle_words '' ;;
      esac
      ;;
    'kettle help recipes show')
      case $prev in
        *) _kettle_words '' ;;
      esac
      ;;
    'kettle help check')
      case $prev in
        *) _kettle_words '' ;;
      esac
      ;;
  esac
}

complete -F _kettle kettle
