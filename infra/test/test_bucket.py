"""The bucket keeps what it is given."""

import unittest

from deployment import PSEUDO, as_list, environment, resolve, resource, statements, template


def overlap(one, other, ends):
    """Whether a text could begin (or end) with both."""
    return ends(one, other) or ends(other, one)


class Bucket(unittest.TestCase):
    def test_it_stays_when_the_stack_goes(self):
        bucket = template()["Resources"]["Bucket"]
        self.assertEqual([bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]], ["Retain", "Retain"])

    def test_it_is_closed_to_the_public(self):
        self.assertEqual(set(resource("Bucket")["PublicAccessBlockConfiguration"].values()), {True})

    def test_rules_of_its_own_remove_unfinished_uploads_only(self):
        for rule in resource("Bucket")["LifecycleConfiguration"]["Rules"]:
            self.assertEqual(set(rule), {"Id", "Status", "AbortIncompleteMultipartUpload"})
        self.assertNotIn("VersioningConfiguration", resource("Bucket"))

    def test_everybody_knows_it_by_one_name(self):
        name = resource("Bucket")["BucketName"]
        self.assertRegex(name, r"^[a-z0-9-]{3,63}$")
        self.assertEqual(environment("SealFunction")["WADI_STORE"], f"s3://{name}")
        self.assertEqual(resource("SealPermission")["SourceArn"], f"arn:aws:s3:::{name}")
        self.assertEqual(resource("SealPermission")["SourceAccount"], PSEUDO["AWS::AccountId"])
        for function in ("ApiFunction", "TailFunction", "SweepFunction"):
            self.assertEqual(environment(function)["WADI_STORE"], "s3://<Bucket>")

    def test_sealing_is_told_of_every_fiftieth_record_and_of_markers(self):
        rules = [self.rule(found) for found in self.notifications()]
        self.assertEqual(rules, [("ds/", "00.rec"), ("ds/", "50.rec"), ("due/seal/", "")])
        self.assertEqual({found["Function"] for found in self.notifications()}, {"<SealFunction.Arn>"})

    def test_no_two_notifications_overlap(self):
        rules = [self.rule(found) for found in self.notifications()]
        for at, (prefix, suffix) in enumerate(rules):
            for other_prefix, other_suffix in rules[at + 1 :]:
                both = overlap(prefix, other_prefix, str.startswith) and overlap(suffix, other_suffix, str.endswith)
                self.assertFalse(both, f"{prefix}*{suffix} and {other_prefix}*{other_suffix}")

    def notifications(self):
        return resource("Bucket")["NotificationConfiguration"]["LambdaConfigurations"]

    def rule(self, notification):
        rules = {rule["Name"]: rule["Value"] for rule in notification["Filter"]["S3Key"]["Rules"]}
        return rules.get("prefix", ""), rules.get("suffix", "")


class BucketPolicy(unittest.TestCase):
    def statement(self, sid):
        [found] = [s for name, s in statements() if name == "BucketPolicy" and s.get("Sid") == sid]
        return found

    def test_what_a_stream_holds_is_written_only_where_nothing_is(self):
        denied = self.statement("StreamsAreNeverOverwritten")
        self.assertEqual((denied["Effect"], denied["Action"]), ("Deny", "s3:PutObject"))
        kinds = [pattern.removeprefix("<Bucket.Arn>/ds/*/incarnation/*/") for pattern in denied["Resource"]]
        self.assertEqual(kinds, ["log/*", "chunk/*", "segment/*", "state/*"])
        self.assertEqual(denied["Condition"], {"Null": {"s3:if-none-match": "true"}})

    def test_a_manifest_is_written_only_on_a_condition(self):
        denied = self.statement("ManifestsAreComparedAndSet")
        self.assertEqual((denied["Effect"], denied["Action"]), ("Deny", "s3:PutObject"))
        self.assertEqual(denied["Resource"], "<Bucket.Arn>/manifest/*")
        self.assertEqual(denied["Condition"], {"Null": {"s3:if-none-match": "true", "s3:if-match": "true"}})

    def test_the_cdn_reads_what_never_changes_and_nothing_else(self):
        allowed = [s for name, s in statements() if name == "BucketPolicy" and s["Effect"] == "Allow"]
        self.assertEqual([s["Sid"] for s in allowed], ["CdnReadsWhatNeverChanges", "CdnIsToldOfAbsentKeys"])
        for statement in allowed:
            self.assertEqual(statement["Principal"], {"Service": "cloudfront.amazonaws.com"})
            source = {"AWS:SourceArn": "arn:aws:cloudfront::123456789012:distribution/<Cdn>"}
            self.assertEqual(statement["Condition"], {"StringEquals": source})
        reads, lists = allowed
        self.assertEqual(as_list(reads["Action"]), ["s3:GetObject"])
        kinds = [pattern.removeprefix("<Bucket.Arn>/ds/*/incarnation/*/") for pattern in reads["Resource"]]
        self.assertEqual(kinds, ["chunk/*", "snapshot/*"])
        self.assertEqual((lists["Action"], lists["Resource"]), ("s3:ListBucket", "<Bucket.Arn>"))


if __name__ == "__main__":
    unittest.main()
