import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Prints its name and echoes input. `count N` prints N numbered lines, `bye` ends it. With hooks
 * configured like the real agent's it calls them: `ask COMMAND` needs approval, `fail COMMAND`
 * fails three times, `loop COMMAND` repeats four times, `revert FILE` changes it back and forth,
 * `hang` does nothing. `when FILE …` waits for the file first.
 */
const AGENT = `
[ "$1" = --settings ] && relay="\${2%/*}/hooks/relay.sh"
tell() { [ -z "$relay" ] || printf '{"session_id":"s",%s}' "$2" | /bin/sh "$relay" "$1"; }
ask() {
  turn=$((turn + 1))
  call="\\"tool_use_id\\":\\"c$turn\\",\\"tool_name\\":\\"Bash\\",\\"tool_input\\":{\\"command\\":\\"$1\\"}"
  tell PreToolUse "$call"
  tell PermissionRequest "$call"
  echo "Allow $1? (y/n)"
  IFS= read -r answer
  if [ "$answer" = y ]; then tell PostToolUse "$call,\\"tool_response\\":\\"ok\\""; else tell PermissionDenied "$call"; fi
  tell Stop "\\"prompt_id\\":\\"p$turn\\",\\"last_assistant_message\\":\\"Done with $1.\\""
  echo "Done with $1."
}
call() {
  turn=$((turn + 1))
  call="\\"tool_use_id\\":\\"c$turn\\",\\"tool_name\\":\\"$1\\",\\"tool_input\\":{$2}"
  tell PreToolUse "$call"
  tell "$3" "$call,\\"tool_response\\":\\"said\\",\\"error\\":\\"Exit code 1\\""
}
edit() { call Edit "\\"file_path\\":\\"$1\\",\\"old_string\\":\\"$2\\",\\"new_string\\":\\"$3\\"" PostToolUse; }
stop() {
  turn=$((turn + 1))
  tell Stop "\\"prompt_id\\":\\"p$turn\\",\\"last_assistant_message\\":\\"Gave up on $1.\\""
  echo "Gave up on $1."
}
echo "Fake agent ready"
while IFS= read -r line; do
  case "$line" in "when "*) set -- $line; until [ -e "$2" ]; do sleep 0.1; done; shift 2; line="$*" ;; esac
  case "$line" in
    fail*|loop*|revert*|hang*) tell UserPromptSubmit "\\"prompt\\":\\"Please $line\\"" ;;
  esac
  case "$line" in
    fail*)
      for n in 1 2 3; do call Bash "\\"command\\":\\"\${line#fail }\\"" PostToolUseFailure; done
      stop "\${line#fail }" ;;
    loop*)
      for n in 1 2 3 4; do call Bash "\\"command\\":\\"\${line#loop }\\"" PostToolUse; done
      stop "\${line#loop }" ;;
    revert*)
      for n in 1 2; do edit "\${line#revert }" good bad; edit "\${line#revert }" bad good; done
      stop "\${line#revert }" ;;
    hang) echo "Thinking" ;;
    ask*) tell UserPromptSubmit "\\"prompt\\":\\"Please run \${line#ask }\\""; ask "\${line#ask }" ;;
    bye) echo "Goodbye"; exit 3 ;;
    count*) seq -f 'line %06.0f' 1 "\${line#count }" ;;
    *) echo "You said: $line" ;;
  esac
done
`;

/** Creates a folder for PATH with fake programs of two agents. */
export function makeFakeAgents(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const agents = { claude: '9.8.7 (Claude Code)', codex: 'codex-cli 6.5.4' };
  for (const [name, version] of Object.entries(agents)) {
    const script = `#!/bin/bash\nif [ "$1" = --version ]; then echo "${version}"; exit; fi\n${AGENT}`;
    writeFileSync(path.join(folder, name), script, { mode: 0o755 });
  }
  return folder;
}
