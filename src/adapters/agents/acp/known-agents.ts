// What particular agents need beside the protocol.

/** Its plan mode still runs any shell command, and a refused permission ends its turn: it goes without these tools. */
const openCodeReadOnly = JSON.stringify({ edit: 'deny', bash: 'deny', external_directory: 'deny' });

export function readOnlyEnv(command: string | readonly string[]): { readonly [name: string]: string } {
  const words = typeof command === 'string' ? command.split(/\s+/) : command;
  const isOpenCode = words.some((word) => /(?:^|[/\\])opencode(?:\.exe|\.cmd)?$/.test(word));
  return isOpenCode ? { OPENCODE_PERMISSION: openCodeReadOnly } : {};
}
