// Suspensions: their conditions, when they are met, and how the run continues.
import type { Fault, NamedTest } from '../fault.ts';

const lookout = (title: string): NamedTest => ({
  file: 'src/adapters/waiting/lookout.property.test.ts',
  title,
});
const pollTest = (title: string): NamedTest => ({ file: 'src/adapters/waiting/poll-once.test.ts', title });
const fileTest = (title: string): NamedTest => ({ file: 'src/adapters/waiting/file-probe.test.ts', title });
const wakeFile = (title: string): NamedTest => ({ file: 'src/adapters/waiting/wake-file.test.ts', title });
const driving = (title: string): NamedTest => ({ file: 'src/runtime/drive-waiting.test.ts', title });
const places = (title: string): NamedTest => ({ file: 'src/kernel/waiting/places.test.ts', title });

const inTime =
  'A time is never met before the wall clock shows it, and always as soon as it does, whatever the clock does [U2]';
const looksOnce =
  'A driver checks a wait once before it leaves: one that was woken for a poll or a file continues the run [U2] [U3]';
const oneLook =
  'A poll runs once at a time, an interval after its last run ended, however often it is waited for [U3]';
const givenUp =
  'A poll is given up only by a run that began after its limit, also if no process ran it for days [U3]';
const combined = 'Combined conditions are met, given up or open as their parts say [U2]';
const noRecord =
  'A wake record that is garbage, cut, huge, of another version, a folder or a broken link is ignored [U2]';

