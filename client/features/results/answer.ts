import { setImmediate } from 'node:timers/promises';
import { columnStatistics, timeColumnOf, timeHistogram } from '../../../server/core/results/statistics.ts';
import { arrangeRows } from '../../../server/core/results/view.ts';
import type { FromResultsView, ToResultsView } from '../../protocol/results.ts';
import { findCell } from './find.ts';
import type { Run } from './run.ts';

const histogramBars = 60;
/** Values to choose from, and the UTF-16 units of the longest one: a list has no room for more. */
const maxValues = 500;
const longestValue = 400;

/** What a view asks of one run's rows, whoever shows it. */
export type RowQuestion = Extract<
  FromResultsView,
  { kind: 'getRows' | 'getRow' | 'getStatistics' | 'getValues' | 'getHistogram' | 'find' | 'arrange' | 'layout' }
>;

export function isRowQuestion(message: FromResultsView): message is RowQuestion {
  return /^(getRows|getRow|getStatistics|getValues|getHistogram|find|arrange|layout)$/.test(message.kind);
}

/** Answers a question about rows. A question about rows that are shown no more gets no answer. */
export async function answer(run: Run, question: RowQuestion, reply: (message: ToResultsView) => void): Promise<void> {
  switch (question.kind) {
    case 'getRows': {
      const { revision, start, count } = question;
      if (revision === run.revision)
        reply({ kind: 'rows', runId: run.id, revision, start, rows: run.cells(start, count) });
      return;
    }
    case 'getRow': {
      const { revision, row } = question;
      if (revision === run.revision) reply({ kind: 'row', runId: run.id, revision, row, fields: run.fields(row) });
      return;
    }
    case 'getStatistics': {
      const { column } = question;
      const statistics = await inSteps(columnStatistics(run.store, column, run.shown));
      return reply({ kind: 'statistics', runId: run.id, column, statistics });
    }
    case 'getValues': {
      const { column } = question;
      const { search, columns } = run.settings.filter;
      // What the column's own filter leaves out is what one may want to choose next.
      const filter = { search, columns: columns.filter((entry) => entry.column !== column) };
      const rows = await inSteps(arrangeRows(run.store, { sort: [], filter }));
      const { top, nulls, distinct } = await inSteps(columnStatistics(run.store, column, rows, maxValues));
      const listed = top.filter(({ text }) => text.length <= longestValue);
      return reply({
        kind: 'values',
        runId: run.id,
        column,
        values: [...(nulls > 0 ? [{ text: null, count: nulls }] : []), ...listed],
        incomplete: distinct > listed.length,
      });
    }
    case 'getHistogram': {
      const column = timeColumnOf(run.store);
      const histogram = column === undefined ? undefined : timeHistogram(run.store, column, run.shown, histogramBars);
      return reply({ kind: 'histogram', runId: run.id, histogram });
    }
    case 'find': {
      const { revision, text } = question;
      const found = await findCell(run, question);
      if (found) reply({ kind: 'found', runId: run.id, revision, text, ...found });
      return;
    }
    case 'arrange':
      // The new state is the answer: it carries the rows in sight.
      await run.arrange({ sort: question.sort, filter: question.filter }, question.window);
      return;
    case 'layout':
      return run.setLayout(question.layout);
  }
}

/** Takes steps, and gives the extension host a turn between them. */
async function inSteps<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}
