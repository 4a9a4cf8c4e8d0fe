// The clients that we know, by the name that follows `--agent`, stands on PATH, and is the `output` of a command. In
// alphabetical order, which is the order of every list of them.
export { claude } from '#agents/claude/facts.ts';
export { codex } from '#agents/codex/facts.ts';
export { gemini } from '#agents/gemini/facts.ts';
export { opencode } from '#agents/opencode/facts.ts';
