// Makes the specifiers of declarations relative `.js` paths. A user's compiler knows neither our `#` imports
// nor our `.ts` files.
import { posix } from 'node:path';

/**
 * `file` is the declaration's path below the declarations' folder, e.g. `kernel/run.d.ts`.
 * @type {(file: string, text: string) => string}
 */
export function relativeSpecifiers(file, text) {
  const folder = posix.dirname(file.replaceAll('\\', '/'));
  return text
    .replaceAll(/(['"])#([^'"]+)\.ts\1/g, (_, quote, target) => {
      const path = posix.relative(folder, `${target}.js`);
      return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    })
    .replaceAll(/(['"])(\.\.?\/[^'"]+)\.ts\1/g, (_, quote, target) => `${quote}${target}.js${quote}`);
}
