// What the extension's own logic needs of VS Code, for unit tests: events, and a cancellation. Everything that draws or asks is tested
// inside the real VS Code.

type Listener<T> = (event: T) => unknown;

interface Disposable {
  dispose(): void;
}

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationError extends Error {}

const never = (): Disposable => ({ dispose: () => undefined });

export const workspace = {
  onDidGrantWorkspaceTrust: never,
  onDidChangeConfiguration: never,
  getConfiguration: () => ({ inspect: () => undefined, get: () => undefined }),
};

/** Every line that was written into an output channel, whatever its level. */
export const writtenLines: string[] = [];

const write = (...parts: readonly unknown[]): void => void writtenLines.push(parts.map(String).join(' '));

export const window = {
  createOutputChannel: () => ({
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    show: () => undefined,
    dispose: () => undefined,
  }),
};
