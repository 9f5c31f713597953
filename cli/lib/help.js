import { exitCodes, Failure } from "./errors.js";

const signature = (name, { takes }) => (takes === undefined ? name : `${name} ${takes}`);

function columns(rows) {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

export const usageOf = (commands) => `Usage: tidings <command> [options]

${columns(Object.entries(commands).map(([name, command]) => [signature(name, command), command.about]))}
<post> is an id or an external id. tidings <command> --help lists a command's options, tidings --version shows the version.
Exit codes: 0 done, 1 refused, 2 invalid arguments, 3 key missing or invalid, 4 not reached. More: docs/command-line.md
`;

export const helpOf = (name, command, options) => `Usage: tidings ${signature(name, command)} [options]

${command.about[0].toUpperCase()}${command.about.slice(1)}.

Options
${columns(options.map(({ name: option, short, value, about }) => [`${short ? `-${short}, ` : ""}--${option}${value ? ` ${value}` : ""}`, about]))}`;

const scripts = {
  bash: (commands, optionsOf) => `_tidings() {
  local words="${Object.keys(commands).join(" ")}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${Object.entries(commands)
  .map(
    ([name, command]) =>
      `      ${name}) words="${optionsOf(command)
        .map(({ name: option }) => `--${option}`)
        .join(" ")}" ;;\n`,
  )
  .join("")}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tidings tidings
`,
  zsh: (...parts) =>
    `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${scripts.bash(...parts)}`,
  fish: (commands, optionsOf) =>
    Object.entries(commands)
      .flatMap(([name, command]) => [
        `complete -c tidings -n __fish_use_subcommand -f -a ${name} -d '${quoted(command.about)}'\n`,
        ...optionsOf(command).map(
          ({ name: option, value, about }) =>
            `complete -c tidings -n '__fish_seen_subcommand_from ${name}' -l ${option}${value ? " -r" : ""} -d '${quoted(about)}'\n`,
        ),
      ])
      .join(""),
};

const quoted = (text) => text.replace(/['\\]/g, "\\$&");

export function completionFor(shell, ...parts) {
  if (shell === undefined || !Object.hasOwn(scripts, shell))
    throw new Failure(`Which shell? ${Object.keys(scripts).join(", ")}`, exitCodes.usage);
  return scripts[shell](...parts);
}
