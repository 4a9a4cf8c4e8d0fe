import type { Delivery } from '#ports/notifier.ts';
import { terminalBell } from '#surfaces/cli/drive/notices-here.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { openHere } from '#surfaces/cli/open-here.ts';

export async function notifyTestCommand(options: { readonly json?: boolean }): Promise<number> {
  const { tryNotifiers } = await import('#app/notify.ts');
  const { trials, problems } = await tryNotifiers(await openHere(), terminalBell());
  const hasFailed = problems.length > 0 || trials.some(({ delivery }) => delivery.kind === 'failed');
  const exitCode = hasFailed ? 1 : 0;
  if (options.json === true) {
    printJson({ notifiers: trials.map(({ name, delivery }) => ({ name, ...delivery })), problems });
    return exitCode;
  }
  for (const { name, delivery } of trials) print(`${name}: ${words(delivery)}`);
  for (const problem of problems) print(`❌ ${problem}`);
  if (trials.length + problems.length === 0) print('No notification is configured: "notify" is empty.');
  return exitCode;
}

function words(delivery: Delivery): string {
  switch (delivery.kind) {
    case 'delivered':
      return '✅ sent';
    case 'skipped':
      return `⏭️  nothing sent: ${delivery.why}`;
    case 'failed':
      return `❌ not sent: ${delivery.problem}`;
  }
}
