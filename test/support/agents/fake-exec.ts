// The fake codex as `codex exec --json`, also with `resume THREAD`: like the real one it sums up over the whole thread.
import { setTimeout as sleep } from 'node:timers/promises';
import { forget, isKept, keepTotal, totalOf } from './fake-threads.ts';

/** Of one turn. */
const used = { input_tokens: 100, cached_input_tokens: 40, output_tokens: 20 };
const tokensOfTurn = 120;

export async function exec(freshId: string): Promise<void> {
  let prompt = '';
  for await (const part of process.stdin) prompt += String(part);
  const say = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);
  const at = process.argv.indexOf('resume');
  const resumed = at < 0 ? null : (process.argv[at + 1] ?? '');
  if (resumed !== null && !isKept(resumed)) return refuse(resumed);
  const threadId = resumed ?? freshId;
  if (resumed === null) forget(threadId);
  say({ type: 'thread.started', thread_id: threadId });
  say({ type: 'turn.started' });
  if (prompt.includes('crashes')) {
    say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'up' } });
    process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));
    return;
  }
  if (prompt.includes('hangs')) await sleep(300_000);
  const text = prompt.includes('can-be-resumed')
    ? resumed === null
      ? 'began'
      : 'went on'
    : `hello from the agent: ${prompt}`;
  say({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } });
  if (prompt.includes('fails')) {
    say({ type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized: bad key' } });
    process.exit(1);
  }
  if (prompt.includes('says nothing more')) return;
  keepTotal(threadId, totalOf(threadId) + tokensOfTurn);
  const turns = totalOf(threadId) / tokensOfTurn;
  const usage = Object.entries(used).map(([name, count]) => [name, count * turns]);
  say({ type: 'turn.completed', usage: Object.fromEntries(usage) as object });
}

function refuse(threadId: string): void {
  const words = `no rollout found for thread id ${threadId} (code -32600)`;
  process.stderr.write(`Error: thread/resume: thread/resume failed: ${words}\n`, () => process.exit(1));
}
