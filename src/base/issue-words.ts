// Says what is wrong with a value of a configuration or task file. A schema's own messages stay.
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const types: { readonly [expected: string]: string } = {
  number: 'must be a number, such as 50',
  int: 'must be a whole number, such as 50',
  string: 'must be a text in quotes',
  boolean: 'must be true or false',
  array: 'must be a list: [ … ]',
  object: 'must be an object: { … }',
  record: 'must be an object: { … }',
};

export function issueWords(issue: Issue): string {
  const { message } = issue;
  if (!/^(?:Invalid (?:input|option)|Too (?:small|big))/.test(message)) return message;
  if (message.endsWith('received undefined')) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected] ?? message;
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(String(value)));
      return `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`;
    }
    case 'too_small':
      if (isAmount(issue.origin))
        return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : message;
    case 'too_big':
      return isAmount(issue.origin)
        ? `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`
        : message;
    case 'invalid_union':
      return 'is not written as it has to be';
    default:
      return message;
  }
}

function isAmount(origin: string): boolean {
  return origin === 'number' || origin === 'int';
}