export const suspendingFaults: readonly Fault[] = [
  {
    id: 'woken-in-vain',
    breaks: 'A run that was woken is left again unlooked, for ever.',
    file: 'src/runtime/probe-and-leave.ts',
    symbol: 'probeAndLeave',
    find: 'until.length === 0 ? null : lookout.probe(until)',
    replace: 'null',
    test: driving(looksOnce),
  },
  {
    id: 'leaves-a-request',
    breaks: 'A driver leaves although a person has just asked for something.',
    file: 'src/runtime/probe-and-leave.ts',
    symbol: 'probeAndLeave',
    find: "return mailbox.hasSome() ? 'stay' : 'leave';",
    replace: "return 'leave';",
    test: driving('A request during a poll is answered before the driver leaves [U4]'),
  },
  {
    id: 'time-too-early',
    breaks: 'A suspension ends before its time.',
    file: 'src/adapters/waiting/lookout.ts',
    symbol: 'stateIn',
    find: 'clock.now() >= simple.at',
    replace: 'clock.now() >= simple.at - 60_000',
    test: lookout(inTime),
  },
  {
    id: 'time-slept-over',
    breaks: 'A suspension ends up to a day after its time.',
    file: 'src/adapters/waiting/lookout.ts',
    symbol: 'nextAt',
    find: 'Math.min(...times, polls.nextAt(awaited), files.nextAt(awaited), now + sleepMsMax)',
    replace: 'Math.min(polls.nextAt(awaited), files.nextAt(awaited), now + sleepMsMax)',
    test: lookout(inTime),
  },
  {
    id: 'looks-overlap',
    breaks: 'A slow poll command is started again and again beside itself.',
    file: 'src/adapters/waiting/watched-polls.ts',
    symbol: 'createWatchedPolls',
    find: 'if (state.running !== null || nextPollAt',
    replace: 'if (nextPollAt',
    test: lookout(oneLook),
  },
  {
    id: 'no-interval',
    breaks: 'A poll command runs twice as often as it was asked for.',
    file: 'src/adapters/waiting/watched-polls.ts',
    symbol: 'nextPollAt',
    find: 'refusedMs) : everyMs)',
    replace: 'refusedMs) : everyMs / 2)',
    test: lookout(oneLook),
  },
  {
    id: 'given-up-unlooked',
    breaks: 'A poll expires after a night in which no process looked, although it holds.',
    file: 'src/adapters/waiting/watched-polls.ts',
    symbol: 'isExpired',
    find: 'last !== null && !last.isMet && startedAt >= until',
    replace: 'last !== null && !last.isMet && startedAt >= until - 1_800_000',
    test: lookout(givenUp),
  },
  {
    id: 'never-given-up',
    breaks: 'A poll is looked at for ever, and no person is asked.',
    file: 'src/adapters/waiting/watched-polls.ts',
    symbol: 'isExpired',
    find: 'startedAt >= until',
    replace: 'startedAt >= until + 1e12',
    test: lookout(givenUp),
  },
  {
    id: 'others-look-counts',
    breaks: 'A poll is given up by a look that another process made.',
    file: 'src/adapters/waiting/watched-polls.ts',
    symbol: 'notePoll',
    find: 'if (result !== null) {\n    state.last = result;',
    replace: "{\n    state.last = result ?? { isMet: false, words: '', looks: 0 };",
    test: lookout(
      'A poll that another process runs is not given up, and is tried again soon, whatever its interval is [U3]',
    ),
  },
  {
    id: 'looks-without-limit',
    breaks: 'Ten polls start ten commands at once.',
    file: 'src/adapters/waiting/watched-polls.ts',
    symbol: 'createWatchedPolls',
    find: 'running >= atOnceMax || closing.signal.aborted',
    replace: 'closing.signal.aborted',
    test: lookout('Each of many polls gets its turn, and no more run at once than are allowed [U3]'),
  },
  {
    id: 'look-outlives',
    breaks: 'A poll command goes on after its driver has left.',
    file: 'src/adapters/waiting/watched-polls.ts',
    symbol: 'createWatchedPolls',
    find: 'closing.abort();\n',
    replace: '',
    test: lookout('Closing the lookout aborts the poll under way and waits for its end [U3]'),
  },
  {
    id: 'any-as-all',
    breaks: 'A suspension on any of several conditions waits for all of them.',
    file: 'src/kernel/waiting/condition.ts',
    symbol: 'stateOfCondition',
    find: "condition.kind === 'any' ? ['met', 'never'] : ['never', 'met']",
    replace: "condition.kind === 'all' ? ['met', 'never'] : ['never', 'met']",
    test: lookout(combined),
  },
  {
    id: 'late-unsaid',
    breaks: 'Nobody is told that a wake-up came hours late, and why.',
    file: 'src/adapters/waiting/lookout.ts',
    symbol: 'lateness',
    find: 'lateMs < lateMsMin || whyLate === undefined',
    replace: 'whyLate === undefined || lateMs > lateMsMin',
    test: lookout(
      'A condition that is noticed late says why; within a minute and a half it is not late [U2]',
    ),
  },
  {
    id: 'half-written-file-met',
    breaks: 'A run goes on while the file it waited for is being written.',
    file: 'src/adapters/waiting/file-probe.ts',
    symbol: 'createFileProbe',
    find: 'const isStable = isOld || (isSame && now() - before.since >= stableMs);',
    replace: 'const isStable = isOld || isSame;',
    test: fileTest(
      'A condition on a growing file is met only when the file has not changed for a second [U3]',
    ),
  },
  {
    id: 'file-end-unread',
    breaks: 'The last words of a huge log are not found.',
    file: 'src/adapters/waiting/file-probe.ts',
    symbol: 'hasText',
    find: 'position: Math.max(0, size - length)',
    replace: 'position: 0',
    test: fileTest('A file is searched for the text: all of it, and of a huge one the end [U3]'),
  },
  {
    id: 'any-exit-meets',
    breaks: 'A poll that fails ends the suspension.',
    file: 'src/adapters/waiting/poll-once.ts',
    symbol: 'pollLocked',
    find: "ending.kind === 'exited' && ending.code === 0",
    replace: "ending.kind === 'exited'",
    test: pollTest('A poll is met by exit 0 alone, and reports how the command ended and its last line [U3]'),
  },
  {
    id: 'poll-hangs',
    breaks: 'A poll command that hangs blocks all later looks.',
    file: 'src/adapters/waiting/poll-once.ts',
    symbol: 'runCommand',
    find: 'wallMs: timeoutMs,',
    replace: 'wallMs: timeoutMs * 4,',
    test: pollTest(
      'A poll ends at its wall limit with everything that it started, even processes that hang, fork and ignore signals [U3]',
    ),
  },
  {
    id: 'leftovers-kept',
    breaks: 'Poll commands of killed drivers pile up.',
    file: 'src/adapters/waiting/poll-once.ts',
    symbol: 'runCommand',
    find: 'await processes.sweep(mark).catch(() => []);',
    replace: '',
    test: pollTest('A poll first ends the leftover processes of a killed poll [U3]'),
  },
  {
    id: 'poll-secret-shown',
    breaks: 'A poll command prints a key, and `status` shows it.',
    file: 'src/adapters/waiting/poll-once.ts',
    symbol: 'runCommand',
    find: 'lastLine(redactor.redact(tail.toString()))',
    replace: 'lastLine(tail.toString())',
    test: pollTest('The last line of a poll shows no secret and no escape codes of the terminal [U3]'),
  },
  {
    id: 'second-poll-unlooked',
    breaks: 'Of two poll commands in one condition only the first is run.',
    file: 'src/adapters/waiting/poll-once.ts',
    symbol: 'pollOnce',
    find: 'const before = turns.get(lockFile) ?? Promise.resolve();',
    replace: 'const before = Promise.resolve();',
    test: pollTest(
      'The same poll never runs twice at once in one process: the second waits for its turn [U3]',
    ),
  },
  {
    id: 'strange-wake-file',
    breaks: 'A wake file of a newer version confuses `untildone watch`.',
    file: 'src/adapters/waiting/wake-file.ts',
    symbol: 'isWakeRecord',
    find: 'found !== version || ',
    replace: '',
    test: wakeFile(noRecord),
  },
  {
    id: 'wake-file-kept',
    breaks: 'A run that goes on is woken again and again.',
    file: 'src/adapters/waiting/wake-file.ts',
    symbol: 'createWakeEntry',
    find: 'next(() => rm(file, { force: true }));',
    replace: '',
    test: wakeFile('A wake record names the condition of a run, until the run waits for nothing [U2]'),
  },
  {
    id: 'suspended-place-given-away',
    breaks: 'Two sessions work in one workspace while a suspended one is still ending.',
    file: 'src/kernel/decide/decide.ts',
    symbol: 'decideTasks',
    find: 'task.runningSteps > 0 && !isAsking(task)',
    replace: 'task.runningSteps > 0 && !suspended.has(task.spec.id)',
    test: places(
      'A suspended task keeps its slot until its session is gone, so that no other task uses the workspace [U1] [C6]',
    ),
  },
  {
    id: 'resumed-beside-another',
    breaks: 'A task whose wait is over starts beside the one that works in its workspace.',
    file: 'src/kernel/decide/decide.ts',
    symbol: 'decideTasks',
    find: 'if (needsPlace && busy >= places) continue;',
    replace: '',
    test: places(
      'A suspended task queues for a slot when its wait ends while another task is in work [U1] [C6]',
    ),
  },
];
