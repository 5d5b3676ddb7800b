# Completions of infer, check and crash for bash: source this file, or install it into bash-completion's folder.
_dsd() {
	local cur=${COMP_WORDS[COMP_CWORD]} list
	if [[ $cur == -* ]]; then
		list=$("${COMP_WORDS[@]:0:COMP_CWORD}" "$cur" --generate-bash-completion 2>/dev/null)
	else
		list=$("${COMP_WORDS[@]:0:COMP_CWORD}" --generate-bash-completion 2>/dev/null)
	fi
	mapfile -t COMPREPLY < <(compgen -W "$list" -- "$cur")
}
complete -o default -F _dsd infer check crash
