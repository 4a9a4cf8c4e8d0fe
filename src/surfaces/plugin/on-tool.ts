// Refuses tools by which an agent could have our commands typed later, while its session belongs to a run.
import type { Links } from '#app/attached.ts';
import { type HookAnswer, type HookInput, silence } from './hook.ts';

export function onTool({ sessionId, toolInput }: HookInput, links: Links): HookAnswer {
  if (!/untildone:/i.test(toolInput) || links.read(sessionId) === null) return silence;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Only the person may use the commands of untildone in this session.',
    },
  };
}
