/** Whether an environment variable has a value other than white space. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}
