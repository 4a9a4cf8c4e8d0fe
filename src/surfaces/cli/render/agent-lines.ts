// Formats the agents for `doctor`: two lines each; endpoints that are not ready share a block.
import type { AgentReport } from '#app/doctor/agent-report.ts';
import { paidWords } from '#views/words.ts';

const marks = { ready: '✅', unsure: '⚠️ ', missing: '➖' } as const;
const separator = ' · ';

export function agentLines(agents: readonly AgentReport[], columns: number): string[] {
  const width = Math.max(...agents.map((agent) => agent.name.length));
  const isDown = (agent: AgentReport): boolean => agent.kind === 'endpoint' && agent.state === 'missing';
  const ready = agents.find((agent) => agent.state === 'ready');
  const indent = ' '.repeat(width + 5);
  const wrapped = (head: string, parts: readonly string[]): string[] => wrap(head, parts, indent, columns);
  return [
    '\nAgents, each by its name: --agent NAME',
    ...agents
      .filter((agent) => !isDown(agent))
      .flatMap((agent) => [
        ...wrapped(`${markOf(agent)} ${agent.name.padEnd(width)}  `, whatIsHere(agent)),
        ...wrapped(indent, [
          abilities(agent),
          ...(agent.nameIt === agent.name ? [] : [`--agent ${agent.nameIt}`]),
        ]),
      ]),
    ...downLines(agents.filter(isDown), width, wrapped),
    '',
    ...wrap(
      'Any other: ',
      ['--agent "acp:my-agent --acp" (Agent Client Protocol)', '--agent "command:my-cli --flag"'],
      '           ',
      columns,
    ),
    `Test one in a temporary repository: untildone doctor --agent ${ready?.nameIt ?? 'claude'}`,
  ];
}

/** One agent is enough; only a configured agent is reported as missing. */
function markOf({ kind, state }: AgentReport): string {
  return kind === 'configured' && state === 'missing' ? '❌' : marks[state];
}

function whatIsHere(agent: AgentReport): string[] {
  const { kind, state, title, version, payer, models, install, begin, next } = agent;
  if (state === 'missing' && kind === 'client')
    return [`${title} is not installed`, `install: ${install ?? ''}`, `log in: ${begin ?? ''}`];
  if (state === 'missing') {
    const get = [install === null ? '' : `install: ${install}`, begin === null ? '' : `log in: ${begin}`];
    return [title, next ?? '', ...get].filter((part) => part !== '');
  }
  const parts = [`${title}${version === null ? '' : ` ${version}`}`];
  if (models.length > 0)
    parts.push(`${models.length} models: ${models.slice(0, 4).join(', ')}${models.length > 4 ? ', …' : ''}`);
  if (payer !== null && next === null)
    parts.push(paidWords(payer).replace('; USD shown are list prices', ''));
  if (next !== null) parts.push(payer?.kind === 'unknown' ? `no login found: ${next}` : next);
  return parts;
}

/** Properties that all of them share appear once. */
function downLines(
  down: readonly AgentReport[],
  width: number,
  wrapped: (head: string, parts: readonly string[]) => string[],
): string[] {
  const [first] = down;
  if (first === undefined) return [];
  const isServer = down.some((agent) => agent.payer === null && agent.install !== null);
  return [
    '➖ Endpoints that are not ready:',
    ...down.flatMap(({ name, address, install, begin }) => {
      const get = install === null ? [] : [`get it: ${install.replace(/^see /, '')}`];
      return wrapped(`   ${name.padEnd(width)}  `, [address ?? '', begin ?? '', ...get]);
    }),
    ...wrapped(' '.repeat(width + 5), [
      abilities(first),
      '--agent NAME:MODEL',
      ...(isServer ? ['check one: curl ADDRESS/models'] : []),
    ]),
  ];
}

function abilities({ can }: AgentReport): string {
  const resumes = { yes: 'resumes', tries: 'resumes where it can', no: 'does not resume' };
  const hears = {
    'at once': 'receives messages while it works',
    'after its turn': 'receives messages after its turn',
    never: 'receives no messages while it works',
  };
  const cost = { usd: 'reports USD', tokens: 'reports tokens', perhaps: 'may report its cost' };
  return [
    resumes[can.resume],
    hears[can.hears],
    cost[can.cost],
    can.sandbox ? 'has its own sandbox' : 'no own sandbox',
  ].join(', ');
}

/** Breaks only between parts, so that a command can be copied whole. */
function wrap(head: string, parts: readonly string[], indent: string, columns: number): string[] {
  const lines: string[] = [];
  let current = head + (parts[0] ?? '');
  for (const part of parts.slice(1)) {
    if (current.length + separator.length + part.length <= columns) {
      current += separator + part;
      continue;
    }
    lines.push(current);
    current = indent + part;
  }
  return [...lines, current];
}
