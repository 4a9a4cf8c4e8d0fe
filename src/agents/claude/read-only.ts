// Keeps a read-only role from writing: it gets few tools, and a hook refuses all others, from any source.
import type { ClaudeOptions } from './claude-options.ts';

/** Never for a read-only role, even if its list names them. */
const writeTools = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

export const refusal = 'This role is read-only: it may look and run, and it may not use this tool.';

export function readOnlyTools(options: ClaudeOptions): readonly string[] {
  return options.readOnlyTools.filter((tool) => !writeTools.has(tool));
}

/** For the callback of the SDK. */
export function isRefused(options: ClaudeOptions, tool: string): boolean {
  return !readOnlyTools(options).includes(tool) && tool !== 'StructuredOutput';
}

/**
 * For `--settings` of the program: hooks that its own shell runs, independent of us. They are enabled
 * explicitly, because a settings file in the workspace could disable all hooks.
 */
export function readOnlySettings(options: ClaudeOptions): object {
  const names = [...readOnlyTools(options), 'StructuredOutput'].map((name) =>
    name.replaceAll(/[^\w]/g, String.raw`\$&`),
  );
  return {
    disableAllHooks: false,
    hooks: {
      PreToolUse: [
        // Plain names first, so that the most important tools do not depend on a complex pattern.
        { matcher: [...writeTools].join('|'), hooks: [refuse] },
        { matcher: `^(?!(?:${names.join('|')})$)`, hooks: [refuse] },
      ],
    },
  };
}

const refuse = { type: 'command', command: `echo '${refusal}' >&2; exit 2` };
