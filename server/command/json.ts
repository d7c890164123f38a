/** The option of every command that prints data. */
export const jsonOption = { json: { type: 'boolean' } } as const
export const jsonHelp: [string, string] = ['--json', 'print it as JSON, for programs']

export const asJson = (data: unknown) => JSON.stringify(data, null, 2)
export const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
