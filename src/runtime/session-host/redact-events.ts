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
        ? asText(stream.push(event.text))
        : [...asText(stream.end()), withTexts(event, (text) => redactor.redact(text))],
    end: () => asText(stream.end()),
  };
}

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
