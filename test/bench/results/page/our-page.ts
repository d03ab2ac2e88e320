import { createProbe } from './probe.ts';

// Our view has no hook for a benchmark: the probe is put into its page from outside.
Object.assign(globalThis, { probe: createProbe() });
