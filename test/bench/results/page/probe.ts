/** Looks at a grid as a person does: at what stands where the first row's first cell is. The same code watches every contestant. */
export interface Probe {
  /** Milliseconds since 1970, comparable between the processes of one machine. */
  now(): number;
  /**
   * Does `act`, if any, and finds the place of the first row's first cell, which must show `text`; resolves with the time it was first
   * seen there, painted.
   */
  locate(text: string, act?: () => void): Promise<number>;
  /** Does `act`, if any; resolves with the time at which that place shows `text`, painted. */
  shows(text: string, act?: () => void): Promise<number>;
  /** Scrolls by `rows` rows of 22 pixels, `steps` times; milliseconds of each step until the row then at that place is painted. */
  scroll(rows: number, steps: number): Promise<number[]>;
  top(): void;
}

const patience = 30_000;
const lostStep = 1000;
const lookAnyway = 100;
const rowHeight = 22;

export function createProbe(): Probe {
  let place: { readonly x: number; readonly y: number } | undefined;
  const now = (): number => performance.timeOrigin + performance.now();
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  /** A task behind the next frame: what it sees has been laid out and painted. */
  const nextFrame = (): Promise<void> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        waiting.push(resolve);
        channel.port2.postMessage(undefined);
      }),
    );
  // Cells hold a text and little else: the text of all that lies around them is not asked for at every look.
  const at = (x: number, y: number, text: string): boolean =>
    document
      .elementsFromPoint(x, y)
      .slice(0, 4)
      .some((element) => element.childElementCount < 3 && element.textContent?.trim() === text);

  /**
   * Until something in the page changes, or for a while: a look at every frame would draw frames all the time, for which the contestant's
   * other processes would have to wait.
   */
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        observer.disconnect();
        clearTimeout(timer);
        resolve();
      };
      const observer = new MutationObserver(done);
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      const timer = setTimeout(done, lookAnyway);
    });

  /**
   * The time of the frame that showed it: looking takes its own time, which is nobody's. Nothing is looked at before something changes: a
   * frame in which nothing does makes the next one wait for the beat of the screen.
   */
  async function until(seen: () => boolean, what: string, act?: () => void): Promise<number> {
    const end = now() + patience;
    let changed = change();
    act?.();
    for (;;) {
      await changed;
      changed = change();
      await nextFrame();
      const painted = now();
      if (seen()) return painted;
      if (painted > end) throw new Error(`${what} was not shown within ${patience} ms`);
    }
  }

  const shows = (text: string, act?: () => void): Promise<number> =>
    until(() => place !== undefined && at(place.x, place.y, text), `“${text}”`, act);

  /** What scrolls is the nearest element around the first row's first cell that has a way to go. */
  const scroller = (): Element => {
    let element = place && document.elementFromPoint(place.x, place.y);
    while (element) {
      const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowY);
      if (scrolls && element.scrollHeight > element.clientHeight + rowHeight) return element;
      element = element.parentElement;
    }
    throw new Error('Nothing scrolls.');
  };

  return {
    now,
    async locate(text, act) {
      const find = (): boolean => {
        for (let y = 30; y < 200; y += 16) {
          for (const x of [64, 12]) {
            if (!at(x, y, text)) continue;
            place = { x, y };
            return true;
          }
        }
        return false;
      };
      return until(find, `“${text}”`, act);
    },
    shows,
    async scroll(rows, steps) {
      const element = scroller();
      const times: number[] = [];
      for (let step = 1; step <= steps; step++) {
        const start = now();
        element.scrollTop = step * rows * rowHeight;
        // A grid that loses a step for good has taken as long as anybody looked.
        const end = start + lostStep;
        const text = String(step * rows);
        for (;;) {
          const changed = change();
          await nextFrame();
          const painted = now();
          if (place === undefined || at(place.x, place.y, text) || painted > end) {
            times.push(painted - start);
            break;
          }
          await changed;
        }
      }
      return times;
    },
    top() {
      scroller().scrollTop = 0;
    },
  };
}
