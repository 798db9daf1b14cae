import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** Lets zsh run completion functions of bash. */
const ZSH_PRELUDE = `autoload -U +X compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
`;

interface Word {
  readonly word: string;
  readonly description: string;
}

/** What can follow one command on the command line. */
interface Place {
  /** Command names down to this one, each after a blank: `''`, `' agent'`, `' agent fs'`. */
  readonly path: string;
  readonly words: readonly Word[];
  /** The values that an option accepts. */
  readonly choices: readonly { readonly option: string; readonly values: readonly string[] }[];
  readonly commands: readonly string[];
}

/** A script for the shell to source; it completes subcommands, options and their choices. */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, '');
  if (shell === 'fish') return fishScript(places);
  return shell === 'zsh' ? `${ZSH_PRELUDE}${bashScript(places)}` : bashScript(places);
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  const commands = help.visibleCommands(command);
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const words = [
    ...commands.map((each) => ({ word: each.name(), description: each.description() })),
    ...values.map((word) => ({ word, description: '' })),
    ...options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : [])),
  ];
  const choices = options.flatMap(({ long, argChoices }) =>
    long && argChoices ? [{ option: long, values: argChoices }] : [],
  );
  const below = command.commands.flatMap((each) =>
    [each.name(), ...each.aliases()].map((name) => ({ name, each })),
  );
  const place = { path, words, choices, commands: below.map(({ name }) => name) };
  return [place, ...below.flatMap(({ name, each }) => placesOf(each, `${path} ${name}`))];
}

function bashScript(places: readonly Place[]): string {
  const steps = places.flatMap(({ path, commands }) => commands.map((name) => `'${path} ${name}'`));
  const choices = places.flatMap((place) =>
    place.choices.map(
      ({ option, values }) => `    '${place.path} ${option}') candidates='${values.join(' ')}' ;;`,
    ),
  );
  const words = places.map(
    ({ path, words }) =>
      `    '${path}') candidates='${words.map(({ word }) => word).join(' ')}' ;;`,
  );
  return `_ah() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' previous='' candidates='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    previous="\${COMP_WORDS[index]}"
    [[ $previous == -- ]] && return
    case "$place $previous" in
    ${steps.join(' | ')}) place="$place $previous" ;;
    esac
  done
  case "$place $previous" in
${choices.join('\n')}
  *)
    case "$place" in
${words.join('\n')}
    esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _ah ah
`;
}

function fishScript(places: readonly Place[]): string {
  const steps = places.flatMap(({ path, commands }) => commands.map((name) => `'${path} ${name}'`));
  const lines = places.flatMap(({ path, words, choices }) => [
    ...words.map(
      ({ word, description }) =>
        `complete -c ah -n "test (__ah_path) = '${path}'" ${fishWord(word)} -d '${quoted(description)}'`,
    ),
    ...choices.map(
      ({ option, values }) =>
        `complete -c ah -n "test (__ah_path) = '${path}'" -x -l ${option.slice(2)} -a '${values.join(' ')}'`,
    ),
  ]);
  return `function __ah_path
    set -l path ''
    for word in (commandline -opc)[2..]
        switch "$path $word"
            case ${steps.join(' ')}
                set path "$path $word"
        end
    end
    echo "$path"
end
${lines.join('\n')}
`;
}

function fishWord(word: string): string {
  return word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
}

function quoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}
