# A recorded bash reads this file in place of ~/.bashrc (--init-file). It loads the user's files as
# bash would, and then announces each command to the terminal: its line and start (E, C) and its end
# (D). It leaves prompts, traps and history as they are.

if [[ -n ${AH_LOGIN_SHELL-} ]]; then
  unset AH_LOGIN_SHELL
  [[ -r /etc/profile ]] && . /etc/profile
  for __ah_file in ~/.bash_profile ~/.bash_login ~/.profile; do
    [[ -r $__ah_file ]] || continue
    . "$__ah_file"
    break
  done
  unset __ah_file
elif [[ -r ~/.bashrc ]]; then
  . ~/.bashrc
fi

# Without `promptvars`, bash would print the text of PS0 instead of running its command.
[[ -n ${VSCODE_SHELL_INTEGRATION-} ]] || ! shopt -q promptvars && return 0
# Do nothing if the user's own prompts or hooks already print such marks.
__ah_hooks="${PS0-} ${PS1-} ${PROMPT_COMMAND[*]-} ${preexec_functions[*]-} $(trap -p DEBUG)"
__ah_hooks+=$(declare -f -- ${__ah_hooks//[^[:alnum:]_:.]/ } 2>/dev/null)
[[ $__ah_hooks == *[16]33\;[CD]* ]] && { unset __ah_hooks; return 0; }
unset __ah_hooks

# The end of a command. Writes to the terminal, because the shell's own output may be redirected.
__ah_precmd() {
  { local code=$?; local - && set +x; } 2>/dev/null
  local last
  last=$(HISTTIMEFORMAT= builtin history 1)
  {
    # Without PS0, the start is known only at the end, by the new line in the history.
    ((__ah_version < 404)) && [[ $last != "${__ah_last-$last}" ]] && __ah_preexec
    builtin printf '\e]633;D;%s\a' "$code"
  } 2>/dev/null >/dev/tty
  __ah_last=$last
  return "$code"
}

# The start of a command. bash has put its line into the history already.
__ah_preexec() {
  { local - && set +x; } 2>/dev/null
  local line backslash='\'
  line=$(HISTTIMEFORMAT= builtin history 1)
  # bash added no line: the line repeats the last one, or HISTCONTROL or HISTIGNORE excludes it.
  if [[ $line == "${__ah_last-}" ]]; then
    [[ ${HISTCONTROL-} == *ignore[sb]* || -n ${HISTIGNORE-} ]] && line=
  fi
  [[ $line =~ ^\ *[0-9]+[*\ ]\ (.*)$ ]] && line=${BASH_REMATCH[1]:0:2000}
  line=${line//"$backslash"/"$backslash$backslash"}
  line=${line//';'/"${backslash}x3b"}
  line=${line//$'\n'/"${backslash}x0a"}
  builtin printf '\e]633;E;%s\a\e]633;C\a' "${line//[[:cntrl:]]/ }"
}

__ah_version=$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))
# Shells started from this one may inherit what follows, but neither the functions nor this variable.
__ah_end=__ah_precmd
PS0='${__ah_end:+$(__ah_preexec)}'${PS0-}
if ((__ah_version >= 501)); then
  # Add a separate element: bash passes the exit code to each, and a later PROMPT_COMMAND=…
  # replaces only the first.
  PROMPT_COMMAND[0]+=
  PROMPT_COMMAND+=('__ah_precmd || :')
else
  PROMPT_COMMAND='eval "${__ah_end-(exit \$?)}"'"${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
fi
