import cf from 'cloudfront';

// Requests of immutable paths, which the bucket serves. What the bucket would answer otherwise than the service
// goes to the function: preflights, and queries, which the contract refuses.
function handler(event) {
    const request = event.request;
    if (request.method === 'OPTIONS' || Object.keys(request.querystring).length > 0) {
        cf.selectRequestOriginById('api');
    }
    return request;
}
