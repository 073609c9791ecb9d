# fish completion for kettle

function __kettle_at
    set -l at 'kettle'
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$at $word"
            case 'kettle brew' 'kettle recipes' 'kettle recipes list' 'kettle recipes show' 'kettle check' 'kettle help' 'kettle help brew' 'kettle help recipes' 'kettle help recipes list' 'kettle help recipes show' 'kettle help check'
                set at "$at $word"
        end
    end
    test "$at" = "$argv"
end

complete -c kettle -f
complete -c kettle -n '__kettle_at kettle' -a brew -d 'Make a cup, or several.'
complete -c kettle -n '__kettle_at kettle' -a recipes -d 'Look into the book of recipes.'
complete -c kettle -n '__kettle_at kettle' -a check -d 'Check that a folder holds good recipes.'
complete -c kettle -n '__kettle_at kettle' -a help -d 'Show help for a command.'
complete -c kettle -n '__kettle_at kettle' -s h -l help -d 'Show this help; -h shows a short one.'
complete -c kettle -n '__kettle_at kettle' -l version -d 'Show the version.'
complete -c kettle -n '__kettle_at kettle brew' -s l -l leaf -d 'The leaf to use.' -r -f -a 'green black oolong'
complete -c kettle -n '__kettle_at kettle brew' -l second-leaf -d 'A leaf to blend it with.' -r -f -a 'green black oolong'
complete -c kettle -n '__kettle_at kettle brew' -s m -l minutes -d 'How long to wait.' -r -f
complete -c kettle -n '__kettle_at kettle brew' -l guest -d 'Who drinks: it\'s their [own] cup.' -r -f
complete -c kettle -n '__kettle_at kettle brew' -l seed -d 'Where to read.' -r -F
complete -c kettle -n '__kettle_at kettle brew' -s t -l temperature -d 'How hot the water is, in degrees Celsius.' -r -f
complete -c kettle -n '__kettle_at kettle brew' -l filter -d 'Whether to filter the water first.'
complete -c kettle -n '__kettle_at kettle brew' -l no-filter -d 'Whether to filter the water first.'
complete -c kettle -n '__kettle_at kettle brew' -l no-log -d 'Leave no trace.'
complete -c kettle -n '__kettle_at kettle brew' -s q -l quiet -d 'Say nothing.'
complete -c kettle -n '__kettle_at kettle brew' -s h -l help -d 'Show this help; -h shows a short one.'
complete -c kettle -n '__kettle_at kettle brew' -F
complete -c kettle -n '__kettle_at kettle recipes' -a list -d 'List all recipes.'
complete -c kettle -n '__kettle_at kettle recipes' -a show -d 'Show one recipe.'
complete -c kettle -n '__kettle_at kettle recipes' -s h -l help -d 'Show this help; -h shows a short one.'
complete -c kettle -n '__kettle_at kettle recipes list' -l limit -d 'How many at most.' -r -f
complete -c kettle -n '__kettle_at kettle recipes list' -s t -l temperature -d 'How hot the water is, in degrees Celsius.' -r -f
complete -c kettle -n '__kettle_at kettle recipes list' -l filter -d 'Whether to filter the water first.'
complete -c kettle -n '__kettle_at kettle recipes list' -l no-filter -d 'Whether to filter the water first.'
complete -c kettle -n '__kettle_at kettle recipes list' -s h -l help -d 'Show this help; -h shows a short one.'
complete -c kettle -n '__kettle_at kettle recipes show' -s h -l help -d 'Show this help; -h shows a short one.'
complete -c kettle -n '__kettle_at kettle check' -l strictness -d 'How strict to be.' -r -f
complete -c kettle -n '__kettle_at kettle check' -s h -l help -d 'Show this help; -h shows a short one.'
complete -c kettle -n '__kettle_at kettle check' -f -a '(__fish_complete_directories)'
complete -c kettle -n '__kettle_at kettle help' -a brew -d 'Make a cup, or several.'
complete -c kettle -n '__kettle_at kettle help' -a recipes -d 'Look into the book of recipes.'
complete -c kettle -n '__kettle_at kettle help' -a check -d 'Check that a folder holds good recipes.'
complete -c kettle -n '__kettle_at kettle help recipes' -a list -d 'List all recipes.'
complete -c kettle -n '__kettle_at kettle help recipes' -a show -d 'Show one recipe.'
