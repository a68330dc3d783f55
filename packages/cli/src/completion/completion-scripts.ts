/** Scripts that make a shell ask `wirewalk completion --words` for completions. A line of its answer is a word, a tab and a summary. */

/** For bash 3.2 and newer: no `mapfile`, and `compopt` only where there is one. */
const bash = `# wirewalk completion for bash: source <(wirewalk completion bash)
_wirewalk() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  local tab=$'\\t'
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files)
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
        ;;
      :folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$current")
        ;;
      ?*) COMPREPLY+=("\${line%%"$tab"*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _wirewalk wirewalk
`;

const zsh = `#compdef wirewalk
# wirewalk completion for zsh: source <(wirewalk completion zsh), after compinit; or as a file _wirewalk in a folder of $fpath
_wirewalk() {
  local line tab=$'\\t'
  local -a lines described
  lines=("\${(@f)$("\${words[1]}" completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    case "$line" in
      :files) _files ;;
      :folders) _files -/ ;;
      ?*) described+=("\${\${line%%$tab*}//:/\\\\:}:\${line#*$tab}") ;;
    esac
  done
  if (( \${#described} )); then _describe wirewalk described; fi
}
if [ "\${funcstack[1]}" = "_wirewalk" ]; then
  _wirewalk "$@"
else
  compdef _wirewalk wirewalk
fi
`;

const fish = `# wirewalk completion for fish: wirewalk completion fish | source
function __wirewalk_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  command $words[1] completion --words -- $words[2..-1] "$current" 2>/dev/null | while read -l line
    switch $line
      case ':files'
        __fish_complete_path "$current"
      case ':folders'
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c wirewalk -f -a '(__wirewalk_complete)'
`;

export const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish };
