import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '#surfaces/cli/program.ts';
import { withRun, withRunOption } from './run-option.ts';

function parse(...words: string[]) {
  const seen: unknown[] = [];
  const program = new Command('untildone').exitOverride();
  const group = withRun(program.command('criteria'))
    .option('--json')
    .action((run: string | undefined, options: object) => void seen.push(['criteria', run, options]));
  withRunOption(group.command('explain'))
    .argument('<id>')
    .action(
      (id: string, _: object, command: Command) => void seen.push(['explain', id, command.optsWithGlobals()]),
    );
  program.parse(words, { from: 'user' });
  return seen;
}

describe('the run of a command', () => {
  it('A run is named by its position or by --run, and the command sees no difference [D5]', () => {
    expect(parse('criteria')).toEqual([['criteria', undefined, {}]]);
    expect(parse('criteria', 'r1')).toEqual([['criteria', 'r1', {}]]);
    for (const words of [
      ['criteria', '--run', 'r1'],
      ['criteria', '--run=r1'],
      ['criteria', 'r1', '--run', 'r1'],
    ])
      expect(parse(...words)).toEqual([['criteria', 'r1', {}]]);
  });

  it('Two different runs are refused, and the error names both [D5]', () => {
    expect(() => parse('criteria', 'r1', '--run', 'r2')).toThrow(
      expect.objectContaining({
        code: 'two-runs',
        message: 'Two runs are given: r1, and --run r2.',
        hint: 'Name one: untildone criteria --run r2',
      }) as Error,
    );
  });

  it('A subcommand keeps its own argument beside --run of its group [D5]', () => {
    expect(parse('criteria', 'explain', 'AC-1', '--run', 'r1')).toEqual([['explain', 'AC-1', { run: 'r1' }]]);
    expect(parse('criteria', '--run', 'r1', 'explain', 'AC-1')).toEqual([['explain', 'AC-1', { run: 'r1' }]]);
  });

  it('Every command that takes a run accepts --run [D5]', () => {
    // `wake` is for `watch` alone.
    const commands = createProgram(() => {}).commands.filter((command) => command.name() !== 'wake');
    const accepting = commands
      .filter(({ options }) => options.some(({ long }) => long === '--run'))
      .map((command) => command.name());
    const placed = commands
      .filter(({ registeredArguments: [first] }) => /^run\b/.test(first?.name() ?? ''))
      .map((command) => command.name());
    expect(placed.filter((name) => !accepting.includes(name))).toEqual([]);
    const setUp = [
      'doctor',
      'config',
      'notify',
      'init',
      'demo',
      'plugin',
      'hook',
      'watch',
      'help',
      'completion',
    ];
    const others = ['run', 'stats', 'list', 'session', 'queue', 'import', 'map', ...setUp];
    const all = commands.map((command) => command.name());
    expect(accepting.toSorted()).toEqual(all.filter((name) => !others.includes(name)).toSorted());
  });
});
