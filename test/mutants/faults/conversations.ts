// Conversations that continue over several sessions: their ids, their ends, their cost.
import type { Fault } from '../fault.ts';

export const conversationsFaults: readonly Fault[] = [
  {
    id: 'id-before-answer',
    breaks:
      'A run tries to continue a conversation that its client has forgotten, because no turn ran in it.',
    file: 'src/runtime/session-host/resume-point.ts',
    symbol: 'createResumePoint',
    find: 'id: () => (isAcknowledged ? newest : null)',
    replace: 'id: () => newest',
    test: {
      file: 'src/runtime/session-host/resume-point.test.ts',
      title: 'A conversation id is not known while the client has answered with %s [A1]',
    },
  },
  {
    id: 'id-without-resume',
    breaks: 'A run is told that it can continue a conversation with an agent that cannot resume.',
    file: 'src/runtime/session-host/resume-point.ts',
    symbol: 'canResume',
    find: "resumes === 'by-id' || (resumes === 'where-offered' && isResumable === true)",
    replace: "resumes !== 'no' || isResumable === true",
    test: {
      file: 'src/runtime/session-host/resume-point.test.ts',
      title: 'An agent that cannot resume never reports a conversation id [A1]',
    },
  },
  {
    id: 'id-of-gone-conversation',
    breaks: 'A run tries again and again to continue a conversation that is gone.',
    file: 'src/runtime/session-host/host-session.ts',
    symbol: 'live',
    find: 'state.resumeId === null || isConversationGone(ending)',
    replace: 'state.resumeId === null',
    test: {
      file: 'src/runtime/session-host/resume-point.test.ts',
      title: 'A conversation that is gone has no reported id [A1]',
    },
  },
  {
    id: 'new-conversation-gone',
    breaks: 'An agent whose new conversations fail is started again without an attempt being counted.',
    file: 'src/runtime/session-host/outcome-of-session.ts',
    symbol: 'classOf',
    find: "errorClass === 'conversation-gone' && !isResumed ? 'other' : errorClass",
    replace: 'errorClass',
    test: {
      file: 'src/runtime/session-host/resume-point.test.ts',
      title: 'A session that began a new conversation cannot have lost one [A1]',
    },
  },
  {
    id: 'turn-not-interrupted',
    breaks: 'A turn that does not hear the request to wrap up is killed, and its conversation is lost.',
    file: 'src/runtime/session-host/limits.ts',
    symbol: 'wrapUp',
    find: 'after(limits.graceMs / 2, () => interrupt(tooLong));',
    replace: '',
    test: {
      file: 'src/runtime/session-host/wrap-up.test.ts',
      title:
        'An overdue turn gets the request of its loop, is interrupted after half of the grace, and closed at its end [A5]',
    },
  },
  {
    id: 'interrupted-by-itself',
    breaks: 'A turn that was cut off by its time limit counts as paused by the user.',
    file: 'src/runtime/session-host/outcome-of-session.ts',
    symbol: 'endingOf',
    find: "return interruptedAs ?? { kind: 'interrupted', resumeId: result.resumeId };",
    replace: "return { kind: 'interrupted', resumeId: result.resumeId };",
    test: {
      file: 'src/runtime/session-host/wrap-up.test.ts',
      title:
        'An overdue turn that stops at the interrupt ends as timed out, and its conversation can be continued [A5]',
    },
  },
  {
    id: 'interrupted-twice',
    breaks: 'Codex never answers a second interrupt, so the session hangs until it is killed.',
    file: 'src/runtime/session-host/conversation.ts',
    symbol: 'createInterrupt',
    find: 'if (isDone || ',
    replace: 'if (',
    test: {
      file: 'src/runtime/session-host/wrap-up.test.ts',
      title: 'An overdue turn is interrupted once, whether the user or the clock came first [A5] [A6]',
    },
  },
  {
    id: 'gone-counts-attempt',
    breaks: 'A paused session that its client lost uses up an attempt.',
    file: 'src/policies/loops/builder-session.ts',
    symbol: 'whatBuildLeft',
    find: "if (isConversationGone(build.ending)) return 'again';",
    replace: '',
    test: {
      file: 'src/policies/loops/builder-session.test.ts',
      title: 'A builder whose client lost the paused conversation begins a new one in the same attempt [Q5]',
    },
  },
  {
    id: 'gone-review-counts',
    breaks: 'A reviewer whose paused session was lost counts as one without a verdict.',
    file: 'src/policies/loops/read-review.ts',
    symbol: 'readReview',
    find: "if (isConversationGone(ending)) return { kind: 'none' };",
    replace: '',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title:
        'A verifier whose client lost the interrupted conversation starts again, and nothing counts against it [Q5]',
    },
  },
  {
    id: 'gone-forgets-messages',
    breaks: 'What the user said is lost with the conversation that the client lost.',
    file: 'src/kernel/fold/apply-step.ts',
    symbol: 'isUnheard',
    find: 'notAdmitted === true || isConversationGone(ending)',
    replace: 'notAdmitted === true',
    test: {
      file: 'src/policies/loops/builder-session.test.ts',
      title: 'A builder whose client lost the paused conversation begins a new one in the same attempt [Q5]',
    },
  },
  {
    id: 'codex-history-paid-twice',
    breaks: 'Each session of one Codex thread is charged with all sessions before it.',
    file: 'src/agents/codex/exec-session.ts',
    symbol: 'resultOf',
    find: 'since(before ?? noTokens, state.tokens)',
    replace: 'since(noTokens, state.tokens)',
    test: {
      file: 'src/agents/codex/codex-agent.test.ts',
      title:
        'Each of ten exec sessions of one thread counts only its own usage, although codex reports sums [A1] [X1]',
    },
  },
  {
    id: 'acp-history-paid-twice',
    breaks: 'Each session of one conversation over ACP is charged with all sessions before it.',
    file: 'src/agents/acp/count-usage.ts',
    symbol: 'createUsageCount',
    find: 'costBefore = cost ?? before ?? 0;',
    replace: 'costBefore = cost ?? 0;',
    test: {
      file: 'src/agents/acp/hold-turns.test.ts',
      title:
        'A resume by %s counts for each of ten sessions of one conversation only its own usage [A1] [X1]',
    },
  },
  {
    id: 'claude-history-paid-twice',
    breaks:
      'Each session of one conversation of an older Claude Code is charged with all sessions before it.',
    file: 'src/agents/claude/claude-usage.ts',
    symbol: 'createUsageTally',
    find: 'else if (isResumed) settled = add(settled, counted);',
    replace: '',
    test: {
      file: 'src/agents/claude/claude-agent.test.ts',
      title:
        'The claude agent by %s with %j counts for each of ten sessions of one conversation only its own usage [A1] [X1]',
    },
  },
  {
    id: 'claude-gone-unheard',
    breaks: 'A conversation that Claude Code lost ends the run, because a new release words it otherwise.',
    file: 'src/agents/claude/claude-ending.ts',
    symbol: 'failed',
    find: 'isGone(text, state) || isNeverBegun(result, found, state)',
    replace: 'isGone(text, state)',
    test: {
      file: 'src/agents/claude/claude-agent.test.ts',
      title:
        'The claude agent by %s ends as gone if the client lacks the conversation, as reported by %j [A1]',
    },
  },
  {
    id: 'codex-interrupted-twice',
    breaks: 'Codex is asked twice to stop one turn, and never answers.',
    file: 'src/agents/codex/app-server.ts',
    symbol: 'sessionOf',
    find: 'if (stage.isStopping) {\n        await link.ended;\n        return;\n      }',
    replace: '',
    test: {
      file: 'src/agents/codex/codex-agent.test.ts',
      title:
        'A codex session is interrupted once, however often it is asked: codex never answers a second time [A5] [Q5]',
    },
  },
  {
    id: 'codex-stuck-thread',
    breaks: 'A thread that Codex never answers for ends the run as an agent that cannot be started.',
    file: 'src/agents/codex/open-thread.ts',
    symbol: 'continueThread',
    find: 'if (!isRefused && !(error instanceof NoAnswer)) throw error;',
    replace: 'if (!isRefused) throw error;\n    if (!(error instanceof RpcError)) throw error;',
    test: {
      file: 'src/agents/codex/codex-agent.test.ts',
      title: 'A thread that %s counts as gone [A1]',
    },
  },
  {
    id: 'acp-begins-anew',
    breaks: 'An agent over ACP that lost a session gets a prompt that was written for it.',
    file: 'src/agents/acp/open-session.ts',
    symbol: 'enter',
    find: 'throw new ResumeRefused(error);',
    replace: "return peer.request('session/new', place);",
    test: {
      file: 'src/agents/acp/hold-turns.test.ts',
      title: 'A resumed session ends as gone if the agent %s, and starts no new conversation [A1]',
    },
  },
  {
    id: 'damaged-id-adopted',
    breaks: 'A damaged receipt gives a run an id that no client has told.',
    file: 'src/adapters/sessions/session-result.ts',
    symbol: 'parseSessionResult',
    find: '(resumeId === undefined || isResumeId(resumeId))',
    replace: '(resumeId === undefined || isResumeId(resumeId) || true)',
    test: {
      file: 'src/adapters/sessions/session-result.test.ts',
      title: 'A session result is unreadable if its conversation id is %j [A1]',
    },
  },
];
