import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Prints its own name, then echoes line by line what is typed; `count N` prints N numbered lines, `bye` ends it. */
const AGENT = `
echo "Fake agent ready"
while IFS= read -r line; do
  case "$line" in
    bye) echo "Goodbye"; exit 3 ;;
    count*) seq -f 'line %06.0f' 1 "\${line#count }" ;;
    *) echo "You said: $line" ;;
  esac
done
`;

/** A folder for PATH with programs that go by the names of two agents. */
export function makeFakeAgents(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const agents = { claude: '9.8.7 (Claude Code)', codex: 'codex-cli 6.5.4' };
  for (const [name, version] of Object.entries(agents)) {
    const script = `#!/bin/bash\nif [ "$1" = --version ]; then echo "${version}"; exit; fi\n${AGENT}`;
    writeFileSync(path.join(folder, name), script, { mode: 0o755 });
  }
  return folder;
}
