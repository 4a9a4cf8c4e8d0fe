// Kinds of values that many places of config.jsonc share.
import { commitPlaceholders, unknownPlaceholders } from '#kernel/proof/commit-message.ts';
import { z } from 'zod';
import { text } from '#tasks/criteria/check-schema.ts';

export const count = z.number().int().positive();
export const flag = z.boolean().optional();

export const environment = z
  .union([z.array(text), z.record(text, z.string())])
  .meta({ description: 'Names of variables to pass on, or names with their values' });

const known = commitPlaceholders.map((name) => `{${name}}`).join(', ');

export const commitMessage = z
  .string()
  .superRefine((value, context) => {
    const [unknown] = unknownPlaceholders(value);
    const problem =
      unknown !== undefined
        ? `has the unknown placeholder ${unknown}; use ${known}`
        : !/^[^\n]*\{(?:title|id)\}/.test(value)
          ? 'must have {title} or {id} in its first line'
          : /^Untildone-/m.test(value)
            ? 'may not have lines that begin with "Untildone-"; those are added'
            : null;
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ description: `Template of a commit message: "{type}({scope}): {title}"; with ${known}` });
