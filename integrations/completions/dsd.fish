# Completions of infer, check and crash for fish: a file in completions, for each of them.
function __dsd
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    if string match -q -- '-*' $cur
        command $words $cur --generate-bash-completion 2>/dev/null
    else
        command $words --generate-bash-completion 2>/dev/null
    end
end
for tool in infer check crash
    complete -c $tool -a '(__dsd)'
end
