// Reads which files and targets `make` uses for a command. Pure.

/** Targets of `make check lint`; '' for the default one. */
export function makeGoals(command: string): string[] {
  const calls = [...command.matchAll(/(?:\bg?make\b|\$[({]MAKE[)}])(?![\w./-])([^\n;|&]*)/g)];
  return calls.flatMap(([, rest = '']) => {
    const words = rest.trim().split(/\s+/);
    const goals = words.filter(
      (word, at) =>
        /^[\w.-][\w./%-]*$/.test(word) && !word.startsWith('-') && !/^-[CfIjlo]$/.test(words[at - 1] ?? ''),
    );
    return goals.length === 0 ? [''] : goals;
  });
}

/** Files that the recipe reads only if they exist: `-include local.mk`, `include $(wildcard mk/*.mk)`. */
export function optionalIncludes(recipe: string): string[] {
  const lines = joined(recipe).matchAll(/^ *(-include|sinclude|include)\s+([^\n#]*)/gm);
  return [...lines].flatMap(([, word = '', rest = '']) => {
    const wild = [...rest.matchAll(/\$\(wildcard ([^()]*)\)/g)].flatMap(([, each = '']) => each.split(/\s+/));
    const plain = word === 'include' ? [] : rest.replace(/\$\([^()]*\)/g, '$').split(/\s+/);
    return [...wild, ...plain].filter((each) => each !== '' && !each.includes('$'));
  });
}

/** Targets on the way to the goals that are not phony: make skips them if a file has their name. */
export function fileTargets(recipe: string, goals: readonly string[]): string[] {
  const text = expanded(joined(recipe));
  const rules = [...text.matchAll(/^([^\s#:=][^:=\n]*?)\s*::?(?![=:])([^\n;#=]*)(?=[\n;#]|$)/gm)].map(
    ([, targets = '', needs = '']) => ({ targets: targets.split(/\s+/), needs: needs.split(/[\s|]+/) }),
  );
  const phony = new Set(
    rules.filter(({ targets }) => targets.includes('.PHONY')).flatMap(({ needs }) => needs),
  );
  const first = rules.flatMap(({ targets }) => targets).find((each) => !/^\.|%/.test(each)) ?? '';
  const found = new Set(goals.map((goal) => (goal === '' ? first : goal)));
  for (const target of found)
    for (const rule of rules.filter(({ targets }) => targets.includes(target)))
      for (const need of rule.needs) found.add(need);
  const made = new Set(rules.flatMap(({ targets }) => targets));
  return [...found].filter((each) => made.has(each) && !phony.has(each) && /^[\w.][\w./-]*$/.test(each));
}

function joined(recipe: string): string {
  return recipe.replace(/\\\r?\n[ \t]*/g, ' ');
}

/** `$(NAME)` of plain assignments; a remaining variable is not a known name. */
function expanded(recipe: string): string {
  const values = new Map(
    [...recipe.matchAll(/^ *(\w+)\s*[:?]{0,2}=[ \t]*([^\n#]*)/gm)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  );
  let text = recipe;
  for (let round = 0; round < 3; round += 1)
    text = text.replace(/\$[({](\w+)[)}]/g, (whole, name: string) => {
      const value = values.get(name);
      return value === undefined || value.length > 1000 ? whole : value;
    });
  return text;
}
