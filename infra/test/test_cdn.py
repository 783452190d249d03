"""The CDN keeps what may be kept, sends the rest where it belongs, and runs the functions of infra/cdn."""

import os
import re
import unittest

from deployment import GIVEN, ROOT, environment, resource, resolve, template, text, transformed

# The errors of which the CDN can be told how long to keep them.
ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

MANAGED = {"AllViewerExceptHostHeader": "b689b0a8-53d0-40ab-baf2-68738e2966ac", "CORS-S3Origin": "88a5eaf4-2fd4-4709-b370-b4c650ea3fcf"}


def distribution(**parameters):
    return resource("Cdn", **parameters)["DistributionConfig"]


def behaviours():
    return [distribution()["DefaultCacheBehavior"], *distribution()["CacheBehaviors"]]


class Caching(unittest.TestCase):
    def test_what_may_not_be_kept_is_not(self):
        for policy in ("PageCache", "ImmutableCache"):
            config = resource(policy)["CachePolicyConfig"]
            self.assertEqual((config["MinTTL"], config["DefaultTTL"]), (0, 0), policy)

    # What was deleted can be read for as long, by each of its URLs.
    def test_nothing_is_kept_for_longer_than_a_day(self):
        for policy in ("PageCache", "ImmutableCache"):
            self.assertEqual(resource(policy)["CachePolicyConfig"]["MaxTTL"], 24 * 3600, policy)

    def test_no_error_is_kept(self):
        kept = {found["ErrorCode"]: found["ErrorCachingMinTTL"] for found in distribution()["CustomErrorResponses"]}
        self.assertEqual(kept, dict.fromkeys(ERRORS, 0))

    def test_pages_are_kept_apart_by_all_that_they_depend_on(self):
        key = resource("PageCache")["CachePolicyConfig"]["ParametersInCacheKeyAndForwardedToOrigin"]
        self.assertEqual(key["QueryStringsConfig"], {"QueryStringBehavior": "all"})
        headers = key["HeadersConfig"]["Headers"]
        self.assertEqual(headers, ["Accept", "Origin", "Stream-Incarnation", "Want-Content-Digest", "X-Wadi-Method"])
        self.assertIn("headers['x-wadi-method']", text("infra/cdn/route.js"))
        self.assertFalse(key["EnableAcceptEncodingGzip"] or key["EnableAcceptEncodingBrotli"])

    def test_nothing_is_compressed_on_the_way(self):
        self.assertEqual({behaviour["Compress"] for behaviour in behaviours()}, {False})


class Routes(unittest.TestCase):
    def test_immutable_paths_go_to_the_bucket_and_then_to_the_function(self):
        paths = [found["PathPattern"] for found in distribution()["CacheBehaviors"]]
        self.assertEqual(paths, ["/ds/*/incarnation/*/chunk/*", "/ds/*/incarnation/*/snapshot/*"])
        self.assertEqual({found["TargetOriginId"] for found in distribution()["CacheBehaviors"]}, {"immutable"})
        [group] = distribution()["OriginGroups"]["Items"]
        self.assertEqual([member["OriginId"] for member in group["Members"]["Items"]], ["bucket", "api"])
        self.assertLessEqual({403, 404}, set(group["FailoverCriteria"]["StatusCodes"]["Items"]))

    # A write there is refused by the CDN: only reads may go to another origin when one fails.
    def test_immutable_paths_are_read_only(self):
        for behaviour in distribution()["CacheBehaviors"]:
            self.assertEqual(behaviour["AllowedMethods"], ["GET", "HEAD", "OPTIONS"])

    def test_everything_else_goes_to_the_function_with_all_that_was_sent(self):
        default = distribution()["DefaultCacheBehavior"]
        self.assertEqual(default["TargetOriginId"], "api")
        self.assertEqual(len(default["AllowedMethods"]), 7)
        self.assertEqual(default["OriginRequestPolicyId"], MANAGED["AllViewerExceptHostHeader"])
        for behaviour in distribution()["CacheBehaviors"]:
            self.assertEqual(behaviour["OriginRequestPolicyId"], MANAGED["CORS-S3Origin"])

    def test_nobody_comes_without_encryption(self):
        self.assertEqual({behaviour["ViewerProtocolPolicy"] for behaviour in behaviours()}, {"https-only"})

    def test_the_bucket_is_asked_with_a_signature(self):
        [bucket] = [origin for origin in distribution()["Origins"] if origin["Id"] == "bucket"]
        self.assertEqual(bucket["OriginAccessControlId"], "<BucketAccess>")
        config = resource("BucketAccess")["OriginAccessControlConfig"]
        self.assertEqual((config["SigningBehavior"], config["OriginAccessControlOriginType"]), ("always", "s3"))

    def test_pages_of_the_same_origins_may_read_the_bucket_as_the_function(self):
        listed = "https://a.example,https://b.example"
        cors = resource("ImmutableHeaders", AllowedOrigins=listed)["ResponseHeadersPolicyConfig"]["CorsConfig"]
        self.assertEqual(cors["AccessControlAllowOrigins"]["Items"], listed.split(","))
        self.assertFalse(cors["AccessControlAllowCredentials"])
        self.assertEqual(environment("ApiFunction", AllowedOrigins=listed)["WADI_ALLOWED_ORIGINS"], listed)


