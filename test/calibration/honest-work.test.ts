import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Calibrated } from '#test/calibration-bed.ts';
import { reviewerCriterion } from '#test/simulated/simulated-run.ts';
import { firstPythonTests, type HonestCase, honestCases } from './honest-cases.ts';

const isHere = (program: string): boolean =>
  ['--version', 'version'].some((argument) => spawnSync(program, [argument]).status === 0);
const here = new Map(
  [...new Set(Object.values(honestCases).map(({ needs }) => needs))].map((program) => [
    program,
    isHere(program),
  ]),
);

function accept({ needs: _needs, proof: _proof, goal, ...given }: HonestCase): Promise<Calibrated> {
  const config = goal === undefined ? {} : { config: { goal } };
  return calibrateCase({ ...given, isAlone: true, more: [reviewerCriterion], ...config });
}

function proofOf({ base, calibration }: Calibrated): HonestCase['proof'] {
  if (calibration.some(({ kind, verdict }) => kind === 'added-tests' && verdict === 'passed')) return 'added';
  const isGreen = base.verdict === 'pass';
  return isGreen || calibration.some(({ restsOnAddedFiles }) => restsOnAddedFiles) ? 'review' : 'flip';
}

async function judge(given: HonestCase) {
  const seen = await accept(given);
  const refused = seen.calibration.filter(({ verdict }) => verdict === 'refused');
  return { verdict: seen.evidence.verdict, proof: proofOf(seen), refused };
}

describe('Honest work', () => {
  const passed = ({ proof }: HonestCase) => ({ verdict: 'pass', proof, refused: [] });

  for (const [title, given] of Object.entries(honestCases))
    it.skipIf(here.get(given.needs) !== true)(
      `Calibration does not refuse ${title} (needs ${given.needs}) [X7]`,
      async () => {
        expect(await judge(given)).toEqual(passed(given));
      },
    );

  it.skipIf(!isHere('pytest'))(
    'Calibration does not refuse the first tests of a project if its goal asks for them (needs pytest) [X7]',
    async () => {
      expect(await judge(firstPythonTests)).toEqual(passed(firstPythonTests));
    },
  );
});
