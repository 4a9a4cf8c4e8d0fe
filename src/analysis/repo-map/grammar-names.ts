// Maps file endings to the available grammars.
export type Grammar = keyof typeof extensions;

const extensions = {
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  python: ['py', 'pyi'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  'c-sharp': ['cs'],
  // The C++ grammar reads C well enough.
  cpp: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'h', 'c'],
  php: ['php'],
  ruby: ['rb', 'rake'],
  bash: ['sh', 'bash'],
} as const;

const grammarOfExtension = new Map(
  Object.entries(extensions).flatMap(([grammar, names]) =>
    names.map((name) => [name as string, grammar as Grammar] as const),
  ),
);

/** Null for a file that no grammar reads. */
export function grammarOf(path: string): Grammar | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot < 1 ? null : (grammarOfExtension.get(name.slice(dot + 1).toLowerCase()) ?? null);
}
