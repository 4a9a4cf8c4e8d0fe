/** Whether a variable of the environment says anything. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}
