// Recognises the files that agents load by themselves.
import { agentFiles, agentFolders, agentGuides } from '#analysis/tampering/agent-files.ts';

const names: readonly RegExp[] = [
  new RegExp(String.raw`(^|\/)(${oneOf(agentGuides)})\.md(\/|$)`, 'i'),
  new RegExp(String.raw`(^|\/)\.(${oneOf(agentFolders)})(\/|$)`, 'i'),
  new RegExp(String.raw`(^|\/)(${oneOf(agentFiles)})(\/|$)`, 'i'),
  /(^|\/)\.github\/(copilot-instructions\.md|instructions)(\/|$)/i,
  // Our own prompts for the agents of the next run.
  /(^|\/)\.untildone\/(prompts|actions)(\/|$)/i,
];

export function isInstruction(path: string): boolean {
  return names.some((pattern) => pattern.test(path));
}

function oneOf(words: readonly string[]): string {
  return words.map((word) => word.replaceAll('.', String.raw`\.`)).join('|');
}
