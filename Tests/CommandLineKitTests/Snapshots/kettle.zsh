#compdef kettle

_kettle_lines() {
  local -a offered=(${(f)"$('kettle' "$@" 2>/dev/null)"})
  compadd -a offered
}

_kettle() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \
    '(-h --help)-h[Show this help; -h shows a short one.]' \
    '(-h --help)--help[Show this help; -h shows a short one.]' \
    '(--version)--version[Show the version.]' \
    '1: :->command' \
    '*:: :->rest'
  case $state in
    command)
      local -a commands=(
        'brew:Make a cup, or several.'
        'recipes:Look into the book of recipes.'
        'check:Check that a folder holds good recipes.'
        'help:Show help for a command.'
      )
      _describe -t commands command commands
      ;;
    rest)
      case $words[1] in
        brew) _kettle_brew ;;
        recipes) _kettle_recipes ;;
        check) _kettle_check ;;
        help) _kettle_help ;;
      esac
      ;;
  esac
}

_kettle_brew() {
  _arguments -S \
    '(-l --leaf)-l[The leaf to use.]:LEAF:(green black oolong)' \
    '(-l --leaf)--leaf=[The leaf to use.]:LEAF:(green black oolong)' \
    '(--second-leaf)--second-leaf=[A leaf to blend it with.]:LEAF:(green black oolong)' \
    '(-m --minutes)-m[How long to wait.]:N: ' \
    '(-m --minutes)--minutes=[How long to wait.]:N: ' \
    '*--guest=[Who drinks\: it'\''s their \[own\] cup.]:NAME: ' \
    '(--seed)--seed=[Where to read.]:FILE|-:_files' \
    '(-t --temperature)-t[How hot the water is, in degrees Celsius.]:N: ' \
    '(-t --temperature)--temperature=[How hot the water is, in degrees Celsius.]:N: ' \
    '(--filter --no-filter)--filter[Whether to filter the water first.]' \
    '(--filter --no-filter)--no-filter[Whether to filter the water first.]' \
    '(--no-log)--no-log[Leave no trace.]' \
    '(-q --quiet)-q[Say nothing.]' \
    '(-q --quiet)--quiet[Say nothing.]' \
    '(-h --help)-h[Show this help; -h shows a short one.]' \
    '(-h --help)--help[Show this help; -h shows a short one.]' \
    '*:RECIPE:_files'
}

_kettle_recipes() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \
    '(-h --help)-h[Show this help; -h shows a short one.]' \
    '(-h --help)--help[Show this help; -h shows a short one.]' \
    '1: :->command' \
    '*:: :->rest'
  case $state in
    command)
      local -a commands=(
        'list:List all recipes.'
        'show:Show one recipe.'
      )
      _describe -t commands command commands
      ;;
    rest)
      case $words[1] in
        list) _kettle_recipes_list ;;
        show) _kettle_recipes_show ;;
      esac
      ;;
  esac
}

_kettle_recipes_list() {
  _arguments -S \
    '(--limit)--limit=[How many at most.]:N: ' \
    '(-t --temperature)-t[How hot the water is, in degrees Celsius.]:N: ' \
    '(-t --temperature)--temperature=[How hot the water is, in degrees Celsius.]:N: ' \
    '(--filter --no-filter)--filter[Whether to filter the water first.]' \
    '(--filter --no-filter)--no-filter[Whether to filter the water first.]' \
    '(-h --help)-h[Show this help; -h shows a short one.]' \
    '(-h --help)--help[Show this help; -h shows a short one.]'
}

_kettle_recipes_show() {
  _arguments -S \
    '(-h --help)-h[Show this help; -h shows a short one.]' \
    '(-h --help)--help[Show this help; -h shows a short one.]' \
    ':NAME: ' \
    '::STYLE: '
}

_kettle_check() {
  _arguments -S \
    '(--strictness)--strictness=[How strict to be.]:N: ' \
    '(-h --help)-h[Show this help; -h shows a short one.]' \
    '(-h --help)--help[Show this help; -h shows a short one.]' \
    ':FOLDER:_files -/'
}

_kettle_help() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \
    '1: :->command' \
    '*:: :->rest'
  case $state in
    command)
      local -a commands=(
        'brew:Make a cup, or several.'
        'recipes:Look into the book of recipes.'
        'check:Check that a folder holds good recipes.'
      )
      _describe -t commands command commands
      ;;
    rest)
      case $words[1] in
        brew) _kettle_help_brew ;;
        recipes) _kettle_help_recipes ;;
        check) _kettle_help_check ;;
      esac
      ;;
  esac
}

_kettle_help_brew() {
  :
}

_kettle_help_recipes() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \
    '1: :->command' \
    '*:: :->rest'
  case $state in
    command)
      local -a commands=(
        'list:List all recipes.'
        'show:Show one recipe.'
      )
      _describe -t commands command commands
      ;;
    rest)
      case $words[1] in
        list) _kettle_help_recipes_list ;;
        show) _kettle_help_recipes_show ;;
      esac
      ;;
  esac
}

_kettle_help_recipes_list() {
  :
}

_kettle_help_recipes_show() {
  :
}

_kettle_help_check() {
  :
}

if [[ $funcstack[1] == _kettle ]]; then
  _kettle "$@"
else
  compdef _kettle kettle
fi
