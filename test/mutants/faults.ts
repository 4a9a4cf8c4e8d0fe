import type { Fault } from './fault.ts';
import { actionsFaults } from './faults/actions.ts';
import { adoptingFaults } from './faults/adopting.ts';
import { budgetFaults } from './faults/budget.ts';
import { calibrationFaults } from './faults/calibration.ts';
import { checkingFaults } from './faults/checking.ts';
import { checkoutsFaults } from './faults/checkouts.ts';
import { checksFaults } from './faults/checks.ts';
import { controlsFaults } from './faults/controls.ts';
import { conversationsFaults } from './faults/conversations.ts';
import { durableFaults } from './faults/durable.ts';
import { gitFaults } from './faults/git.ts';
import { journalsFaults } from './faults/journals.ts';
import { locksFaults } from './faults/locks.ts';
import { forkFaults } from './faults/forks.ts';
import { orderFaults } from './faults/order.ts';
import { planningFaults } from './faults/planning.ts';
import { policiesFaults } from './faults/policies.ts';
import { wakingFaults } from './faults/waking.ts';
import { preflightFaults } from './faults/preflight.ts';
import { processesFaults } from './faults/processes.ts';
import { proofFaults } from './faults/proof.ts';
import { runtimeFaults } from './faults/runtime.ts';
import { sessionsFaults } from './faults/sessions.ts';
import { setupFaults } from './faults/setup.ts';
import { storesFaults } from './faults/stores.ts';
import { suspendingFaults } from './faults/suspending.ts';
import { troubleFaults } from './faults/trouble.ts';
import { waitingFaults } from './faults/waiting.ts';
import { waitingCliFaults } from './faults/waiting-cli.ts';

/** Every fault that a test must notice. */
export const faults: readonly Fault[] = [
  ...proofFaults,
  ...budgetFaults,
  ...controlsFaults,
  ...policiesFaults,
  ...wakingFaults,
  ...actionsFaults,
  ...planningFaults,
  ...gitFaults,
  ...checkoutsFaults,
  ...setupFaults,
  ...checksFaults,
  ...runtimeFaults,
  ...calibrationFaults,
  ...checkingFaults,
  ...preflightFaults,
  ...sessionsFaults,
  ...conversationsFaults,
  ...adoptingFaults,
  ...storesFaults,
  ...journalsFaults,
  ...locksFaults,
  ...processesFaults,
  ...troubleFaults,
  ...waitingFaults,
  ...forkFaults,
  ...suspendingFaults,
  ...orderFaults,
  ...durableFaults,
  ...waitingCliFaults,
];
