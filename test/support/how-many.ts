/** How often a test repeats what it does: enough for every run of `npm test`, more in `npm run test:long`. */
export function howMany({ usual, long }: { readonly usual: number; readonly long: number }): number {
  return process.env['UNTILDONE_TEST_LONG'] === '1' ? long : usual;
}
