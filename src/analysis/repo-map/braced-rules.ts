// Rules for strings and comments of languages with braces, and for their blocks that hold definitions.
import type { Grammar } from './grammar-names.ts';

export interface Braced {
  readonly commentsNest: boolean;
  readonly hasRegex: boolean;
  readonly hasDirectives: boolean;
  readonly strings: 'plain' | 'java' | 'csharp' | 'cpp' | 'rust';
  readonly backtick: 'raw' | 'template' | null;
  /** If it is not a string, it is a character, a lifetime or a separator. */
  readonly apostrophe: 'string' | 'character';
  /** Whether the block after these words is kept. Keeping one too many only costs time. */
  keeps(head: string): boolean;
}

const plain: Braced = {
  commentsNest: false,
  hasRegex: false,
  hasDirectives: false,
  strings: 'plain',
  backtick: null,
  apostrophe: 'character',
  keeps: () => true,
};

const script: Braced = {
  ...plain,
  hasRegex: true,
  backtick: 'template',
  apostrophe: 'string',
  keeps: (head) =>
    /\b(?:class|interface|namespace|module|enum|global|type)\b|\bexports\s*=\s*$|\b(?:const|let|var)\s*$|(?:^|\n)\s*(?:import|export)(?:\s+type)?\s*$|(?:[,:|&<]|\b(?:is|readonly|keyof|extends))\s*$/.test(
      head,
    ),
};

/** A type with brackets before its name: `struct alignas(16) Vector`, `EXPORTED(x) class Shop`. */
const marked = /\b(?:class|struct|union|enum)\s+\w+\s*\(|\)\s*(?:class|struct|union|enum)\b[\s\w]*$/;

export const bracedRules: { readonly [grammar in Grammar]?: Braced } = {
  typescript: script,
  javascript: script,
  go: { ...plain, backtick: 'raw', keeps: (head) => /\b(?:struct|interface)\b/.test(head) },
  rust: {
    ...plain,
    commentsNest: true,
    strings: 'rust',
    keeps: (head) =>
      /(?:\b(?:struct|enum|union|trait|impl|mod|extern|use)\b|::\s*$)/.test(head) && !/\bfn\s+\w/.test(head),
  },
  java: {
    ...plain,
    strings: 'java',
    keeps: (head) => /(?<!\.)\b(?:class|interface|enum|record)\b/.test(head) && !/=\s*$/.test(head),
  },
  'c-sharp': {
    ...plain,
    strings: 'csharp',
    hasDirectives: true,
    keeps: (head) =>
      /\b(?:class|struct|interface|enum|record|namespace)\b/.test(head) ||
      !/[)=]|\b(?:get|set|init|add|remove)\s*$/.test(head),
  },
  cpp: {
    ...plain,
    strings: 'cpp',
    hasDirectives: true,
    keeps: (head) =>
      /\b(?:class|struct|union|enum|namespace|extern)\b/.test(head) &&
      (!/(?:=|\)[\s\w]*)$/.test(head) || marked.test(head)),
  },
};
