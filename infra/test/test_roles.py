"""Every function may do what it does, and nothing else."""

import unittest

from deployment import as_list, resource, statements, transformed

# Statements that name every action or every resource, and why they may.
WIDE = {
    # Denies only.
    ("BucketPolicy", "OnlyEncryptedConnections"),
}

# What each function may ask of the bucket, by what the keys begin with.
WRITE_ONCE = "AbortMultipartUpload GetObject PutObject"
KEEP_TIDY = {
    "manifest/*": "GetObject PutObject",
    "ds/*": "AbortMultipartUpload DeleteObject GetObject PutObject",
    "due/seal/*": "DeleteObject GetObject",
}
NEEDS = {
    "StreamRole": {
        "manifest/*": "GetObject PutObject",
        "ds/*": WRITE_ONCE,
        "ds/*/incarnation/*/staged/*": "DeleteObject",
        "due/seal/*": "PutObject",
    },
    "SealPolicy": KEEP_TIDY,
    "SweepRole": KEEP_TIDY | {"due/sweep/*": "DeleteObject GetObject PutObject"},
}


class Roles(unittest.TestCase):
    def test_no_statement_allows_everything(self):
        for name, statement in statements():
            if (name, statement.get("Sid")) in WIDE:
                self.assertEqual(statement["Effect"], "Deny")
                continue
            for action in as_list(statement["Action"]):
                self.assertNotIn("*", action, name)
            for found in as_list(statement.get("Resource", [])):
                self.assertNotEqual(found, "*", name)
                self.assertRegex(found, r"^<\w+\.Arn>", name)

    def test_no_managed_policy_widens_a_role(self):
        for name, found in transformed()["Resources"].items():
            if found["Type"] == "AWS::IAM::Role":
                self.assertNotIn("ManagedPolicyArns", found["Properties"], name)

    def test_roles_are_assumed_by_functions_only(self):
        roles = [s for _, s in statements() if s["Action"] == "sts:AssumeRole"]
        self.assertEqual(len(roles), 3)
        for statement in roles:
            self.assertEqual(statement["Principal"], {"Service": "lambda.amazonaws.com"})

    def test_each_function_may_ask_of_the_bucket_what_it_needs(self):
        for role, needs in NEEDS.items():
            allowed = {}
            for name, statement in statements():
                for found in as_list(statement.get("Resource", [])):
                    if name == role and found.startswith("<Bucket.Arn>/"):
                        area = found.removeprefix("<Bucket.Arn>/")
                        self.assertNotIn(area, allowed, role)
                        actions = [action.removeprefix("s3:") for action in as_list(statement["Action"])]
                        allowed[area] = " ".join(sorted(actions))
            self.assertEqual(allowed, needs, role)

    def test_whoever_reads_is_told_of_absent_keys(self):
        listing = {
            name
            for name, s in statements()
            if s["Effect"] == "Allow" and "s3:ListBucket" in as_list(s["Action"]) and s["Resource"] == "<Bucket.Arn>"
        }
        self.assertEqual(listing, {"BucketPolicy", *NEEDS})

    def test_every_function_has_the_role_made_for_it(self):
        roles = {"Api": "StreamRole", "Tail": "StreamRole", "Seal": "SealRole", "Sweep": "SweepRole"}
        for function, role in roles.items():
            self.assertEqual(resource(f"{function}Function")["Role"], f"<{role}.Arn>")


class FunctionUrls(unittest.TestCase):
    def permissions(self, function):
        return [
            resource(name)
            for name, found in transformed()["Resources"].items()
            if found["Type"] == "AWS::Lambda::Permission" and resource(name)["FunctionName"] == f"<{function}>"
        ]

    # Either alone is answered 403.
    def test_both_permissions_open_each_url(self):
        for function in ("ApiFunction", "TailFunction"):
            self.assertEqual(resource(f"{function}Url")["AuthType"], "NONE")
            opened = {found["Action"]: found for found in self.permissions(function)}
            self.assertEqual(opened["lambda:InvokeFunctionUrl"]["FunctionUrlAuthType"], "NONE")
            self.assertIs(opened["lambda:InvokeFunction"]["InvokedViaFunctionUrl"], True)
            self.assertEqual({found["Principal"] for found in opened.values()}, {"*"})
            self.assertEqual(len(opened), 2)

    def test_no_other_function_is_open(self):
        for function in ("SealFunction", "SweepFunction"):
            self.assertNotIn("*", [found["Principal"] for found in self.permissions(function)])


if __name__ == "__main__":
    unittest.main()
