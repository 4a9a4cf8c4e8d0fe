// What recorded journals fold to, and their views.
import type { Fault } from '../fault.ts';

const test = {
  file: 'test/journals/folded-journals.test.ts',
  title: 'The journal $name folds to the run, the views and the next decision of its recording [X5]',
};

export const journalsFaults: readonly Fault[] = [
  {
    id: 'skipped-holds-others',
    breaks: 'What waits for a task that was skipped waits for ever.',
    file: 'src/kernel/fold/ready-tasks.ts',
    symbol: 'finishTask',
    find: "if (status.is !== 'failed') release(run, task);",
    replace: "if (status.is === 'landed') release(run, task);",
    test,
  },
  {
    id: 'untold-cost-complete',
    breaks: 'The cost of a task whose agents told none is shown as complete.',
    file: 'src/views/status/task-list.ts',
    symbol: 'costsOf',
    find: 'cost.isComplete = false;',
    replace: 'cost.isComplete = true;',
    test,
  },
];
