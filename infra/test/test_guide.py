"""The guide tells what is so."""

import os
import re
import unittest

import costs
from deployment import ROOT, template, text
from samcli.yamlhelper import yaml_parse

GUIDE = "infra/README.md"


class Costs(unittest.TestCase):
    BLOCK = re.compile(r"(?<=<!-- costs -->\n).*?(?=<!-- /costs -->)", re.S)

    # With WADI_WRITE_DOCUMENTATION=1 it writes the table instead of comparing.
    def test_the_table_is_computed(self):
        written = self.BLOCK.sub(lambda _: f"\n{costs.table()}\n", text(GUIDE))
        if os.environ.get("WADI_WRITE_DOCUMENTATION"):
            (ROOT / GUIDE).write_text(written, encoding="utf-8")
        self.assertEqual(text(GUIDE), written, "run with WADI_WRITE_DOCUMENTATION=1")

    # Figures computed by hand, so that the table cannot be wrong in every row alike.
    def test_known_figures(self):
        found = dict(costs.rows())
        put, seconds_of_a_gb, request = 5.00, 0.0000133334, 0.20
        tail = 3600 * 0.25 * seconds_of_a_gb
        self.assertAlmostEqual(found["an hour of following by SSE"], tail + 3600 * 0.4e-6, delta=0.0002)
        least = put + request + 1_000_000 * 0.060 * 0.5 * seconds_of_a_gb
        self.assertGreater(found["a million appends of one message"], least)
        self.assertLess(found["a million appends of one message"], 2 * least)


class Contents(unittest.TestCase):
    def test_every_parameter_is_told_with_its_default(self):
        told = {}
        for names, value in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (.*?)\| .*\|$", text(GUIDE), re.M):
            values = re.findall(r"`([^`]*)`", value)
            for at, name in enumerate(re.findall(r"`(\w+)`", names)):
                told[name] = values[min(at, len(values) - 1)] if values else ""
        known = {name: str(found.get("Default", "")) for name, found in template()["Parameters"].items()}
        self.assertEqual(told, known)

    def test_the_outputs_that_it_names_are_there(self):
        named = re.findall(r"outputs? `(\w+)`", text(GUIDE))
        self.assertGreaterEqual(len(named), 3)
        self.assertLessEqual(set(named), set(template()["Outputs"]))

    def test_the_limits_that_it_tells_are_those_of_the_template(self):
        seconds = template()["Mappings"]["Seconds"]["Stream"]
        largest = {name: found.get("MaxValue") for name, found in template()["Parameters"].items()}
        for told in (
            f"after {seconds['Timeout']} s",
            f"{seconds['SseLifetime']} s (SSE) or {seconds['LongPollMax']} s (long-poll)",
            f"{largest['RequestBytesMax'] // 2**20} MiB, or less",
            f"{largest['BootstrapBytesMax'] // 2**20} MiB for a bootstrap",
        ):
            self.assertIn(told, " ".join(text(GUIDE).split()))

    def test_what_was_not_verified_is_said(self):
        self.assertIn("**Nothing of this has run on an AWS account.**", text(GUIDE))

    def test_the_compose_file_is_for_this_machine_alone(self):
        services = yaml_parse(text("infra/compose.yaml"))["services"]
        ports = [port for found in services.values() for port in found.get("ports", [])]
        self.assertTrue(ports and all(port.startswith("127.0.0.1:") for port in ports))
        self.assertTrue(all(re.search(r":RELEASE\.[\dTZ-]+$", found["image"]) for found in services.values()))


if __name__ == "__main__":
    unittest.main()
