/** Section name to its normalized text, so that a reformatted file is the same. */
export type Sections = ReadonlyMap<string, string>;
