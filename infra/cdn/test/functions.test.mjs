import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { recorded, run, source } from './load.mjs';

const names = readdirSync(new URL('..', import.meta.url))
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -'.js'.length));

/** The request of a recorded event with other parts. */
function request(parts) {
    const event = recorded('viewer_request');
    Object.assign(event.request, parts);
    return event;
}

const LIVE = { offset: { value: '-1' }, live: { value: 'sse' } };

test('only live reads go to the function that serves them', () => {
    for (const [querystring, origin] of [
        [{}, null],
        [{ offset: { value: '-1' } }, null],
        [{ offset: { value: 'live' } }, null],
        [LIVE, 'tail'],
        [{ live: { value: 'long-poll' }, offset: { value: 'now' } }, 'tail'],
        // Refused, by either function alike.
        [{ live: { value: '' } }, 'tail'],
        [{ live: { value: 'sse', multiValue: [{ value: 'sse' }, { value: 'long-poll' }] } }, 'tail'],
    ]) {
        assert.equal(run('route', request({ querystring })).origin, origin, JSON.stringify(querystring));
    }
});

test('a request is passed on as it is, but for its method, which is told once more', () => {
    for (const [name, added] of [['route', { 'x-wadi-method': { value: 'GET' } }], ['immutable_request', {}]]) {
        const event = request({ uri: '/v1/stream/a%2Fb%20c+d', querystring: LIVE });
        const expected = structuredClone(event.request);
        Object.assign(expected.headers, added);
        assert.deepEqual(run(name, event).result, expected, name);
    }
});

test('the method by which answers are kept is that of the request, whatever the client says', () => {
    for (const method of ['GET', 'HEAD']) {
        const event = request({ method });
        event.request.headers['x-wadi-method'] = { value: 'POST' };
        assert.deepEqual(run('route', event).result.headers['x-wadi-method'], { value: method });
    }
});

test('preflights and queries of immutable paths go to the function, the rest to the bucket', () => {
    for (const [parts, origin] of [
        [{ method: 'GET' }, null],
        [{ method: 'HEAD' }, null],
        [{ method: 'OPTIONS' }, 'api'],
        [{ querystring: { a: { value: '' } } }, 'api'],
        [{ querystring: { 'list-type': { value: '2' } } }, 'api'],
    ]) {
        assert.equal(run('immutable_request', request(parts)).origin, origin, JSON.stringify(parts));
    }
});

test('an object of the bucket is answered as the service answers', () => {
    const { headers } = run('immutable_response', recorded('viewer_response')).result;
    const value = (name) => headers[name]?.value;
    assert.equal(value('stream-offset'), '00000000000000000000');
    assert.equal(value('stream-next-offset'), '00000000000004194304');
    assert.equal(value('stream-incarnation'), '7268412903518465');
    assert.equal(value('stream-immutable'), 'true');
    assert.equal(value('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(value('x-content-type-options'), 'nosniff');
    assert.equal(value('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(value('content-type'), 'application/x-ndjson');
    const left = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
    assert.deepEqual(left, [], 'what only the bucket knows stays there');
});

test('the snapshot of a bucket keeps its digest', () => {
    const event = recorded('viewer_response');
    event.response.headers['x-amz-meta-stream-snapshot-digest'] = { value: 'ab' };
    const { headers } = run('immutable_response', event).result;
    assert.deepEqual(headers['stream-snapshot-digest'], { value: 'ab' });
});

test('what the function answered in place of the bucket passes as it is', () => {
    const event = recorded('viewer_response');
    event.response.headers = {
        'cache-control': { value: 'no-store' },
        'stream-offset': { value: '00000000000000000000' },
    };
    const before = structuredClone(event.response);
    assert.deepEqual(run('immutable_response', event).result, before);
});

test('a Location names the host that was asked for', () => {
    const own = 'https://abcdefgh1234.lambda-url.eu-central-1.on.aws';
    for (const [location, expected] of [
        [`${own}/v1/stream/a%20b`, 'https://streams.example.com/v1/stream/a%20b'],
        [`${own}`, 'https://streams.example.com'],
        ['https://other.example.com/v1/stream/a', 'https://other.example.com/v1/stream/a'],
        [`${own}.evil.example/x`, `${own}.evil.example/x`],
        [`https://other.example.com/${own}/x`, `https://other.example.com/${own}/x`],
        ['/v1/stream/a', '/v1/stream/a'],
    ]) {
        const event = recorded('viewer_response');
        event.response.headers = { location: { value: location } };
        assert.equal(run('location', event).result.headers.location.value, expected);
    }
    const event = recorded('viewer_response');
    const before = structuredClone(event.response);
    assert.deepEqual(run('location', event).result, before, 'no Location, nothing to do');
});

// The runtime reads ECMAScript 5.1 and parts of what came later: what is not among them fails only once deployed.
test('the functions keep to what the runtime reads', () => {
    assert.equal(names.length, 4);
    for (const name of names) {
        const code = source(name);
        assert.ok(Buffer.byteLength(code) < 10_000, `${name} is too long`);
        const imports = code.match(/^import .*$/gm) ?? [];
        assert.ok(imports.every((line, at) => at === 0 && line === "import cf from 'cloudfront';"), name);
        assert.ok(imports.length === 0 || code.startsWith(imports[0]), `${name} must begin with its import`);
        for (const newer of [/\?\./, /\?\?/, /\bclass\b/, /\.\.\.\w/, /\bexport\b/, /\bfor \(.* of /, /\*\*[^/*]/, /#\w+/]) {
            assert.doesNotMatch(code.replace(/^ *\/\/.*$/gm, ''), newer, name);
        }
    }
});
