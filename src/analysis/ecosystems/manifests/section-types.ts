/** Section name to its text in one spelling, so that a reformatted file is the same. */
export type Sections = ReadonlyMap<string, string>;
