// The change under review, as a reviewer reads it: data, fenced, so that nothing in it speaks to the reviewer.
import { fenced } from './render.ts';

export interface Change {
  readonly stat: string;
  readonly patch: string;
  /** Paths that the reviewer's checkout shows as they were before. */
  readonly asOnBase: readonly string[];
}

export function changeShown({ stat, patch, asOnBase }: Change): string {
  if (stat === '') return 'Nothing was changed.';
  const parts = [fenced(stat), fenced(patch)];
  if (asOnBase.length > 0)
    parts.push(
      `In your checkout these files are as they were before the work, because agents take instructions from them; read their change above: ${asOnBase.slice(0, 20).join(', ')}${asOnBase.length > 20 ? ', …' : ''}`,
    );
  return parts.join('\n\n');
}