class Secrets(unittest.TestCase):
    def test_the_cdn_shows_the_secret_that_the_functions_ask_for(self):
        for origin in distribution()["Origins"]:
            shown = {found["HeaderName"]: found["HeaderValue"] for found in origin.get("OriginCustomHeaders", [])}
            expected = {"x-wadi-origin-secret": GIVEN["OriginSecret"]} if "CustomOriginConfig" in origin else {}
            self.assertEqual(shown, expected, origin["Id"])
        for function in ("ApiFunction", "TailFunction"):
            self.assertEqual(environment(function)["WADI_ORIGIN_SECRETS"], GIVEN["OriginSecret"])
            both = environment(function, OriginSecretBefore="before")["WADI_ORIGIN_SECRETS"]
            self.assertEqual(both, f"{GIVEN['OriginSecret']},before")
        self.assertIn('HeaderName::from_static("x-wadi-origin-secret")', text("shared/lambda/src/http/secret.rs"))

    def test_secrets_are_not_shown(self):
        for name in ("OriginSecret", "OriginSecretBefore"):
            self.assertIs(template()["Parameters"][name]["NoEcho"], True)

    # A function that is given a short secret does not start.
    def test_no_secret_is_shorter_than_the_functions_take(self):
        least = int(re.search(r"SECRET_BYTES_MIN: usize = (\d+);", text("shared/lambda/src/limits.rs"))[1])
        secret, before = (template()["Parameters"][name] for name in ("OriginSecret", "OriginSecretBefore"))
        self.assertGreaterEqual(secret["MinLength"], least)
        pattern = before["AllowedPattern"]
        self.assertTrue(re.fullmatch(pattern, "") and re.fullmatch(pattern, "x" * secret["MinLength"]))
        self.assertFalse(re.fullmatch(pattern, "x" * (least - 1)))


class Functions(unittest.TestCase):
    """What runs at the edge is tested by infra/cdn/test; here, that it is what is deployed."""

    WHERE = re.compile(r"^(?P<indent> *)FunctionCode: \| # (?P<file>\S+)\n(?P<code>(?:(?P=indent)  .*\n|\n)*)", re.M)

    def written(self):
        """The template with the functions of infra/cdn written into it."""

        def block(match):
            indent = match["indent"]
            lines = [f"{indent}  {line}".rstrip() for line in text(match["file"]).splitlines()]
            return f"{indent}FunctionCode: | # {match['file']}\n" + "".join(f"{line}\n" for line in lines) + "\n"

        return self.WHERE.sub(block, text("template.yaml"))

    # With WADI_WRITE_TEMPLATE=1 it writes them instead of comparing.
    def test_they_are_those_of_the_files(self):
        if os.environ.get("WADI_WRITE_TEMPLATE"):
            (ROOT / "template.yaml").write_text(self.written(), encoding="utf-8")
        self.assertEqual(self.written(), text("template.yaml"), "run with WADI_WRITE_TEMPLATE=1")

    def test_every_file_is_deployed_and_used(self):
        files = sorted(f"infra/cdn/{path.name}" for path in (ROOT / "infra/cdn").glob("*.js"))
        found = [match["file"] for match in self.WHERE.finditer(text("template.yaml"))]
        self.assertEqual(sorted(found), files)
        names = [name for name, r in transformed()["Resources"].items() if r["Type"] == "AWS::CloudFront::Function"]
        used = {f["FunctionARN"] for behaviour in behaviours() for f in behaviour["FunctionAssociations"]}
        self.assertEqual(used, {f"<{name}.FunctionARN>" for name in names})
        for name in names:
            code = resource(name)["FunctionCode"]
            self.assertIn(code, [text(file) for file in files], name)

    def test_the_origins_that_they_pick_are_there(self):
        origins = {origin["Id"] for origin in distribution()["Origins"]}
        for path in (ROOT / "infra/cdn").glob("*.js"):
            picked = re.findall(r"selectRequestOriginById\('(\w+)'\)", path.read_text(encoding="utf-8"))
            self.assertLessEqual(set(picked), origins, path.name)


class Domain(unittest.TestCase):
    OWN = {"DomainName": "streams.example.com", "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1"}

    def test_without_one_the_service_is_at_the_cdns(self):
        self.assertNotIn("Aliases", distribution())
        self.assertEqual(resolve(template()["Outputs"]["Url"]["Value"]), "https://<Cdn.DomainName>")
        self.assertNotIn("WADI_PUBLIC_URL", environment("ApiFunction"))

    def test_with_one_everybody_knows_it(self):
        self.assertEqual(distribution(**self.OWN)["Aliases"], [self.OWN["DomainName"]])
        certificate = distribution(**self.OWN)["ViewerCertificate"]
        self.assertEqual(certificate["AcmCertificateArn"], self.OWN["CertificateArn"])
        url = "https://streams.example.com"
        self.assertEqual(resolve(template()["Outputs"]["Url"]["Value"], **self.OWN), url)
        for name in ("WADI_PUBLIC_URL", "WADI_READ_ORIGIN"):
            self.assertEqual(environment("ApiFunction", **self.OWN)[name], url)


if __name__ == "__main__":
    unittest.main()
