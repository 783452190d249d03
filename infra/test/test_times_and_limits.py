"""Times and sizes stand in the order in which one would otherwise cut off the other."""

import math
import re
import unittest

from deployment import environment, resource, resolve, template, text

STREAM_FUNCTIONS = ("ApiFunction", "TailFunction")

# The platform's, in bytes and bytes a second.
INVOCATION_BYTES_MAX = 6 * 1024 * 1024
STREAMED_AT_ONCE_BYTES = 6_000_000
STREAMED_BYTES_PER_SECOND = 2_000_000
STREAMED_BYTES_MAX = 200_000_000
INVOCATION_SECONDS_MAX = 900
ORIGIN_READ_SECONDS_MAX = 120


def constant_seconds(path, name):
    """A duration of a crate's limits."""
    found = re.search(rf"const {name}: Duration = Duration::from_(secs|mins|hours)\((\d+)\);", text(path))
    return int(found[2]) * {"secs": 1, "mins": 60, "hours": 3600}[found[1]]


def constant_bytes(name):
    """A size of the functions' limits."""
    found = re.search(rf"const {name}: u64 = (\d+) \* (MIB|1024);", text("shared/lambda/src/limits.rs"))
    return int(found[1]) * {"MIB": 1024 * 1024, "1024": 1024}[found[2]]


def seconds(setting):
    """A setting such as `55s`."""
    return int(re.fullmatch(r"(\d+)s", setting)[1])


def function_origins():
    origins = resource("Cdn")["DistributionConfig"]["Origins"]
    return [origin for origin in origins if "CustomOriginConfig" in origin]


class Times(unittest.TestCase):
    def test_live_reads_end_before_their_invocation_does(self):
        for function in STREAM_FUNCTIONS:
            timeout = resource(function)["Timeout"]
            for setting in ("WADI_SSE_LIFETIME", "WADI_LONG_POLL_MAX"):
                self.assertLess(seconds(environment(function)[setting]), timeout)

    def test_the_service_gives_up_before_its_invocation_is_ended(self):
        deadline = constant_seconds("shared/stream/src/limits.rs", "ANSWER_DEADLINE")
        for function in STREAM_FUNCTIONS:
            self.assertLess(deadline, resource(function)["Timeout"])

    def test_the_cdn_waits_longer_than_an_invocation_takes(self):
        self.assertEqual([origin["Id"] for origin in function_origins()], ["api", "tail"])
        for origin in function_origins():
            read = origin["CustomOriginConfig"]["OriginReadTimeout"]
            self.assertLessEqual(read, ORIGIN_READ_SECONDS_MAX)
            for function in STREAM_FUNCTIONS:
                self.assertLessEqual(resource(function)["Timeout"], read)

    def test_the_cdn_hears_of_events_and_long_polls_in_time(self):
        comment = constant_seconds("shared/http/src/limits.rs", "SSE_COMMENT_EVERY")
        for origin in function_origins():
            read = origin["CustomOriginConfig"]["OriginReadTimeout"]
            self.assertLess(comment, read)
            self.assertLess(seconds(environment("TailFunction")["WADI_LONG_POLL_MAX"]), read)

    def test_the_cdn_sends_a_request_once(self):
        for origin in function_origins():
            self.assertEqual(origin["ConnectionAttempts"], 1)

    def test_no_invocation_may_take_longer_than_the_platform_lets_it(self):
        for function in (*STREAM_FUNCTIONS, "SealFunction", "SweepFunction"):
            self.assertLessEqual(resource(function)["Timeout"], INVOCATION_SECONDS_MAX)


class Limits(unittest.TestCase):
    def largest(self, parameter):
        return template()["Parameters"][parameter]["MaxValue"]

    def test_the_largest_request_fits_an_event(self):
        largest = self.largest("RequestBytesMax")
        self.assertEqual(largest, constant_bytes("REQUEST_BYTES_MAX"))
        self.assertEqual(INVOCATION_BYTES_MAX, constant_bytes("EVENT_BYTES_MAX"))
        whole = 4 * math.ceil(largest / 3) + constant_bytes("EVENT_ENVELOPE_BYTES_MAX")
        self.assertLessEqual(whole, INVOCATION_BYTES_MAX)
        for function in STREAM_FUNCTIONS:
            self.assertLessEqual(int(environment(function)["WADI_REQUEST_BYTES_MAX"]), largest)

    def test_the_largest_bootstrap_is_streamed_before_its_invocation_ends(self):
        largest = self.largest("BootstrapBytesMax")
        streamed = (largest - STREAMED_AT_ONCE_BYTES) / STREAMED_BYTES_PER_SECOND
        self.assertLess(largest, STREAMED_BYTES_MAX)
        for function in STREAM_FUNCTIONS:
            self.assertLess(1.25 * streamed, resource(function)["Timeout"])
            self.assertLessEqual(int(environment(function)["WADI_BOOTSTRAP_BYTES_MAX"]), largest)

    def test_answers_are_streamed_and_not_compressed(self):
        for function in STREAM_FUNCTIONS:
            self.assertEqual(resource(f"{function}Url")["InvokeMode"], "RESPONSE_STREAM")
            self.assertEqual(environment(function)["WADI_COMPRESSION"], "off")


if __name__ == "__main__":
    unittest.main()
