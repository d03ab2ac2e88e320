import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { knownVendorPrefixes } from '../core/language/catalog/vendor-prefix.ts';
import { UsageError } from './io.ts';

/** Reads the options of a subcommand. Unknown options and missing values are usage errors in plain words. */
export function parseOptions<const T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: joinDashedValues(args, options), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. To specify')[0] : String(error));
  }
}

// `--start -24h` is how people write it; the parser of Node wants `--start=-24h`.
function joinDashedValues(args: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const joined: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const value = args[index + 1];
    const takesText = argument.startsWith('--') && options[argument.slice(2)]?.type === 'string';
    if (takesText && value !== undefined && /^-[^-]/.test(value)) {
      joined.push(`${argument}=${value}`);
      index++;
    } else joined.push(argument);
  }
  return joined;
}

/** A whole number of at least `least`, or undefined when the option was not given. */
export function wholeNumber(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least) return value;
  throw new UsageError(`--${name} takes a whole number of at least ${least}, not '${text}'.`);
}

/** The vendor's abbreviation: the neutral one of the specification, or the vendor's own. Names with any other do not exist. */
export function vendorPrefixOption(text: string | undefined): string | undefined {
  if (text === undefined || knownVendorPrefixes.includes(text)) return text;
  throw new UsageError(`--vendor-prefix takes ${knownVendorPrefixes.join(' or ')}, not '${text}'.`);
}
