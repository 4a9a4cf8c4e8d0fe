// Added tests inside product code: they cannot run without it.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Calibrated, calibrateReviewed, type Files } from '#test/calibration-bed.ts';
import type { Calibration } from '#kernel/model/calibration.ts';

const hasCargo = spawnSync('cargo', ['--version']).status === 0;
if (!hasCargo) process.stderr.write('NOT RUN: cargo is missing; inline tests are not tested.\n');

const manifest: Files = {
  '.gitignore': 'target\nCargo.lock\n',
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
};
const wrong = 'pub fn shout(_: &str) -> String {\n    String::new()\n}\n';
const vacuous = '\n#[test]\nfn shouts() {\n    let _ = shout("a");\n}\n';
const gap =
  'pub fn gap(a: i64, b: i64) -> i64 {\n    a - b\n}\n\n#[test]\nfn gaps() {\n    assert_eq!(gap(3, 1), 2);\n}\n';

function accept(base: Files, work: Files): Promise<Calibrated> {
  return calibrateReviewed({ base, work, check: 'cargo test --offline --lib' });
}

function of(kind: Calibration['kind'], { calibration }: Calibrated): Calibration | undefined {
  return calibration.find((one) => one.kind === kind);
}

describe.skipIf(!hasCargo)('Added inline tests', () => {
  it('A check whose only tests are added inline tests does not count as turned green [X8]', async () => {
    const seen = await accept({ 'README.md': 'x\n' }, { ...manifest, 'src/lib.rs': wrong + vacuous });
    expect(seen.evidence.verdict).toBe('pass');
    expect(of('added-tests', seen)).toMatchObject({
      verdict: 'none',
      restsOnAddedFiles: true,
      files: ['src/lib.rs'],
    });
    expect(of('added-tests', seen)?.reason).toContain('src/lib.rs holds tests that came with the work');
  });

  it('A check that had tests before still counts as turned green beside added inline tests [X7]', async () => {
    const base = { ...manifest, 'src/lib.rs': gap.replace('a - b', 'a + b') };
    const work = { 'src/lib.rs': `pub mod loud;\n\n${gap}`, 'src/loud.rs': wrong + vacuous };
    const seen = await accept(base, work);
    expect(seen.calibration.some(({ restsOnAddedFiles }) => restsOnAddedFiles)).toBe(false);
    expect(of('negation', seen)).toMatchObject({ verdict: 'passed' });
  });

  it('Added inline tests are named as the reason if a green check proves nothing [X7]', async () => {
    const base = { ...manifest, 'src/lib.rs': gap };
    const seen = await accept(base, { 'src/lib.rs': gap + wrong + vacuous });
    expect(of('added-tests', seen)).toMatchObject({ verdict: 'none', files: ['src/lib.rs'] });
    expect(of('added-tests', seen)?.reason).toContain('src/lib.rs holds tests that came with the work');
    const same = await accept(base, { 'src/lib.rs': gap + wrong });
    expect(of('added-tests', same)).toBeUndefined();
  });
});
