// Finds tool calls that a weak model, or its server, wrote into the text.
import type { ToolCall } from './chat.ts';
import { isRecord } from '#base/record.ts';
import { parseJson } from '#base/parse-json.ts';

/** Contract: returns only calls of known tools, in order; prose about tools gives none. */
export function findTextCalls(text: string, known: readonly string[]): ToolCall[] {
  const plain = text.replaceAll(/<think>[\s\S]*?<\/think>/g, '');
  for (const find of [tagged, functionTagged, listed, fenced, bare]) {
    const calls = find(plain).filter(({ name }) => known.includes(name));
    if (calls.length > 0) return calls.map((call, index) => ({ ...call, id: `text-${index}` }));
  }
  return [];
}

type ParsedCall = Omit<ToolCall, 'id'>;

/** <tool_call>{"name": …, "arguments": {…}}</tool_call>, the last one perhaps without its end. */
function tagged(text: string): ParsedCall[] {
  const bodies = text.matchAll(/<(tool_call|function_call)>([\s\S]*?)(?:<\/\1>|(?=<\1>)|$)/g);
  return [...bodies].flatMap(([, , body = '']) => {
    const calls = callsIn(body);
    return calls.length > 0 ? calls : functionTagged(body);
  });
}

/** <function=read><parameter=path>a.ts</parameter></function>, or JSON in place of the parameters. */
function functionTagged(text: string): ParsedCall[] {
  const bodies = text.matchAll(/<function=["']?([\w.-]+)["']?>([\s\S]*?)(?:<\/function>|(?=<function=)|$)/g);
  return [...bodies].map(([, name = '', body = '']) => {
    const parameters = [...body.matchAll(/<parameter=["']?(\w+)["']?>\n?([\s\S]*?)\n?<\/parameter>/g)];
    if (parameters.length === 0) return { name, argumentsText: body.trim() === '' ? '{}' : body.trim() };
    const values = parameters.map(([, key = '', value = '']) => [key, value] as const);
    return { name, argumentsText: JSON.stringify(Object.fromEntries(values)) };
  });
}

/** [TOOL_CALLS][{"name": …}] */
function listed(text: string): ParsedCall[] {
  const found = /\[TOOL_CALLS\]\s*(\[[\s\S]*\])/.exec(text);
  return found === null ? [] : callsIn(found[1] ?? '');
}

function fenced(text: string): ParsedCall[] {
  const blocks = text.matchAll(/```(?:json|tool_call|tool_code|tool)?[ \t]*\n([\s\S]*?)(?:```|$)/g);
  return [...blocks].flatMap(([, body = '']) => callsIn(body));
}

/** The whole answer is a call. */
function bare(text: string): ParsedCall[] {
  return callsIn(text.replace(/^\s*<\|python_tag\|>/, ''));
}

/** One call, a list of them, or one per line. */
function callsIn(text: string): ParsedCall[] {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return [];
  const whole = parseJson(trimmed);
  const values = whole === undefined ? trimmed.split('\n').map(parseJson) : [whole];
  return values.flat().flatMap((value) => {
    const call = callOf(value);
    return call === null ? [] : [call];
  });
}

function callOf(value: unknown): ParsedCall | null {
  if (!isRecord(value)) return null;
  if (isRecord(value['function'])) return callOf(value['function']);
  const name = value['name'] ?? value['tool'] ?? value['function'];
  const values = value['arguments'] ?? value['parameters'] ?? value['args'] ?? value['input'];
  if (typeof name !== 'string' || values === undefined) return null;
  return { name, argumentsText: typeof values === 'string' ? values : JSON.stringify(values) };
}
