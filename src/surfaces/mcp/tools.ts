// Tools of an agent inside a run: read, ask, report. None writes a verdict, approves, skips or adds budget.
import { type Fields, textOf } from '#app/rpc.ts';
import type { Control } from '#kernel/events/control.ts';
import { OperatorError } from '#base/operator-error.ts';
import { previewText, taskForAgent } from '#views/for-agents.ts';
import { utcMinute } from '#views/words.ts';
import type { OwnRun } from './own-run.ts';
import { proposalOf } from './proposal.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly input: Fields;
  use(own: OwnRun, given: Fields): Promise<string>;
}

const answerMsMax = 30_000;
const previewMsMax = 1_800_000;

export const tools: readonly Tool[] = [
  {
    name: 'read_task',
    description: 'Returns your task, its criteria and the state of each.',
    input: inputOf({}),
    use: async ({ run, task }) => taskForAgent(run, task),
  },
  {
    name: 'run_checks',
    description:
      'Previews the checks of your task: the driver runs them on your files as they are now. A preview proves nothing.',
    input: inputOf({}),
    use: runChecks,
  },
  {
    name: 'ask_person',
    description:
      'Asks the user a question that you cannot settle yourself. The answer comes with your next session, so end this one unless it is interactive.',
    input: inputOf({ question: 'One question, with the context needed to answer it.' }, ['question']),
    use: async (own, { question }) => {
      const text = wordsOf('question', question);
      await send(own, { kind: 'ask', taskId: own.task.spec.id, question: text });
      return own.isAttachedSession
        ? 'The question was sent to the user. Ask it in the chat as well. This session continues, and read_task shows the answer.'
        : 'The question was sent to the user. End your session now; the next session gets the answer.';
    },
  },
  {
    name: 'suspend_task',
    description:
      'Suspends your task for some minutes, or until a person approves. Use it to wait for something external, such as a rate limit or a deployment, not when your work is done.',
    input: {
      type: 'object',
      properties: {
        minutes: { type: 'number', description: 'Minutes to wait; leave out to wait for a person.' },
        why: { type: 'string', description: 'Reason, in one sentence.' },
      },
      required: ['why'],
      additionalProperties: false,
    },
    use: suspendTask,
  },
  {
    name: 'report_progress',
    description: 'Reports your progress to the user in one sentence. It decides nothing.',
    input: inputOf({ text: 'One or two sentences.' }, ['text']),
    use: async (own, { text }) => {
      await send(own, { kind: 'report', taskId: own.task.spec.id, text: wordsOf('text', text) });
      return 'Noted.';
    },
  },
  {
    name: 'propose_criterion',
    description: 'Proposes a new criterion, or to skip one. A person decides.',
    input: inputOf({
      text: 'The criterion, as a sentence; leave out to propose a skip.',
      check: 'A command that exits 0 when the criterion holds.',
      skip: 'Id of the criterion to skip.',
      why: 'Reason, in one sentence.',
    }),
    use: async (own, input) => {
      const change = await proposalOf(own, input);
      await send(own, {
        kind: 'propose-criterion',
        taskId: own.task.spec.id,
        change,
        why: textOf(input['why']),
      });
      return 'Proposed. A person decides. Continue with your task as it is.';
    },
  },
];

/** Within the caps of the run's settings; the kernel enforces them. */
async function suspendTask(own: OwnRun, { minutes, why }: Fields): Promise<string> {
  if (own.isAttachedSession)
    throw new OperatorError(
      'for-the-person',
      'Only the user can suspend an interactive session.',
      'Ask the user to type /untildone:suspend, for example with --time 30m.',
    );
  const since = Date.now();
  const at = minutes === undefined ? null : since + minutesOf(minutes) * 60_000;
  await send(own, {
    kind: 'ask-suspension',
    taskId: own.task.spec.id,
    condition: at === null ? { kind: 'manual' } : { kind: 'time', at },
    why: wordsOf('why', why),
    since,
  });
  const when = at === null ? 'a person approves' : utcMinute(at);
  return `Your task is suspended. End your session now. The task continues after ${when}, with your files as they are.`;
}

function minutesOf(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0 && value < 1e7) return value;
  throw new OperatorError(
    'bad-argument',
    '"minutes" must be a positive number.',
    'Leave it out to wait for a person.',
  );
}

async function runChecks({ site, run, task, by, isAttachedSession }: OwnRun): Promise<string> {
  const { previewNow } = await import('#app/controls/preview.ts');
  const preview = await previewNow(site, {
    runId: run.id,
    taskId: task.spec.id,
    by,
    msMax: previewMsMax,
    mayDrive: isAttachedSession,
  });
  if (preview.refused !== null) throw refused(preview.refused);
  return previewText(preview.run, task.spec.id, preview.previewId);
}

async function send({ site, run, by, isAttachedSession }: OwnRun, control: Control): Promise<void> {
  const { answerTo, dropControl } = await import('#app/controls/controls.ts');
  const id = await dropControl(site, run.id, control, by);
  if (isAttachedSession) {
    const { driveAndRead } = await import('#app/controls/preview.ts');
    await driveAndRead(site, run.id, AbortSignal.timeout(answerMsMax));
  }
  const answer = await answerTo(site, run.id, id, answerMsMax);
  if (answer?.refused !== undefined) throw refused(answer.refused);
}

function refused(why: string): OperatorError {
  return new OperatorError('refused', `It was refused: ${why}.`, 'Continue with your task as it is.');
}

function wordsOf(name: string, value: unknown): string {
  const text = textOf(value).trim();
  if (text !== '' && text.length <= 4000) return text;
  throw new OperatorError(
    'bad-argument',
    `"${name}" must have 1 to 4,000 characters.`,
    'Correct it and call the tool again.',
  );
}

function inputOf(properties: { readonly [name: string]: string }, required: readonly string[] = []): Fields {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }]),
    ),
    required,
    additionalProperties: false,
  };
}
