import { isScript, isTest, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

// Written in two halves, so that this file does not break its own rule.
const unfinished = new RegExp(`\\b(${['TO', 'FIX', 'XX'].join('|')})(DO|ME|X)\\b`);

export const noUnfinished: Rule = (files) =>
  files.flatMap((file) => linesMatching(file, unfinished).map((place) => `${place} is marked as unfinished`));

/** A test that is switched off shows nothing; `skipIf` and `runIf` name their reason and are counted. */
export const noSwitchedOffTests: Rule = (files) =>
  files.filter((file) => isTest(file) && isScript(file)).flatMap(switchedOff);

function switchedOff(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, {
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
      const isTestCall = /^(test|it|describe)$/.test(node.object.name);
      const isOff = /^(skip|only|todo|fails)$/.test(node.property.name);
      if (isTestCall && isOff) {
        found.push(
          `${placeAt(file, node.start)} '${node.object.name}.${node.property.name}' switches tests off`,
        );
      }
    },
  });
  return found;
}

export function linesMatching(file: SourceFile, pattern: RegExp): string[] {
  return file.text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}`] : []));
}
