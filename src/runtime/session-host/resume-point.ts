// Derives from the events the id by which a later session can continue this conversation.
import { resumeIdLengthMax } from '#kernel/model/step.ts';
import type { Agent, AgentEvent, AgentSession } from '#ports/agent.ts';

export interface ResumePoint {
  onEvent(event: AgentEvent): void;
  /** Null until the client has acknowledged a turn: some clients forget a conversation in which none ran. */
  id(): string | null;
}

/** `asked`: the conversation that this session resumed. A client that repeats its id has found it. */
export function createResumePoint(asked: string | null): ResumePoint {
  let newest: string | null = null;
  let isAcknowledged = false;
  return {
    onEvent: (event) => {
      if (event.type === 'session-id') {
        if (!isId(event.id)) return;
        newest = event.id;
        isAcknowledged ||= event.id === asked;
      } else if (newest !== null) {
        isAcknowledged ||= isAnswer(event);
      }
    },
    id: () => (isAcknowledged ? newest : null),
  };
}

export function canResume({ resumes }: Agent, { isResumable }: AgentSession): boolean {
  return resumes === 'by-id' || (resumes === 'where-offered' && isResumable === true);
}

function isId(id: string): boolean {
  return id !== '' && id.length <= resumeIdLengthMax;
}

/** Only a running turn leads to these. A client that fails at once reports a usage of zero. */
function isAnswer(event: AgentEvent): boolean {
  switch (event.type) {
    case 'text':
    case 'tool-call':
    case 'tool-result':
      return true;
    case 'usage':
      return (event.usage.tokens ?? 0) > 0 || (event.usage.usd ?? 0) > 0;
    case 'notice':
    case 'session-id':
      return false;
  }
}
