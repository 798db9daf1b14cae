# A recorded zsh reads this file in place of the user's .zshenv (ZDOTDIR). It restores ZDOTDIR, so
# that zsh itself loads the user's other files. At the first prompt, after all of them, it begins to
# announce each command to the terminal: its line and start (E, C) and its end (D).

if (( ${+AH_USER_ZDOTDIR} )); then
  export ZDOTDIR=$AH_USER_ZDOTDIR
  unset AH_USER_ZDOTDIR
else
  unset ZDOTDIR
fi

if [[ -o interactive ]]; then
  # Writes to the terminal, because the shell's own output may be redirected. `633`
  # and the letter are separate, so that __ah_begin, which searches hooks for marks, skips these.
  __ah_mark() {
    builtin printf '\e]%s;%s\a' 633 "$1" 2>/dev/null >/dev/tty
  }

  # The end of a command.
  __ah_precmd() {
    __ah_mark "D;$?"
  }

  # The start of a command. zsh passes an empty line if it has no history.
  __ah_preexec() {
    builtin emulate -L zsh
    local line=${${1:-$2}[1,2000]}
    line=${line//\\/\\\\}
    line=${line//;/\\x3b}
    line=${line//$'\n'/\\x0a}
    __ah_mark "E;${line//[[:cntrl:]]/ }"
    __ah_mark C
  }

  __ah_begin() {
    builtin emulate -L zsh
    precmd_functions=(${precmd_functions:#__ah_begin})
    builtin unfunction __ah_begin
    builtin zmodload zsh/parameter
    local hook
    for hook in preexec $preexec_functions; do
      [[ $functions[$hook] == *[16]33\;C* ]] && return 0
    done
    [[ -n ${VSCODE_SHELL_INTEGRATION-} ]] && return 0
    preexec_functions=(__ah_preexec $preexec_functions)
    precmd_functions=(__ah_precmd $precmd_functions)
  }

  typeset -ga precmd_functions
  precmd_functions+=(__ah_begin)
fi

[[ -r ${ZDOTDIR-$HOME}/.zshenv ]] && source ${ZDOTDIR-$HOME}/.zshenv
