import cf from 'cloudfront';

// Every request but those of immutable paths. Live reads hold an execution each for up to a minute, so they have a
// function of their own: however many there are, appends and reads find room.
function handler(event) {
    const request = event.request;
    // The CDN would answer HEAD from a page that it keeps under the same URL, and its end would be taken for the
    // stream's. This header is a part of what answers are kept by.
    request.headers['x-wadi-method'] = { value: request.method };
    if (request.querystring.live) {
        cf.selectRequestOriginById('tail');
    }
    return request;
}
