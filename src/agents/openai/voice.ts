// Turns a stream into events: text in batches, to keep the log short, and signs of life from silent work.
import type { AgentEvent } from '#ports/agent.ts';
import { createBoundedText, type BoundedText } from './bounded-text.ts';
import type { Listener } from './reply-fold.ts';

export interface Voice extends Listener {
  /** Sends held-back text. Contract: called before any other event, and at the end of every reply. */
  flush(): Promise<void>;
  /** Whether any part of this reply was received. */
  hasSpoken(): boolean;
  begin(): void;
}

const handful = 2_000;
const holdMs = 100;
/** Well below any limit on silence. */
const signOfLifeMs = 5_000;
const thoughtLengthMax = 2_000;

export function createVoice(push: (event: AgentEvent) => void | Promise<void>): Voice {
  let words = '';
  let timer: NodeJS.Timeout | null = null;
  let spoken = false;
  let quietSince = Date.now();
  let silent: { readonly what: 'thinking' | 'calling'; readonly text: BoundedText } | null = null;

  const emitWords = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (words === '') return;
    const text = words;
    words = '';
    quietSince = Date.now();
    await push({ type: 'text', text });
  };
  const emitSilent = async (): Promise<void> => {
    if (silent === null) return;
    const { what, text } = silent;
    silent = null;
    quietSince = Date.now();
    const shown = what === 'thinking' ? `thinking: ${text.text()}` : 'writing a tool call';
    await push({ type: 'notice', text: shown });
  };
  return {
    begin: () => {
      spoken = false;
      quietSince = Date.now();
    },
    onText: async (text) => {
      await emitSilent();
      spoken = true;
      words += text;
      if (words.length >= handful) return emitWords();
      timer ??= setTimeout(() => void emitWords(), holdMs);
    },
    onSilentWork: async (what, text) => {
      if (silent !== null && silent.what !== what) await emitSilent();
      silent ??= { what, text: createBoundedText(thoughtLengthMax) };
      silent.text.add(text);
      if (Date.now() - quietSince >= signOfLifeMs) await emitSilent();
    },
    flush: async () => {
      await emitWords();
      if (silent?.what === 'thinking') await emitSilent();
      silent = null;
    },
    hasSpoken: () => spoken,
  };
}
