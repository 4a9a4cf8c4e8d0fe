// Sends notifications about a run through the configured notifiers; it never delays or fails the run.
import { basename, join } from 'node:path';
import { type Courier, createCourier, deliver } from '#adapters/notifiers/delivery.ts';
import { openNotifiedFile } from '#adapters/notifiers/notified-file.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import { notifyGraceMs, notifyLimits } from '#config/defaults.ts';
import { loadSettings } from '#config/load.ts';
import { type NotifierSpec, notifyOf, type NotifySettings } from '#config/resolve/notify.ts';
import { createRedactor } from '#config/redact.ts';
import type { Notification } from '#kernel/model/notification.ts';
import type { Delivery, Notifier } from '#ports/notifier.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Redactor } from '#ports/redactor.ts';
import type { Observer } from '#ports/world.ts';
import { notificationsOf } from '#views/notification.ts';
import { runPathsOf, type Site } from './site.ts';

export interface Surroundings {
  /** Writes to the person's terminal; null if there is none. */
  readonly terminal: ((text: string) => void) | null;
  readonly onNote: (text: string) => void;
}

export interface Notices extends Observer {
  /** Sends a notification that no fact causes; once for its id. */
  send(notification: Notification): void;
  /** Waits at most some seconds for notifications under way. */
  close(graceMs?: number): Promise<void>;
}

/** Only facts that this driver records cause notifications; those of an earlier driver are not repeated. */
export async function composeNotices(
  site: Site,
  runId: string,
  { terminal, onNote }: Surroundings,
): Promise<Notices> {
  const settings = await settingsOf(site, onNote);
  const redactor = redactorOf(site, settings);
  const note = (text: string): void => onNote(redactor.redact(text));
  settings.problems.forEach(note);
  const since = Date.now();
  const notified = openNotifiedFile(join(runPathsOf(site, runId).folder, 'told'));
  const ways: { readonly spec: NotifierSpec; readonly courier: Courier }[] = [];
  for (const spec of settings.specs) {
    const notifier = await notifierOf(site, spec, { terminal, mark: `${runId}/notify` });
    ways.push({
      spec,
      courier: createCourier(notifier, { ...notifyLimits, timeoutMs: spec.timeoutMs }, note),
    });
  }
  const view = { repository: basename(site.root), warnPercent: settings.warnPercent };
  const send = (notification: Notification): void => {
    const wanted = ways.filter(({ spec }) => wants(spec, notification, Date.now() - since));
    if (wanted.length === 0 || !notified.claim(notification.id)) return;
    const shown = redacted(notification, redactor);
    for (const { courier } of wanted) courier.offer(shown);
  };
  return {
    send,
    onEvents(run, events) {
      if (ways.length > 0) notificationsOf(run, events, view).forEach(send);
    },
    async close(graceMs = notifyGraceMs) {
      await Promise.all(ways.map(({ courier }) => courier.close(graceMs)));
    },
  };
}

export interface Trial {
  readonly name: string;
  readonly delivery: Delivery;
}

/** Sends one notification through each notifier, with a single try, and reports the results. */
export async function tryNotifiers(
  site: Site,
  terminal: Surroundings['terminal'],
): Promise<{ readonly trials: readonly Trial[]; readonly problems: readonly string[] }> {
  const { merged } = await loadSettings(site);
  const settings = notifyOf(merged, site.env);
  const redactor = redactorOf(site, settings);
  const trials = settings.specs.map(async (spec): Promise<Trial> => {
    const notifier = await notifierOf(site, spec, { terminal, mark: 'notify-test' });
    const limits = { ...notifyLimits, backoffMs: [], timeoutMs: spec.timeoutMs };
    const delivery = await deliver(notifier, trialOf(site), limits, new AbortController().signal);
    return {
      name: notifier.name,
      delivery:
        delivery.kind === 'failed' ? { ...delivery, problem: redactor.redact(delivery.problem) } : delivery,
    };
  });
  return { trials: await Promise.all(trials), problems: settings.problems };
}

function trialOf(site: Site): Notification {
  const at = new Date().toISOString();
  return {
    id: `test/${at}`,
    kind: 'test',
    title: 'A test of untildone',
    text: 'If you can read this, untildone can reach you.',
    at,
    run: '',
    repository: basename(site.root),
    goal: '',
    preset: '',
    outcome: null,
    task: null,
    commands: [],
  };
}

/** A run continues if its settings can no longer be read; then no notification is sent. */
async function settingsOf(site: Site, onNote: (text: string) => void): Promise<NotifySettings> {
  try {
    const { merged } = await loadSettings(site);
    return notifyOf(merged, site.env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    onNote(`This run sends no notifications: ${error.message}`);
    return { specs: [], problems: [], secrets: [], warnPercent: 100 };
  }
}

async function notifierOf(
  site: Site,
  spec: NotifierSpec,
  { terminal, mark }: { terminal: Surroundings['terminal']; mark: string },
): Promise<Notifier> {
  switch (spec.to) {
    case 'terminal': {
      const { createTerminalNotifier } = await import('#adapters/notifiers/terminal.ts');
      return createTerminalNotifier({ method: spec.method, write: terminal, term: site.env['TERM'] ?? '' });
    }
    case 'desktop': {
      const { createDesktopNotifier } = await import('#adapters/notifiers/desktop.ts');
      return createDesktopNotifier(await placeOf(site, spec, mark), process.platform);
    }
    case 'command': {
      const { createCommandNotifier } = await import('#adapters/notifiers/command.ts');
      return createCommandNotifier(await placeOf(site, spec, mark), spec.command);
    }
    case 'webhook': {
      const { createWebhookNotifier } = await import('#adapters/notifiers/webhook.ts');
      return createWebhookNotifier({ ...spec, now: Date.now });
    }
  }
}

/** Without its own namespace: a desktop notifier must see the desktop. */
async function placeOf(site: Site, spec: NotifierSpec, mark: string) {
  const { createProcesses } = await import('#adapters/processes/create-processes.ts');
  return {
    processes: createProcesses({ confine: 'marker' }),
    cwd: site.root,
    env: allowedEnvironment(site.env, spec.to === 'command' ? spec.env : []),
    mark,
    timeoutMs: spec.timeoutMs,
  };
}

function wants({ on, afterMs }: NotifierSpec, { kind }: Notification, workedMs: number): boolean {
  return workedMs >= afterMs && (on === null || on.includes(kind));
}

function redactorOf(site: Site, { secrets }: NotifySettings): Redactor {
  const ours = secrets.map((secret, index) => [`SECRET of webhook ${index + 1}`, secret] as const);
  return createRedactor({ ...site.env, ...Object.fromEntries(ours) });
}

/** An agent's question may contain secrets that it has read. */
function redacted(notification: Notification, redactor: Redactor): Notification {
  const redact = (words: string): string => redactor.redact(words);
  const { title, text, goal } = notification;
  return { ...notification, title: redact(title), text: redact(text), goal: redact(goal) };
}
