export const isPython = (path: string): boolean => /\.pyi?$/i.test(path);

export const isRust = (path: string): boolean => /\.rs$/i.test(path);
