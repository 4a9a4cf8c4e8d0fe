// What keeps a read-only role from writing: it is given few tools, and a hook refuses all others, whoever brings them.
import type { ClaudeOptions } from './claude-options.ts';

/** Never of a read-only role, whatever its list says. */
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
 * For `--settings` of the program: hooks of its own shell, which need nothing of us. They are switched on
 * explicitly, because a settings file in the workspace could switch all hooks off.
 */
export function readOnlySettings(options: ClaudeOptions): object {
  const names = [...readOnlyTools(options), 'StructuredOutput'].map((name) =>
    name.replaceAll(/[^\w]/g, String.raw`\$&`),
  );
  return {
    disableAllHooks: false,
    hooks: {
      PreToolUse: [
        // The words first, so that the names that matter most do not hang on a clever pattern.
        { matcher: [...writeTools].join('|'), hooks: [refuse] },
        { matcher: `^(?!(?:${names.join('|')})$)`, hooks: [refuse] },
      ],
    },
  };
}

const refuse = { type: 'command', command: `echo '${refusal}' >&2; exit 2` };
