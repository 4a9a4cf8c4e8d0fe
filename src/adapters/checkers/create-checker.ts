// Creates the checker: it runs each kind of machine check and returns a finding without secrets.
import { performance } from 'node:perf_hooks';
import { errorText } from '#base/error-text.ts';
import type { MachineCheck } from '#kernel/model/check.ts';
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { Checker, CheckRequest, Finding } from '#ports/checker.ts';
import type { Redactor } from '#ports/redactor.ts';
import { checkCommand } from './command-checker.ts';
import { describeEnvironment, digestEnvironment } from './environment.ts';
import { checkFile } from './file-checker.ts';
import { openReadsLogs } from './reads-log.ts';
import { type CheckTools, type UntimedFinding, findingOf } from './tools.ts';

export function createChecker(options: CheckTools): Checker {
  const tools = { ...options, env: environmentForUserChecks(options.env) };
  return {
    // Computed on each access: programs may come and go during a run.
    get environment() {
      return describeEnvironment(tools.env);
    },
    environmentParts: () => digestEnvironment(tools.env),
    reads: openReadsLogs(options.logsDir),
    async check(request) {
      const started = performance.now();
      const spent = (): number => Math.round(performance.now() - started);
      if (request.signal.aborted)
        return notRun({ kind: 'cancelled', reason: 'cancelled before it began' }, 0);
      try {
        const found = await runCheck(request, request.criterion.check, tools);
        return withoutSecrets({ ...found, durationMs: spent() }, options.redactor);
      } catch (error) {
        const reason = errorText(error);
        return withoutSecrets(notRun({ kind: 'not-started', reason }, spent()), options.redactor);
      }
    },
  };
}

/** Loads the heavy kinds only when they are used. */
async function runCheck(
  request: CheckRequest,
  check: MachineCheck,
  tools: CheckTools,
): Promise<UntimedFinding> {
  switch (check.kind) {
    case 'command':
    case 'gate':
      return checkCommand(request, check, tools);
    case 'file':
      return checkFile(request, check);
    case 'hook':
      return findingOf('unknown', 'a hook needs an index and a checkout of its own');
    case 'held-out': {
      const { checkHeldOut } = await import('./held-out-checker.ts');
      return checkHeldOut(request, check, tools, runCheck);
    }
    case 'symbol': {
      const { checkSymbol } = await import('./symbol-checker.ts');
      return checkSymbol(request, check);
    }
    case 'http': {
      const { checkHttp } = await import('./http-checker.ts');
      return checkHttp(request, check, tools);
    }
    case 'browser': {
      const { checkBrowser } = await import('./browser-checker.ts');
      return checkBrowser(request, check, tools);
    }
  }
}

/** An answer, a page or a file may hold a secret, and these texts repeat it. */
function withoutSecrets(finding: Finding, redactor: Redactor): Finding {
  const { reason, tail, excerpt } = finding;
  return {
    ...finding,
    reason: redactor.redact(reason),
    tail: redactor.redact(tail),
    ...(excerpt === undefined ? {} : { excerpt: redactor.redact(excerpt) }),
  };
}

function notRun(ending: ProcessEnding, durationMs: number): Finding {
  return { verdict: 'unknown', reason: describeProcessEnding(ending), ending, tail: '', durationMs };
}

/** A check must not learn about the run that it judges, nor control it. */
function environmentForUserChecks(env: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('UNTILDONE_')));
}
