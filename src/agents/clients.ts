// The known clients. Their name is used for `--agent`, for the program on PATH, and for the `output` of a
// command. In alphabetical order, which is the order of every list of them.
export { claude } from '#agents/claude/facts.ts';
export { codex } from '#agents/codex/facts.ts';
export { gemini } from '#agents/gemini/facts.ts';
export { opencode } from '#agents/opencode/facts.ts';
