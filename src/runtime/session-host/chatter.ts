// Limits the events shown by the driver: all of a quiet session, the newest text of a flood.
import type { AgentEvent } from '#ports/agent.ts';
import { withTexts } from './redact-events.ts';

export interface Chatter {
  onEvent(event: AgentEvent): void;
  stop(): void;
}

/** More than a screen can show or a person can read. */
const textLengthMax = 2_000;
const summaryLengthMax = 400;
const pauseMs = 100;
/** Other events per pause; a quiet agent stays far below. */
const eventsMax = 40;

export function createChatter(show: (event: AgentEvent) => void): Chatter {
  let text = '';
  let shown = 0;
  let timer: NodeJS.Timeout | null = null;

  const flushText = (): void => {
    if (text === '') return;
    show({ type: 'text', text });
    text = '';
  };
  const nextPause = (): void => {
    timer = null;
    shown = 0;
    flushText();
  };
  const startPause = (): void => {
    timer ??= setTimeout(nextPause, pauseMs).unref();
  };

  return {
    onEvent: (event) => {
      if (event.type === 'text') {
        text = newest(text, event.text);
        return startPause();
      }
      startPause();
      shown += 1;
      if (shown > eventsMax) return;
      flushText();
      show(shortened(event));
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      flushText();
    },
  };
}

function newest(before: string, piece: string): string {
  if (piece.length >= textLengthMax) return piece.slice(-textLengthMax);
  return (before + piece).slice(-textLengthMax);
}

function shortened(event: AgentEvent): AgentEvent {
  const short = withTexts(event, cut);
  return short.type === 'tool-call' ? { ...short, name: cut(short.name) } : short;
}

function cut(text: string): string {
  return text.length <= summaryLengthMax ? text : `${text.slice(0, summaryLengthMax)}…`;
}
