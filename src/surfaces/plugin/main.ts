// Hooks of the Claude Code plugin. Contract: never throws, answers one JSON document, blocks none by mistake.
import { errorText } from '#base/error-text.ts';
import { type Links, openLinks } from '#app/attached.ts';
import { type HookAnswer, type HookInput, note, readHookInput, silence } from './hook.ts';

/** Returns the text to print. */
export async function runHook(event: string, rest: readonly string[]): Promise<string> {
  try {
    const links = openLinks(process.env);
    if (event === 'closed') {
      await (await import('./on-session.ts')).onClosed(rest[0] ?? '', links);
      return '';
    }
    // A session that a run started itself has a driver that checks its work.
    if ((process.env['UNTILDONE_MARK'] ?? '') !== '') return JSON.stringify(silence);
    const input = await readHookInput(process.stdin);
    return JSON.stringify(input === null ? silence : await answer(event, input, links));
  } catch (error) {
    const why = errorText(error);
    return JSON.stringify(note(`a hook failed (${why}); this session is not blocked.`));
  }
}

async function answer(event: string, input: HookInput, links: Links): Promise<HookAnswer> {
  switch (event) {
    case 'stop':
      return (await import('./on-stop.ts')).onStop(input, links);
    case 'prompt':
      return (await import('./on-prompt.ts')).onPrompt(input, links);
    case 'session-start':
      return (await import('./on-session.ts')).onSessionStart(input, links);
    case 'tool':
      return (await import('./on-tool.ts')).onTool(input, links);
    default:
      return note(`there is no hook "${event}".`);
  }
}
