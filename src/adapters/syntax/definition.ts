import type { SymbolCheck } from '#kernel/model/check.ts';

export interface Definition {
  readonly name: string;
  /** `export` re-exports another file's definition. A component is a function or class returning markup. */
  readonly what: 'function' | 'class' | 'type' | 'variable' | 'component' | 'method' | 'export';
  readonly isExported: boolean;
  /** Inside the body of a function, so no other code can reach it. */
  readonly isLocal: boolean;
  /** False in a branch that is never taken, and for a local definition that nothing around it names. */
  readonly isReached: boolean;
  /** Written as a class, whatever its use. */
  readonly isClass: boolean;
  /** The class, module or receiver that it belongs to. */
  readonly within: string | null;
  readonly line: number;
}

/** Whether a definition is what a check asks for; `Account.balance` names a member of a class. */
export function isAsked(
  definition: Definition,
  asked: { readonly name: string; readonly what: Exclude<SymbolCheck['what'], 'use'> },
): boolean {
  return definition.isReached && isNamed(definition, asked);
}

/** As `isAsked`, whether it is reachable or not. */
export function isNamed(
  definition: Definition,
  asked: { readonly name: string; readonly what: Exclude<SymbolCheck['what'], 'use'> },
): boolean {
  return hasName(definition, asked.name) && isOfKind(definition, asked.what);
}

function hasName({ name, within }: Definition, asked: string): boolean {
  const parts = asked.split(/\.|::|#/);
  const last = parts.at(-1);
  return parts.length === 1 ? name === asked : name === last && within === parts.at(-2);
}

function isOfKind(definition: Definition, what: Exclude<SymbolCheck['what'], 'use'>): boolean {
  switch (what) {
    case 'any':
      return true;
    case 'export':
      return definition.isExported;
    case 'function':
      return ['function', 'method', 'component'].includes(definition.what) && !definition.isClass;
    case 'class':
      return definition.isClass;
    case 'type':
      return definition.what === 'type' || definition.isClass;
    case 'component':
      return definition.what === 'component';
    case 'variable':
      return definition.what === 'variable';
  }
}
