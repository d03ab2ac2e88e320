/**
 * The text with every control character but line ends and tabs replaced by U+FFFD. Messages quote what stands in files and in answers of a
 * service, and control characters there could steer the terminal they are printed to.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\uFFFD');
}
