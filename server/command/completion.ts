import { UsageError, type CommandDefinition } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** @param commands all there are: what can be completed is read from their definitions alone */
export const completion = (commands: () => readonly CommandDefinition[]): CommandDefinition => ({
  name: 'completion',
  usage: 'SHELL',
  summary: 'Print what makes a shell complete the commands and options of galley.',
  takes: { least: 1, most: 1, what: `the shell, ${shells.join(', ')}` },
  options: {},
  help: [
    ['bash', 'put `source <(galley completion bash)` into ~/.bashrc'],
    ['zsh', 'galley completion zsh > ~/.zfunc/_galley, with ~/.zfunc in fpath before compinit'],
    ['fish', 'galley completion fish > ~/.config/fish/completions/galley.fish'],
  ],
  choices: { 1: shells },
  run({ positionals, terminal }) {
    const shell = shells.find((one) => one === positionals[0])
    if (!shell) throw new UsageError(`“${positionals[0]}” is none of ${shells.join(', ')}.`)
    terminal.out({ bash, zsh, fish }[shell](commands().map(describe)))
    return 0
  },
})

interface Completed {
  name: string
  summary: string
  options: { name: string; meaning: string; takes: string | null; choices: readonly string[] }[]
  /** What its first word may be. */
  words: readonly string[]
}

function describe({ name, summary, options, help, choices = {} }: CommandDefinition): Completed {
  const everywhere = { data: { type: 'string' }, help: { type: 'boolean' } } as const
  const meanings = [...help, ['--data DIR', 'the data folder'], ['--help', 'this help']] as const
  return {
    name,
    summary,
    words: choices[1] ?? [],
    options: Object.entries({ ...options, ...everywhere }).map(([option, { type }]) => {
      const [said = '', meaning = ''] = meanings.find(([one]) => one.split(/[ ,]/)[0] === `--${option}`) ?? []
      return {
        name: `--${option}`,
        meaning,
        takes: type === 'string' ? (said.split(' ')[1] ?? 'VALUE') : null,
        choices: choices[option] ?? [],
      }
    }),
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const firstWords = (commands: readonly Completed[]) => [
  ...new Set([...commands.map(({ name }) => name.split(' ')[0]!), 'help']),
]
const families = (commands: readonly Completed[]) =>
  Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0]!,
  )
const second = ({ name }: Completed) => name.split(' ')[1]!

function bash(commands: readonly Completed[]): string {
  const chosen = commands.flatMap(({ name, options }) =>
    options.flatMap((option) =>
      option.takes === null
        ? []
        : [
            `    ${quoted(`${name} ${option.name}`)}) ${option.choices.length > 0 ? `_galley_words ${quoted(option.choices.join(' '))}` : 'compopt -o default'}; return ;;`,
          ],
    ),
  )
  return `# bash completion for galley, made by “galley completion bash”
_galley_words() { COMPREPLY=($(compgen -W "$1" -- "\${COMP_WORDS[COMP_CWORD]}")); }
_galley() {
  local current=\${COMP_WORDS[COMP_CWORD]} last=\${COMP_WORDS[COMP_CWORD-1]} command= i
  local -a said=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    --data) ((i++)) ;;
    -*) ;;
    *) said+=("\${COMP_WORDS[i]}") ;;
    esac
  done
  [[ \${said[0]} == help ]] && said=("\${said[@]:1}")
  case "\${said[0]} \${said[1]}" in
${commands.map(({ name }) => `    ${name.includes(' ') ? quoted(name) : `${quoted(name)}' '*`}) command=${quoted(name)} ;;`).join('\n')}
${[...families(commands)].map(([family, members]) => `    ${quoted(family)}' '*) _galley_words ${quoted(members.map(second).join(' '))}; return ;;`).join('\n')}
    *) _galley_words ${quoted([...firstWords(commands), '--help', '--version'].join(' '))}; return ;;
  esac
  case "$command $last" in
${chosen.join('\n')}
  esac
  case $current in
    -*)
      case $command in
${commands.map(({ name, options }) => `        ${quoted(name)}) _galley_words ${quoted(options.map((option) => option.name).join(' '))} ;;`).join('\n')}
      esac ;;
    *)
      case $command in
${commands
  .filter(({ words }) => words.length > 0)
  .map(({ name, words }) => `        ${quoted(name)}) _galley_words ${quoted(words.join(' '))} ;;`)
  .join('\n')}
        *) compopt -o default ;;
      esac ;;
  esac
}
complete -F _galley galley`
}

