import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commands } from '../cli.ts'
import { run } from '../testing/cli.ts'

test('every option says what it means, and nothing says what isn’t an option', () => {
  for (const { name, options, help, choices = {} } of commands) {
    const said = help.flatMap(([option]) =>
      option.startsWith('--') ? [option.slice(2).split(/[ ,]/)[0]] : [],
    )
    expect([name, ...new Set(said)].sort()).toEqual([name, ...Object.keys(options)].sort())
    // What an option may be is completed only under its own name.
    for (const chosen of Object.keys(choices))
      expect(chosen === '1' || chosen in options, `${name} ${chosen}`).toBe(true)
  }
})

describe.skipIf(process.platform === 'win32')('bash', () => {
  test('completes commands, their options, and what these may be', async () => {
    const { out } = await run('completion', 'bash')
    const lines = [
      '',
      'sh',
      'doc ',
      'doc re',
      'share create --p',
      'share create X --permission ',
      'completion ',
      'doc read X --format ',
      'export X --format ',
      'key create --access ',
      'events --kind co',
    ]
    const script = `${out}
complete_line() {
  local line="galley $1"
  read -ra COMP_WORDS <<< "$line"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  compopt() { :; }
  _galley
  echo "\${COMPREPLY[*]}"
}
${lines.map((line) => `complete_line '${line}'`).join('\n')}`
    const told = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n')
    expect(told[0]!.split(' ')).toEqual(
      expect.arrayContaining(['serve', 'doc', 'share', 'help', 'completion']),
    )
    expect(told[1]).toBe('share')
    expect(told[2]).toBe('list read new edit diff versions delete restore')
    expect(told[3]).toBe('read restore')
    expect(told[4]).toBe('--permission')
    expect(told[5]).toBe('view comment suggest edit')
    expect(told[6]).toBe('bash zsh fish')
    expect(told.slice(7, 10)).toEqual(['md html', 'md html docx', 'read comment suggest edit manage full'])
    expect(told[10]!.split(' ')).toEqual(expect.arrayContaining(['comment', 'comment.created']))
  })
})

test('zsh, fish and the manual page have every command and every option', async () => {
  const zsh = (await run('completion', 'zsh')).out
  const fish = (await run('completion', 'fish')).out
  const page = (await run('man')).out
  for (const { name, options } of commands) {
    expect(page).toContain(`.SS galley ${name.replaceAll('-', '\\-')}`)
    if (name.includes(' ')) expect(zsh).toContain(`'${name}')`)
    for (const option of Object.keys(options)) {
      expect(zsh).toContain(`*--${option}[`)
      expect(fish).toContain(` -l ${option} `)
      expect(page).toContain(`\\-\\-${option.replaceAll('-', '\\-')}`)
    }
  }
  for (const line of page.split('\n')) expect(line).not.toMatch(/^\.(?!TH|SH|SS|TP|B |I )/)
  expect(await run('completion', 'tcsh')).toMatchObject({ code: 2 })
})
