// Removes secrets from everything that a recording keeps.
import type { Action, FileText } from '#agents/scripted/script.ts';
import type { Redactor } from '#ports/redactor.ts';

export function redactActions(
  actions: readonly Action[],
  redactor: Pick<Redactor, 'redact'>,
): { readonly actions: Action[]; readonly count: number } {
  let count = 0;
  const clean = (text: string): string => {
    const redacted = redactor.redact(text);
    if (redacted !== text) count += 1;
    return redacted;
  };
  return { actions: actions.map((action) => redacted(action, clean)), count };
}

function redacted(action: Action, clean: (text: string) => string): Action {
  if ('say' in action) return { say: clean(action.say) };
  if ('tool' in action) return { tool: clean(action.tool), summary: clean(action.summary ?? '') };
  if ('write' in action) return { write: redactedFile(action.write, clean) };
  if ('link' in action) return { link: { ...action.link, target: clean(action.link.target) } };
  if ('fail' in action) return { fail: { ...action.fail, detail: clean(action.fail.detail) } };
  return action;
}

/** Treats each byte as one character, so that only a secret changes. */
function redactedFile(file: FileText, clean: (text: string) => string): FileText {
  if (file.encoding === undefined) return { ...file, text: clean(file.text) };
  const bytes = Buffer.from(file.text, 'base64').toString('latin1');
  return { ...file, text: Buffer.from(clean(bytes), 'latin1').toString('base64') };
}