function zsh(commands: readonly Completed[]): string {
  const listed = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, meaning]) => quoted(`${name}:${meaning.replaceAll(':', '\\:')}`)).join(' ')
  const inSpec = (text: string) => text.replace(/[\\[\]:]/g, '\\$&')
  const options = ({ options, words }: Completed) =>
    [
      ...options.map(({ name, meaning, takes, choices }) => {
        const what = choices.length > 0 ? `:(${choices.join(' ')})` : takes === 'DIR' ? ':_files -/' : ':'
        return quoted(`*${name}[${inSpec(meaning)}]${takes === null ? '' : `:${inSpec(takes)}${what}`}`)
      }),
      quoted(words.length > 0 ? `*:word:(${words.join(' ')})` : '*:word:_files'),
    ].join(' ')
  const summaries = firstWords(commands).map((word) => {
    const alone = commands.find(({ name }) => name === word)
    const members = families(commands).get(word) ?? []
    return [word, alone?.summary ?? (members.map(second).join(', ') || 'tell what a command takes')] as const
  })
  return `#compdef galley
# zsh completion for galley, made by “galley completion zsh”
_galley() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(${listed(summaries)})
    _describe command commands
    return
  fi
  case "$words[2] $words[3]" in
${commands
  .filter(({ name }) => name.includes(' '))
  .map((one) => `    ${quoted(one.name)}) (( CURRENT > 3 )) && { _arguments ${options(one)}; return } ;;`)
  .join('\n')}
  esac
  case "$words[2]" in
${[...families(commands)].map(([family, members]) => `    ${quoted(family)}) commands=(${listed(members.map((one) => [second(one), one.summary] as const))}); _describe command commands ;;`).join('\n')}
${commands
  .filter(({ name }) => !name.includes(' '))
  .map((one) => `    ${quoted(one.name)}) _arguments ${options(one)} ;;`)
  .join('\n')}
  esac
}
if [[ $funcstack[1] == _galley ]]; then _galley "$@"; else compdef _galley galley; fi`
}

function fish(commands: readonly Completed[]): string {
  const lines = firstWords(commands).map((word) => {
    const alone = commands.find(({ name }) => name === word)
    return `complete -c galley -n __fish_use_subcommand -f -a ${word}${alone ? ` -d ${quoted(alone.summary)}` : ''}`
  })
  for (const [family, members] of families(commands)) {
    const seconds = members.map(second).join(' ')
    for (const one of members)
      lines.push(
        `complete -c galley -n '__fish_seen_subcommand_from ${family}; and not __fish_seen_subcommand_from ${seconds}' -f -a ${second(one)} -d ${quoted(one.summary)}`,
      )
  }
  for (const { name, options, words } of commands) {
    const seen = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    const when = quoted(seen.join('; and '))
    if (words.length > 0) lines.push(`complete -c galley -n ${when} -f -a ${quoted(words.join(' '))}`)
    for (const option of options) {
      const value =
        option.takes === null
          ? ''
          : option.choices.length > 0
            ? ` -xa ${quoted(option.choices.join(' '))}`
            : ' -r'
      lines.push(
        `complete -c galley -n ${when} -l ${option.name.slice(2)}${value} -d ${quoted(option.meaning)}`,
      )
    }
  }
  return `# fish completion for galley, made by “galley completion fish”\n${lines.join('\n')}`
}
