"""What a deployment costs: published prices times counted requests.

How many requests an operation makes of the bucket is what ARCHITECTURE.md says and the engine's tests hold. How long
an invocation takes is assumed, until it has been measured on an account: see SECONDS.
"""

from functools import cache

import tomlkit

from deployment import resource, text, transformed

# Assumed: how long invocations take, in seconds. Nearly all of it is waiting for the bucket.
SECONDS = {"append": 0.060, "read": 0.040, "poll": 0.015, "seal": 0.500, "look": 0.150}

# Assumed: what the platform writes to the log of each invocation, that it began and how it ended.
LOGGED_BYTES = 600

# How often somebody who follows asks: an SSE connection lasts 52 s on average, a long-poll as long as it may.
SSE_SECONDS = 52
LONG_POLL_SECONDS = 25

# Records of one sealing, and the PUTs that it takes.
SEALED_RECORDS = 50
SEALING_PUTS = 2

# A sweep's look at one stream that lives: what it may have left behind is listed, its manifest and its end are read.
LOOK_LISTS = 4
LOOK_GETS = 4

# Sweeps in a month: of what changed in the last three days, and of everything.
RECENT_SWEEPS = 4 * 365 / 12
FULL_SWEEPS = 52 / 12

MILLION = 1_000_000
GB = 1_000_000_000
HOUR_SECONDS = 3600


@cache
def prices():
    return tomlkit.parse(text("infra/prices.toml")).unwrap()


def puts(count):
    return count * prices()["s3_standard"]["put_list_usd_per_million"] / MILLION


def gets(count):
    return count * prices()["s3_standard"]["get_usd_per_million"] / MILLION


def invocations(count, function, seconds):
    """So many invocations of a function, each so many seconds long."""
    memory_gb = resource(function)["MemorySize"] / 1024
    price = prices()["lambda"]
    each = price["request_usd_per_million"] / MILLION + seconds * memory_gb * price["arm64_usd_per_gb_second"]
    logged = LOGGED_BYTES / GB * prices()["cloudwatch"]["log_usd_per_gb"]
    return count * (each + logged)


def through_cdn(count):
    """So many requests to the CDN, with its two functions."""
    price = prices()["cloudfront"]
    return count * (price["https_request_usd_per_million"] + 2 * price["function_usd_per_million"]) / MILLION


def appends(count):
    """So many appends that no other process races with, and the sealing of their records."""
    sealings = count / SEALED_RECORDS
    served = through_cdn(count) + invocations(count, "ApiFunction", SECONDS["append"]) + puts(count)
    sealed = invocations(sealings, "SealFunction", SECONDS["seal"]) + puts(sealings * SEALING_PUTS) + gets(count)
    return served + sealed


def reads(count):
    """So many reads of one page: a look at the tail, and one object."""
    return through_cdn(count) + invocations(count, "ApiFunction", SECONDS["read"]) + gets(2 * count)


def tail_hour(connection_seconds):
    """An hour of somebody who follows on connections of so many seconds; the tail is looked at once a second."""
    count = HOUR_SECONDS / connection_seconds
    return through_cdn(count) + invocations(count, "TailFunction", connection_seconds) + gets(HOUR_SECONDS)


def polled_hour(every_seconds):
    """An hour of somebody who reads every so many seconds, and finds nothing."""
    count = HOUR_SECONDS / every_seconds
    return through_cdn(count) + invocations(count, "ApiFunction", SECONDS["poll"]) + gets(count)


def looks(count):
    """So many looks of sweeps at streams that live, one after the other."""
    busy = count * SECONDS["look"] * resource("SweepFunction")["MemorySize"] / 1024
    served = busy * prices()["lambda"]["arm64_usd_per_gb_second"]
    return served + puts(count * LOOK_LISTS) + gets(count * LOOK_GETS)


def swept_month(streams, written):
    """A month of sweeps over so many streams, `written` of them at least every third day."""
    # A full one also looks for what belongs to no stream: one listing each.
    return looks(FULL_SWEEPS * streams + RECENT_SWEEPS * written) + puts(FULL_SWEEPS * streams)


def idle_month():
    """A month in which nothing happens: alarms and the dashboard."""
    kinds = [found["Type"] for found in transformed()["Resources"].values()]
    price = prices()["cloudwatch"]
    alarms = kinds.count("AWS::CloudWatch::Alarm") * price["alarm_usd_per_month"]
    return alarms + kinds.count("AWS::CloudWatch::Dashboard") * price["dashboard_usd_per_month"]


def rows():
    standard, edge = prices()["s3_standard"], prices()["cloudfront"]
    return [
        ("a million appends of one message", appends(MILLION)),
        ("a million messages, appended ten at a time", appends(MILLION / 10)),
        ("a million reads of a page by the function", reads(MILLION)),
        ("a million requests that the CDN answers from its cache", through_cdn(MILLION)),
        ("a GB that leaves the CDN", edge["data_out_usd_per_gb"]),
        ("a GB kept for a month", standard["storage_usd_per_gb_month"]),
        ("an hour of following by SSE", tail_hour(SSE_SECONDS)),
        ("an hour of following by long-poll", tail_hour(LONG_POLL_SECONDS)),
        ("an hour of reading every second", polled_hour(1)),
        ("an hour of reading every five seconds", polled_hour(5)),
        ("an hour of reading every minute", polled_hour(60)),
        ("a thousand streams that are idle, a month, besides their bytes: sweeps", swept_month(1000, 0)),
        ("a thousand streams that are written every day, a month: sweeps", swept_month(1000, 1000)),
        ("a deployment that is idle, a month, with alarms", idle_month()),
        ("the same with `Alarms=off`", 0),
    ]


def dollars(value):
    """Three digits that tell something, and at least cents."""
    if value == 0 or value >= 1:
        return f"{value:.2f}"
    return f"{value:.3g}" if value >= 0.0001 else f"{value:.1g}"


def table():
    head = f"| what | $, {prices()['region']}, prices of {prices()['as_of']} |\n| --- | --- |\n"
    return head + "".join(f"| {what} | {dollars(value)} |\n" for what, value in rows())


if __name__ == "__main__":
    print(table(), end="")
