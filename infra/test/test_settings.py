"""The functions are given settings that they know, and whoever deploys says what must be said."""

import re
import unittest

from deployment import environment, resource, resolve, statements, template, text, transformed

# What the functions are made of, besides the `wadi` command's settings.
FUNCTIONS = "shared/lambda/src"

EVERYTHING = {"DomainName": "streams.example.com", "OriginSecretBefore": "before"}


class Settings(unittest.TestCase):
    def test_every_variable_is_known(self):
        of_the_command = set(re.findall(r"^\| `--[a-z-]+` \| `(WADI_\w+)`", text("functions/wadi/README.md"), re.M))
        of_functions = set(re.findall(r'env = "(WADI_\w+)"', text(f"{FUNCTIONS}/settings.rs")))
        self.assertGreater(len(of_the_command), 10)
        self.assertEqual(of_functions, {"WADI_ORIGIN_SECRETS"})
        for name, found in transformed()["Resources"].items():
            if found["Type"] == "AWS::Lambda::Function":
                unknown = set(environment(name, **EVERYTHING)) - of_the_command - of_functions
                self.assertFalse(unknown, name)

    def test_the_two_functions_that_serve_streams_differ_in_size_alone(self):
        for parameters in ({}, EVERYTHING):
            self.assertEqual(environment("ApiFunction", **parameters), environment("TailFunction", **parameters))
        api, tail = resource("ApiFunction"), resource("TailFunction")
        differ = {key for key in api if api[key] != tail.get(key)}
        self.assertEqual(differ, {"Description", "MemorySize"})

    def test_values_are_text(self):
        for function in ("ApiFunction", "SealFunction", "SweepFunction"):
            for name, value in environment(function, **EVERYTHING).items():
                self.assertIsInstance(value, (str, int), name)

    def test_sealing_is_driven_by_events(self):
        self.assertEqual(environment("ApiFunction")["WADI_SEALING"], "events")

    def test_only_those_that_serve_know_the_secret(self):
        for function in ("SealFunction", "SweepFunction"):
            self.assertNotIn("WADI_ORIGIN_SECRETS", environment(function))


class Parameters(unittest.TestCase):
    def test_that_there_is_no_access_control_must_be_said(self):
        access = template()["Parameters"]["Access"]
        self.assertNotIn("Default", access)
        self.assertEqual(access["AllowedValues"], ["off"])
        for function in ("ApiFunction", "TailFunction", "SealFunction", "SweepFunction"):
            self.assertEqual(environment(function)["WADI_ACCESS"], "off")

    def test_no_more_need_be_said_but_a_secret(self):
        asked = [name for name, found in template()["Parameters"].items() if "Default" not in found]
        self.assertEqual(asked, ["Access", "OriginSecret"])

    def test_executions_are_reserved_or_not(self):
        pools = {"ApiFunction": "ApiConcurrency", "TailFunction": "TailConcurrency", "SealFunction": "SealConcurrency"}
        for function, parameter in pools.items():
            default = template()["Parameters"][parameter]["Default"]
            self.assertEqual(resource(function)["ReservedConcurrentExecutions"], default)
            self.assertNotIn("ReservedConcurrentExecutions", resource(function, **{parameter: -1}))
            self.assertEqual(resource(function, **{parameter: 0})["ReservedConcurrentExecutions"], 0)


class Failures(unittest.TestCase):
    def test_an_event_is_tried_a_few_times_and_then_kept(self):
        [config] = [
            resolve(found["Properties"])
            for found in transformed()["Resources"].values()
            if found["Type"] == "AWS::Lambda::EventInvokeConfig"
            and resolve(found["Properties"])["FunctionName"] == "<SealFunction>"
        ]
        self.assertEqual(config["MaximumRetryAttempts"], 2)
        self.assertLessEqual(config["MaximumEventAgeInSeconds"], 6 * 3600)
        self.assertEqual(config["DestinationConfig"]["OnFailure"]["Destination"], "<SealFailures.Arn>")

    # The platform looks whether it may be used when it is named, and then only the role itself is sure to be there.
    def test_the_queue_of_failures_is_allowed_by_the_role_itself(self):
        senders = [name for name, statement in statements() if statement["Action"] == "sqs:SendMessage"]
        self.assertEqual(senders, ["SealRole"])

    def test_sweeps_come_by_schedule(self):
        rules = [
            resolve(found["Properties"])
            for found in transformed()["Resources"].values()
            if found["Type"] == "AWS::Events::Rule"
        ]
        known = text(f"{FUNCTIONS}/upkeep/schedule.rs")
        self.assertTrue('{"scope":"full"}' in known and '{"scope":"recent"}' in known)
        scopes = {target["Input"]: rule["ScheduleExpression"] for rule in rules for target in rule["Targets"]}
        self.assertEqual(set(scopes), {'{"scope":"recent"}', '{"scope":"full"}'})

    def test_alarms_can_be_left_out(self):
        kinds = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard")
        found = [r for r in transformed()["Resources"].values() if r["Type"] in kinds]
        self.assertGreater(len(found), 5)
        self.assertEqual({alarm["Condition"] for alarm in found}, {"HasAlarms"})

    def test_every_function_logs_to_the_log_that_is_kept_as_long_as_asked(self):
        self.assertEqual(resource("Logs", LogRetentionDays=3)["RetentionInDays"], 3)
        for name, found in transformed()["Resources"].items():
            if found["Type"] == "AWS::Lambda::Function":
                self.assertEqual(resource(name)["LoggingConfig"]["LogGroup"], "<Logs>")


if __name__ == "__main__":
    unittest.main()
