export interface MenuPlace {
  readonly input: { readonly isTTY?: boolean };
  readonly output: { readonly isTTY?: boolean };
  readonly env: { readonly [name: string]: string | undefined };
}

/** Elsewhere each choice is printed with its command. */
export function canShowMenu({ input, output, env }: MenuPlace = here()): boolean {
  return input.isTTY === true && output.isTTY === true && env['TERM'] !== 'dumb';
}

function here(): MenuPlace {
  return { input: process.stdin, output: process.stdout, env: process.env };
}
