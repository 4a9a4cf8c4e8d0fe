// Patterns for the result lines of Python test runners. Pure.
import { first, none, type RunnerLine, summed } from '#analysis/output/runner-line.ts';

export const pythonLines: readonly RunnerLine[] = [
  { runner: 'pytest', pattern: /^(?:=+ )?no tests (?:ran|collected)\b.* in [\d.]+s\b.*$/, counts: none },
  { runner: 'pytest', pattern: /^collected 0 items(?: \/ .*)?$/, counts: none },
  {
    runner: 'pytest',
    pattern:
      /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ (?:passed|failed|skipped|deselected|errors?|warnings?|xfailed|xpassed) in [\d.]+s\b.*$/,
    counts: summed,
  },
  { runner: 'unittest', pattern: /^Ran (\d+) tests? in [\d.]+s$/, counts: first },
  {
    runner: 'unittest',
    pattern: /^(?:OK|FAILED) \((?:\w[\w ]*=\d+, )*skipped=(\d+)(?:, \w[\w ]*=\d+)*\)$/,
    // The runner counts them as run.
    counts: (_, match) => ({ executed: -Number(match[1]), skipped: Number(match[1]), isNoSign: true }),
  },
];
