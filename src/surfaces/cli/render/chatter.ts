// Shows what an agent does, as lines. The screen gets a bounded part of its output; the log has all of it.
import type { AgentEvent } from '#ports/agent.ts';
import { clean } from './words.ts';

const lineMax = 400;

export interface Chatter {
  add(stepId: string, event: AgentEvent): void;
  /** Writes text that has no line end yet. */
  flush(): void;
}

/** Contract: at most `perSecond` lines a second reach `show`, and the number of omitted lines is shown. */
export function createChatter(show: (line: string) => void, perSecond: number, now: () => number): Chatter {
  let pending = '';
  let window = 0;
  let shown = 0;
  let leftOut = 0;
  const emit = (line: string): void => {
    const second = Math.floor(now() / 1000);
    if (second !== window) {
      if (leftOut > 0) show(`… ${leftOut} more lines in the log`);
      [window, shown, leftOut] = [second, 0, 0];
    }
    shown += 1;
    if (shown > perSecond) leftOut += 1;
    else show(line.length > lineMax ? `${line.slice(0, lineMax)}…` : line);
  };
  const printText = (text: string): void => {
    const lines = (pending + text).split('\n');
    // An endless line is cut here too: only its beginning is shown.
    pending = (lines.pop() ?? '').slice(0, lineMax + 1);
    for (const line of lines) if (line.trim() !== '') emit(clean(line));
  };
  const flush = (): void => {
    if (pending.trim() !== '') emit(clean(pending));
    pending = '';
    if (leftOut > 0) show(`… ${leftOut} more lines in the log`);
    leftOut = 0;
  };
  return {
    flush,
    add(_, event) {
      if (event.type === 'text') return printText(event.text);
      const line = chatterLine(event);
      if (line === null) return;
      if (pending.trim() !== '') emit(clean(pending));
      pending = '';
      emit(line);
    },
  };
}

/** Null for events that need no line. */
export function chatterLine(event: AgentEvent): string | null {
  switch (event.type) {
    case 'text':
      return clean(event.text);
    case 'tool-call':
      return `⚙ ${clean(event.name)} ${clean(event.summary).replaceAll('\n', ' ')}`.trimEnd();
    case 'tool-result':
      return event.isError ? `✗ ${clean(event.summary).replaceAll('\n', ' ')}` : null;
    case 'notice':
      return `· ${clean(event.text).replaceAll('\n', ' ').trim()}`;
    case 'usage':
    case 'session-id':
      return null;
  }
}
