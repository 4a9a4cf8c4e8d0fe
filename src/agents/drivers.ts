// The drivers, by the name in `agents.<name>.driver`. In alphabetical order.
export { acp } from '#agents/acp/driver.ts';
export { claude } from '#agents/claude/driver.ts';
export { codex } from '#agents/codex/driver.ts';
export { command } from '#agents/command/driver.ts';
export { openai } from '#agents/openai/driver.ts';
export { scripted } from '#agents/scripted/driver.ts';
