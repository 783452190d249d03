import cf from 'cloudfront';

// Every request but those of immutable paths. Live reads hold an execution each for up to a minute, so they have a
// function of their own: however many there are, appends and reads find room.
function handler(event) {
    const request = event.request;
    if (request.querystring.live) {
        cf.selectRequestOriginById('tail');
    }
    return request;
}
