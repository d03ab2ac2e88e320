/** Types of install.mjs, which is JavaScript because it runs before the project's packages are there. */
export declare const codeServer: string;
export declare function findChromium(): string | undefined;
export declare function ensureBed(): Promise<void>;
