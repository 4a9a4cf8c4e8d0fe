// Removes secrets from agent events; all later readers see only the redacted events.
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { AgentEvent } from '#ports/agent.ts';
import type { Redactor } from '#ports/redactor.ts';

export interface EventRedactor {
  /** None while text is held back, two when an event follows held text. */
  onEvent(event: AgentEvent): readonly AgentEvent[];
  end(): readonly AgentEvent[];
}

export function createEventRedactor(redactor: Redactor): EventRedactor {
  const stream = redactor.stream();
  const asText = (text: string): AgentEvent[] => (text === '' ? [] : [{ type: 'text', text }]);
  return {
    onEvent: (event) =>
      event.type === 'text'
        ? piecesOf(event.text).flatMap((piece) => asText(stream.push(piece)))
        : [...asText(stream.end()), withTexts(event, (text) => redactor.redact(text))],
    end: () => asText(stream.end()),
  };
}

/** Joining a long text to the held word would copy it: the word is completed by a short piece. */
function piecesOf(text: string): string[] {
  const end = text.length < longText ? -1 : text.slice(0, wordMax).search(/\s/);
  return end === -1 ? [text] : [text.slice(0, end + 1), text.slice(end + 1)];
}

const longText = 16 * 1024;
const wordMax = 1024;

export function redactEnding(ending: SessionEnding, { redact }: Pick<Redactor, 'redact'>): SessionEnding {
  switch (ending.kind) {
    case 'crashed':
    case 'failed':
      return { ...ending, detail: redact(ending.detail) };
    case 'cancelled':
    case 'not-started':
      return { ...ending, reason: redact(ending.reason) };
    default:
      return ending;
  }
}

export function withTexts(event: AgentEvent, change: (text: string) => string): AgentEvent {
  switch (event.type) {
    case 'text':
    case 'notice':
      return { ...event, text: change(event.text) };
    case 'tool-call':
    case 'tool-result':
      return { ...event, summary: change(event.summary) };
    case 'usage':
    case 'session-id':
      return event;
  }
}
