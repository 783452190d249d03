// Runs the CDN's functions as the CDN does: one file, one `handler`, and the module `cloudfront` if it is imported.
import { readFileSync } from 'node:fs';

const IMPORT = "import cf from 'cloudfront';\n";

/** The text of a function of `infra/cdn`. */
export function source(name) {
    return readFileSync(new URL(`../${name}.js`, import.meta.url), 'utf8');
}

/** What a function makes of an event, and the origin it picked, if it did. */
export function run(name, event) {
    let origin = null;
    const cf = { selectRequestOriginById: (id) => { origin = id; } };
    const code = source(name).replace(IMPORT, '');
    const handler = new Function('cf', `'use strict';\n${code}\nreturn handler;`)(cf);
    return { result: handler(event), origin };
}

/** A recorded event, to be changed at will. */
export function recorded(name) {
    return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}
