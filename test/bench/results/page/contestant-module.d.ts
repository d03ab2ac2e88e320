// The bundler puts one library's file in this place: there is one page for each.
declare module 'contestant' {
  export function createContestant(): import('./contestant.ts').Contestant;
}
