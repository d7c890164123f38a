/** How an agent is told of Galley: what is pasted where. */
export interface AgentSetting {
  id: string
  /** What the agent is called. */
  label: string
  /** Where the lines belong. */
  where: string
  lines: string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** For the common agents, with a key of theirs. `origin` is where this Galley is on this machine. */
export function agentSettings(origin: string, key: string): AgentSetting[] {
  const url = `${origin}/mcp`
  const headers = { Authorization: `Bearer ${key}` }
  return [
    {
      id: 'claude-code',
      label: 'Claude Code',
      where: 'Run this in a terminal.',
      lines: `claude mcp add --transport http galley ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    },
    {
      id: 'claude-desktop',
      label: 'Claude Desktop',
      where:
        'Settings › Developer › Edit Config opens claude_desktop_config.json. Add this, and start Claude again.',
      lines: json({
        mcpServers: { galley: { command: 'galley', args: ['mcp'], env: { GALLEY_KEY: key } } },
      }),
    },
    {
      id: 'cursor',
      label: 'Cursor',
      where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of one project.',
      lines: json({ mcpServers: { galley: { url, headers } } }),
    },
    {
      id: 'vs-code',
      label: 'VS Code',
      where: 'In .vscode/mcp.json, or by the command “MCP: Open User Configuration”.',
      lines: json({ servers: { galley: { type: 'http', url, headers } } }),
    },
  ]
}
