// The function knows itself by the host of its own URL. A Location that names it names the host that the client asked
// for instead. (The function cannot be told: the distribution's name is known only once both are there.)
function handler(event) {
    const response = event.response;
    const location = response.headers.location;
    const host = event.request.headers.host;
    if (location && host) {
        location.value = location.value.replace(
            /^https:\/\/[a-z0-9]+\.lambda-url\.[a-z0-9-]+\.on\.aws(?=\/|$)/,
            'https://' + host.value);
    }
    return response;
}
