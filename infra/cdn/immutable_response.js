// Answers of immutable paths. Those of the bucket carry the stream's headers as user metadata, and say how long they
// may be kept, but not by whom: whether a stream is public is no property of its bytes. Those of the function have
// no metadata and pass as they are.
function handler(event) {
    const prefix = 'x-amz-meta-';
    const response = event.response;
    const headers = response.headers;
    if (!headers['x-amz-meta-stream-immutable']) {
        return response;
    }
    const names = Object.keys(headers);
    for (let i = 0; i < names.length; i++) {
        const name = names[i];
        if (name.indexOf(prefix + 'stream-') === 0) {
            headers[name.substring(prefix.length)] = { value: headers[name].value };
        }
        if (name.indexOf(prefix) === 0 || name === 'x-amz-server-side-encryption') {
            delete headers[name];
        }
    }
    headers['cache-control'] = { value: 'public, max-age=31536000, immutable' };
    headers['cross-origin-resource-policy'] = { value: 'cross-origin' };
    headers['x-content-type-options'] = { value: 'nosniff' };
    return response;
}
