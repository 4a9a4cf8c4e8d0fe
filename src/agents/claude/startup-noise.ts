// Removes a line that Claude Code prints when it creates a missing `.claude.json`, though nothing is wrong.

const missing = String.raw`Claude configuration file not found at: .*\.claude\.json`;
const blank = String.raw`[ \t]*\r?\n`;
const backup = String.raw`A backup file exists at: .*\r?\n(?:${blank})*You can manually restore it by running: cp .*`;
const noise = new RegExp(
  String.raw`^${missing}[ \t]*\r?(?:\n|$)(?:(?:${blank})*${backup}\r?(?:\n|$))?(?:${blank})*`,
  'gm',
);

/** Removes only this sentence, in whole lines; every other complaint stays unchanged. */
export function withoutStartupNoise(text: string): string {
  if (!text.includes('Claude configuration file not found at: ')) return text;
  const rest = text.replaceAll(noise, '');
  return rest.trim() === '' ? '' : rest;
}
