import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from './program.ts';
import { columnsOf } from '#surfaces/cli/render/width.ts';

function helpLines(): string[] {
  const program = createProgram(() => {}).configureOutput({ getOutHelpWidth: () => 80 });
  return program.helpInformation().split('\n');
}

it('The help shows each command on one line of an 80-column terminal, under the heading of its group', () => {
  const lines = helpLines();
  const commands = lines.slice(lines.indexOf('Start:')).filter((line) => line !== '');
  const { commands: all } = createProgram(() => {});
  const shown = all.map((command) => command.name()).filter((name) => !['wake', 'hook'].includes(name));
  expect(commands.flatMap((line) => /^ {2}([a-z-]+) +\S/.exec(line)?.slice(1) ?? [])).toEqual(shown);
  expect(commands.filter((line) => !/^ {2}[a-z-]+ +\S/.test(line))).toEqual([
    'Start:',
    'Follow:',
    'Decide:',
    'Steer:',
    'Prove and land:',
    'Set up:',
    'For agents:',
  ]);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

/** Everything that `--help` prints, with the texts after it. */
function fullHelp(command: Command): string {
  let text = '';
  command.configureOutput({ getOutHelpWidth: () => 80, writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const withBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withBelow)];

it.each(withBelow(createProgram(() => {})).map((command) => [command.name(), command] as const))(
  'The help of %s fits an 80-column terminal, examples included',
  (_, command) => {
    const lines = fullHelp(command).split('\n');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.filter((line) => columnsOf(line) > 80)).toEqual([]);
  },
);
