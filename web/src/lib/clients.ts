/** What to paste so that a client starts Contexture as an MCP server. Takes the project folder; pure. */
import { line } from './shell';
import { toml } from './toml';

export interface Client {
  name: string;
  where: string;
  text: string;
}

export function clients(root: string): Client[] {
  const args = ['mcp', '--root', root];
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  const plain = { command: 'contexture', args };
  return [
    { name: 'Claude Code', where: 'in a terminal', text: line(['claude', 'mcp', 'add', 'contexture', '--', 'contexture', ...args]) },
    { name: 'Claude Desktop', where: 'claude_desktop_config.json', text: json({ mcpServers: { contexture: plain } }) },
    { name: 'Cursor', where: '.cursor/mcp.json', text: json({ mcpServers: { contexture: plain } }) },
    { name: 'VS Code', where: '.vscode/mcp.json', text: json({ servers: { contexture: { type: 'stdio', ...plain } } }) },
    { name: 'Zed', where: 'settings.json', text: json({ context_servers: { contexture: plain } }) },
    { name: 'Codex', where: '~/.codex/config.toml', text: `[mcp_servers.contexture]\ncommand = "contexture"\nargs = ${toml(args)}` },
    { name: 'Gemini CLI', where: '~/.gemini/settings.json', text: json({ mcpServers: { contexture: plain } }) },
  ];
}
