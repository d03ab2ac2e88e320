import { setImmediate } from 'node:timers/promises';
import { columnStatistics, timeColumnOf, timeHistogram } from '../../../server/core/results/statistics.ts';
import type { FromResultsView, ToResultsView } from '../../protocol/results.ts';
import type { Run } from './run.ts';

const histogramBars = 60;

/** What a view asks of one run's rows, whoever shows it. */
export type RowQuestion = Extract<
  FromResultsView,
  { kind: 'getRows' | 'getRow' | 'getStatistics' | 'getHistogram' | 'arrange' | 'layout' }
>;

export function isRowQuestion(message: FromResultsView): message is RowQuestion {
  return /^(getRows|getRow|getStatistics|getHistogram|arrange|layout)$/.test(message.kind);
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
      const steps = columnStatistics(run.store, question.column, run.shown);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done)
          return reply({ kind: 'statistics', runId: run.id, column: question.column, statistics: step.value });
        await setImmediate();
      }
    }
    case 'getHistogram': {
      const column = timeColumnOf(run.store);
      const histogram = column === undefined ? undefined : timeHistogram(run.store, column, run.shown, histogramBars);
      return reply({ kind: 'histogram', runId: run.id, histogram });
    }
    case 'arrange':
      // The new state is the answer: it carries the rows in sight.
      await run.arrange({ sort: question.sort, filter: question.filter }, question.window);
      return;
    case 'layout':
      return run.setLayout(question.layout);
  }
}
