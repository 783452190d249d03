//! What is said to the person at the terminal: on the standard output where the service is, on the
//! standard error output why it is not.

use std::{
    io::{self, Write},
    net::SocketAddr,
};

use wadi_settings::Place;

use crate::error::StartError;

/// Says where the service listens and where its data is. A closed output is nobody's loss.
pub(crate) fn greet(address: SocketAddr, place: &Place) {
    say(&format!("listening on http://{address}\ndata in {place}\n"));
}

/// Three commands to try. Said once they work: what is pasted at once is not to be refused.
pub(crate) fn suggest(address: SocketAddr) {
    say(&suggestion(address));
}

/// Says why the process does not start.
pub(crate) fn complain(error: &StartError) {
    let _ = writeln!(io::stderr(), "error: {error}");
}

/// Says how a self-test ended.
pub(crate) fn report(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn say(text: &str) {
    let mut output = io::stdout().lock();
    let _ = output.write_all(text.as_bytes());
    let _ = output.flush();
}

fn suggestion(address: SocketAddr) -> String {
    let url = format!("http://{}/v1/stream/hello", reachable(address));
    let json = "-H 'content-type: application/json'";
    format!(
        "\n\
         try it: create a stream, append to it, read it\n\
         \x20 curl -X PUT {url} {json}\n\
         \x20 curl -X POST {url} {json} -d '{{\"hello\":\"world\"}}'\n\
         \x20 curl {url}\n"
    )
}

/// An address to connect to, for one that stands for all of this machine's.
fn reachable(address: SocketAddr) -> SocketAddr {
    let mut reachable = address;
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => reachable.set_ip(std::net::Ipv4Addr::LOCALHOST.into()),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => reachable.set_ip(std::net::Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    reachable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_name_an_address_that_can_be_reached() {
        for (address, url) in [
            ("127.0.0.1:4437", "http://127.0.0.1:4437/"),
            ("0.0.0.0:80", "http://127.0.0.1:80/"),
            ("[::]:80", "http://[::1]:80/"),
        ] {
            let text = suggestion(address.parse().unwrap());
            assert_eq!(text.matches(&format!(" {url}v1/stream/hello")).count(), 3, "{text}");
        }
    }
}
