// Claude Code in a terminal, at its prompt; its first-start questions are already answered.
import { join } from 'node:path';
import { packageFolder } from '../package.ts';
import type { Place } from '../place.ts';
import type { Screen } from '../screen.ts';
import { until } from '../wait.ts';
import { claude, claudeEnv } from './claude-place.ts';
import type { Model } from './model.ts';

export function clientEnv(model: Model): { readonly [name: string]: string } {
  return { ...claudeEnv(model), IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };
}

/** What a person has clicked away long ago: the tour, the key, the folder, the dangers. */
export function trustEverything(place: Place): void {
  const folder = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const answered = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: ['sk-of-nobody'], rejected: [] },
    projects: { [place.repo]: folder },
  };
  place.write('home/.claude.json', JSON.stringify(answered));
  place.write('home/.claude/settings.json', JSON.stringify({ skipDangerousModePermissionPrompt: true }));
}

export async function openClient(screen: Screen, args: readonly string[]): Promise<void> {
  const plugin = join(packageFolder(), 'plugin');
  const words = [claude.program, '--dangerously-skip-permissions', '--plugin-dir', plugin, ...args];
  screen.write(`clear; ${words.map((word) => `'${word}'`).join(' ')}; echo "ended with $?"\n`);
  await shows(screen, 'bypass permissions on');
}

/** A line is sent when the client has shown it: keys that come too early are lost. */
export async function type(screen: Screen, line: string, then: string): Promise<void> {
  screen.write(line);
  await seen(screen, `${line} in the prompt`, (text) => promptOf(text) === line);
  screen.key('Enter');
  await shows(screen, then);
}

function promptOf(text: string): string {
  const line = text.split('\n').findLast((one) => one.startsWith('❯')) ?? '';
  return line.slice(1).trim();
}

function shows(screen: Screen, what: string): Promise<void> {
  return seen(screen, what, (text) => text.includes(what));
}

async function seen(screen: Screen, what: string, isSeen: (text: string) => boolean): Promise<void> {
  try {
    await until(what, () => isSeen(screen.text()), { stepMs: 100 });
  } catch (error) {
    throw new Error(`${String(error)}; the screen:\n${screen.text()}`);
  }
}
