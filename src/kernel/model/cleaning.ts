// That the files of a run were removed after its end.

export interface Cleaning {
  readonly by: string;
  readonly at: number;
  readonly kept: readonly string[];
  readonly removedBytes: number;
}
