// Known agents, including those that we do not drive: the files they load by themselves, and their names on
// PATH. This safety list does not depend on which agents a run can use.

interface AgentFiles {
  /** `<guide>.md`, anywhere. */
  readonly guide?: string | readonly string[];
  /** `.<folder>/`, anywhere. */
  readonly folder?: string;
  readonly file?: string | readonly string[];
  readonly program?: string;
}

const agents: readonly AgentFiles[] = [
  { guide: ['claude', 'claude.local'], folder: 'claude', program: 'claude' },
  { guide: ['agents', 'agents.override'], folder: 'agents', file: ['.mcp.json', '.rules'] },
  { guide: 'codex', folder: 'codex', program: 'codex' },
  { guide: 'gemini', folder: 'gemini', program: 'gemini' },
  { folder: 'opencode', file: ['opencode.json', 'opencode.jsonc'], program: 'opencode' },
  { guide: 'qwen', folder: 'qwen' },
  { guide: 'crush', file: ['crush.json', '.crush.json'] },
  { guide: 'warp' },
  { guide: 'iflow' },
  { folder: 'cursor', file: '.cursorrules', program: 'cursor-agent' },
  { folder: 'windsurf', file: '.windsurfrules' },
  { folder: 'goose', file: '.goosehints', program: 'goose' },
  { file: '.aider.conf.yml', program: 'aider' },
  { program: 'amp' },
  ...'clinerules roo kiro junie augment continue openhands amazonq kilocode factory vibe agent'
    .split(' ')
    .map((folder) => ({ folder })),
];

export const agentGuides: readonly string[] = agents.flatMap(({ guide = [] }) => guide);
export const agentFolders: readonly string[] = agents.flatMap(({ folder = [] }) => folder);
export const agentFiles: readonly string[] = agents.flatMap(({ file = [] }) => file);
export const agentPrograms: readonly string[] = agents.flatMap(({ program = [] }) => program);
