type Environment = Readonly<Record<string, string | undefined>>;
/** Folders in which programs are found although no PATH names them (B03), the likeliest first. Looked up anew each time. */
export declare function knownFolders(environment: Environment, platform: NodeJS.Platform): readonly string[];
export {};
