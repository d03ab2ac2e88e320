/**
 * Whether a path (with forward slashes) fits a pattern of `*` (within a folder), `**` (across folders), `?` and `{a,b}`. A pattern
 * without a slash fits the file's name in any folder. Costs at most pattern × path steps whatever the pattern: no backtracking.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  return alternatives(pattern).some((alternative) => {
    const anchored = alternative.startsWith('/') ? alternative.slice(1) : alternative;
    const whole = anchored.endsWith('/') ? `${anchored}**` : anchored;
    return matchesOne(path, alternative.includes('/') ? whole : `**/${whole}`);
  });
}

/** Patterns with braces replaced by their alternatives; more than 64 of them are cut off rather than multiplied out. */
function alternatives(pattern: string): readonly string[] {
  let patterns = [pattern];
  for (let round = 0; round < 6; round++) {
    const next: string[] = [];
    for (const each of patterns) {
      const close = each.indexOf('}');
      const open = close < 0 ? -1 : each.lastIndexOf('{', close);
      if (open < 0) {
        next.push(each);
        continue;
      }
      for (const choice of each.slice(open + 1, close).split(',')) {
        next.push(each.slice(0, open) + choice + each.slice(close + 1));
      }
    }
    patterns = next.slice(0, 64);
  }
  return patterns;
}

function matchesOne(path: string, pattern: string): boolean {
  // `reached[i]`: the pattern read so far fits the first i characters of the path.
  let reached: boolean[] = Array.from({ length: path.length + 1 }, (_, i) => i === 0);
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    const next: boolean[] = new Array<boolean>(path.length + 1).fill(false);
    if (sign === '*' && pattern[at + 1] === '*') {
      at++;
      const acrossFolders = pattern[at + 1] === '/';
      if (acrossFolders) at++;
      let open = false;
      for (let i = 0; i <= path.length; i++) {
        if (reached[i] === true) open = true;
        // `**/` fits nothing at all, or whole folders: it ends behind a slash.
        next[i] = acrossFolders ? reached[i] === true || (open && path[i - 1] === '/') : open;
      }
    } else if (sign === '*') {
      let open = false;
      for (let i = 0; i <= path.length; i++) {
        if (i > 0 && path[i - 1] === '/') open = false;
        if (reached[i] === true) open = true;
        next[i] = open;
      }
    } else {
      for (let i = 1; i <= path.length; i++) {
        next[i] = reached[i - 1] === true && (sign === '?' ? path[i - 1] !== '/' : path[i - 1] === sign);
      }
    }
    reached = next;
  }
  return reached[path.length] === true;
}
