// The script of the `scripted` driver. `sample.json` shows every action.
//
//   { "turns": [ { "role": "builder", "actions": [ …one action each… ], "resumed"?: [ … ] }, … ] }
//
// The n-th session of a role plays the n-th entry of that role; its last entry repeats. A session that
// resumes a conversation plays the next entry, by its "resumed" if it has one. An interrupted session
// continues with the rest of its entry. Actions:
//   { "say": text }                                  the assistant speaks
//   { "tool": name, "summary": text }                a tool call and its result
//   { "write" | "append": { "path", "text" } }       a file of the workspace (folders are made), as a tool call;
//                                                    "encoding": "base64" for bytes, "executable": true for a program
//   { "link": { "path", "target" } }                 a symbolic link
//   { "delete": path }
//   { "run": command }                               through the shell; its output is the tool result
//   { "leave": command }                             started in a separate session and left running
//   { "sleep": ms }                                  cut short by a message to the agent
//   { "flood": bytes, "lineLength"?: n }             as much text
//   { "usage": { "usd", "tokens" } }                 cumulative, as clients report it; null if unknown
//   { "fail": { "errorClass", "detail", "resetAt"? } }  ends with that error
//   { "exit": code }                                 ends without a result
//   { "crash": true } · { "hang": true } · { "ignoreTerm": true }
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Usage } from '#kernel/model/budget.ts';
import type { SessionErrorClass } from '#kernel/model/ending.ts';
import { parseAction } from './script-action.ts';
import { isRecord } from '#base/record.ts';
import { scriptError } from './script-error.ts';

export interface Script {
  readonly turns: readonly ScriptTurn[];
}

export interface ScriptTurn {
  readonly role: string;
  readonly actions: readonly Action[];
  /** Instead of `actions`, where the session resumes a conversation. */
  readonly resumed?: readonly Action[];
}

export interface FileText {
  readonly path: string;
  readonly text: string;
  readonly encoding?: 'base64';
  readonly executable?: boolean;
}

export type Action =
  | { readonly say: string }
  | { readonly tool: string; readonly summary?: string }
  | { readonly write: FileText }
  | { readonly append: FileText }
  | { readonly link: { readonly path: string; readonly target: string } }
  | { readonly delete: string }
  | { readonly run: string }
  | { readonly leave: string }
  | { readonly sleep: number }
  | { readonly flood: number; readonly lineLength?: number }
  | { readonly usage: Usage }
  | {
      readonly fail: {
        readonly errorClass: SessionErrorClass;
        readonly detail: string;
        readonly resetAt?: number;
      };
    }
  | { readonly exit: number }
  | { readonly crash: true }
  | { readonly hang: true }
  | { readonly ignoreTerm: true };

/** `source` is the script itself or the path of a JSON file, relative to the agent's working folder. */
export async function loadScript(source: unknown, cwd: string): Promise<Script> {
  if (typeof source !== 'string') return parseScript(source, 'script');
  const path = resolve(cwd, source);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw scriptError(`the script ${path} cannot be read`);
  }
  return parseScript(parseJson(text, path), path);
}

export function turnFor(script: Script, role: string, number: number): ScriptTurn {
  const turns = script.turns.filter((turn) => turn.role === role);
  const turn = turns[Math.min(Math.max(number, 1), turns.length) - 1];
  if (turn === undefined) throw scriptError(`the script has no turn for the role "${role}"`);
  return turn;
}

export function parseScript(value: unknown, where: string): Script {
  if (!isRecord(value) || !Array.isArray(value['turns'])) {
    throw scriptError(`${where} needs "turns", a list of { "role", "actions" }`);
  }
  const turns = value['turns'].map((turn: unknown, index) => {
    const place = `turns[${index}]`;
    if (!isRecord(turn)) throw scriptError(`${place} must be { "role", "actions" }`);
    const { role, actions, resumed } = turn;
    if (typeof role !== 'string' || role === '') throw scriptError(`${place}.role must be a name`);
    return {
      role,
      actions: parseActions(actions, `${place}.actions`),
      ...(resumed === undefined ? {} : { resumed: parseActions(resumed, `${place}.resumed`) }),
    };
  });
  return { turns };
}

function parseActions(value: unknown, where: string): Action[] {
  if (!Array.isArray(value)) throw scriptError(`${where} must be a list`);
  return value.map((action: unknown, at) => parseAction(action, `${where}[${at}]`));
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw scriptError(
      `the script ${path} is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}
