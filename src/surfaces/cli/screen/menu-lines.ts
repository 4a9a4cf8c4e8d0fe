// The menu as lines of a terminal. Pure: the same menu and size give the same lines.
//
// No line reaches the last column and all of them fit on the screen, so that the frame can be erased again.
import type { Line } from './line.ts';
import { lineOf } from './line.ts';
import type { MenuView } from './menu-parts.ts';
import { choiceLines, hintLines, promptLine } from './menu-parts.ts';

/** At least one line; the last one is where the cursor stays, behind its text. */
export function menuLines(view: MenuView): readonly Line[] {
  const head = view.head.map((text) => lineOf(text, 'plain', view));
  const hints = hintLines(view);
  const choices = choiceLines(view, { isWhole: true });
  const prompt = promptLine(view);
  const blank = lineOf('', 'plain', view);
  const above = head.length === 0 ? [] : [...head, blank];
  const whole = [...above, ...choices.flat(), blank, ...hints, prompt];
  // One row is left free: some terminals scroll when their last one is written.
  const room = Math.max(1, view.rows - 1);
  return whole.length <= room ? whole : squeezed(view, head, room);
}

/** First the line of the cursor, then the choices around the marked one, then the hints, then what fits of the head. */
function squeezed(view: MenuView, head: readonly Line[], room: number): Line[] {
  const choices = choiceLines(view, { isWhole: false }).flat();
  const shown = around(choices, view.state.marked, room - 1);
  if (shown.length < choices.length) return [...shown, promptLine(view, { isPart: true })];
  const hints = hintLines(view).slice(0, room - 1 - shown.length);
  const left = room - 1 - shown.length - hints.length;
  return [...topOf(head, left, view), ...shown, ...hints, promptLine(view)];
}

/** At most `count` of them, the marked one among them. */
function around(lines: readonly Line[], marked: number, count: number): readonly Line[] {
  const start = Math.max(0, Math.min(marked - Math.floor(count / 2), lines.length - count));
  return lines.slice(start, start + count);
}

/** The count of what is missing takes a line of its own, except where only one is left: that one says more. */
function topOf(head: readonly Line[], count: number, view: MenuView): readonly Line[] {
  if (head.length <= count || count < 2) return head.slice(0, count);
  return [...head.slice(0, count - 1), lineOf(`… ${head.length - count + 1} more lines`, 'dim', view)];
}
