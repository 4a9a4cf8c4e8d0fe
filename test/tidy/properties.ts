import { isScript, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

const counting = 'test/support/assert-property.ts';

/** A property that never meets the case it is about holds for any code: each one counts, and has a floor. */
export const countedProperties: Rule = (files) =>
  files.filter((file) => isScript(file) && file.path !== counting).flatMap(uncounted);

function uncounted(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, {
    MemberExpression: (node) => {
      const name = file.text.slice(node.start, node.end);
      if (name === 'fc.assert' || name === 'fc.check')
        found.push(
          `${placeAt(file, node.start)} '${name}' counts nothing: use assertProperty of ${counting}`,
        );
    },
  });
  return found;
}
