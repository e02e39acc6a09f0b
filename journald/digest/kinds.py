"""The kinds of secrets that can be told by their own shape.

Each kind is gated by literals, one of which occurs in every text that holds such a secret, so
that a text without them costs a few substring searches. Where a literal begins the secret, the
expression is tried at its places alone. Every repetition is bounded: no expression takes longer
than in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of secret."""

    name: str
    gates: tuple[str, ...]
    pattern: re.Pattern[str]
    """Matches the secret; its group 1, where it has one, is the part to take out."""
    leads: bool
    """The gates are written in their own case and begin every match; else in lower case."""


# A secret begins where no word goes on; the escapes of JSON, JavaScript and addresses are no words.
_EDGE = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u00[0-9A-Fa-f]{2}))"


def _kind(name: str, gates: str, pattern: str) -> Kind:
    return Kind(name=name, gates=tuple(gates.split()), pattern=re.compile(pattern), leads=False)


def _led(name: str, gates: str, pattern: str) -> Kind:
    """Return a kind that its gates begin."""
    whole = re.compile(f"{_EDGE}(?:{pattern})")
    return Kind(name=name, gates=tuple(gates.split()), pattern=whole, leads=True)


def _free(name: str, gates: str, pattern: str) -> Kind:
    """Return a kind that its gates begin and that no letter, digit or underscore touches."""
    return _led(name, gates, rf"(?:{pattern})(?![A-Za-z0-9_])")


_HEX = "[0-9a-fA-F]"
_UUID = rf"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"

CLOUD = (
    _free("aws-access-key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    _led(
        "aws-bedrock-key",
        "ABSK bedrock-api-key-",
        r"(?:ABSK[A-Za-z0-9+/]{90,300}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{20,2000})",
    ),
    _kind(
        "aws-signature",
        "x-amz-s",
        r"X-Amz-(?:Signature|Security-Token)=([A-Za-z0-9%+/=_-]{32,4000})",
    ),
    _free("gcp-api-key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
    _led("gcp-oauth-token", "ya29.", r"ya29\.[A-Za-z0-9_.-]{20,2000}"),
    _free("gcp-client-secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,40}"),
    _led("gcp-refresh-token", "1//0", r"1//0[A-Za-z0-9_-]{40,250}"),
    _kind(
        "azure-storage-key",
        "accountkey sharedaccesskey",
        r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})",
    ),
    _kind("azure-sas", "sig=", r"[?&;](?:amp;)?sig=([A-Za-z0-9%+/_-]{40,200}(?:%3[dD]|=){0,2})"),
    _kind(
        "azure-client-secret",
        "q~",
        rf"{_EDGE}[A-Za-z0-9_~.]{{3}}\dQ~[A-Za-z0-9_~.-]{{31,34}}(?![A-Za-z0-9_~-])",
    ),
    _kind(
        "azure-devops-token",
        "azdo",
        rf"{_EDGE}[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}(?![A-Za-z0-9_])",
    ),
    _kind(
        "azure-key",
        "jqqj99",
        rf"{_EDGE}[A-Za-z0-9]{{30,60}}JQQJ99[A-Za-z0-9]{{10,50}}(?![A-Za-z0-9_])",
    ),
    _free("alibaba-access-key", "LTAI", r"LTAI[A-Za-z0-9]{16,24}"),
    _free("tencent-secret-id", "AKID", r"AKID[A-Za-z0-9]{32}"),
    _free("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _led("cloudflare-origin-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    _free("heroku-key", "HRKU-", r"HRKU-[A-Za-z0-9_-]{36,80}"),
    _led(
        "fly-token",
        "fm1 fm2 fo1_",
        r"(?:fo1_[A-Za-z0-9_-]{40,60}|fm[12][ar]?_[A-Za-z0-9+/=_-]{80,2000})",
    ),
    _free("render-key", "rnd_", r"rnd_[A-Za-z0-9]{28,40}"),
    _free("netlify-token", "nfp_ nfc_", r"nf[pc]_[A-Za-z0-9]{36,60}"),
    _free("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[piark]_[A-Za-z0-9]{24,100}"),
    _free(
        "supabase-key",
        "sbp_ sb_secret_",
        r"sbp_(?:v0_)?[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,60}",
    ),
    _led("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,80}"),
    _free("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    _kind(
        "terraform-token",
        ".atlasv1.",
        rf"{_EDGE}[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,80}}",
    ),
    _led("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,300}"),
    _led("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{32,90}"),
    _led("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    _led("openshift-token", "sha256~", r"sha256~[A-Za-z0-9_-]{43}"),
    _led("tailscale-key", "tskey-", r"tskey-[a-z]{2,12}-[A-Za-z0-9_-]{16,120}"),
    _led("onepassword-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{100,4000}"),
    _led("dynatrace-token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
)

CODE = (
    _free(
        "github-token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}",
    ),
    _led(
        "gitlab-token",
        "gl GR1348941",
        r"(?:gl(?:pat|ptt|dt|rtr?|cbt|soat|ft|imt|agent|oas|ffct|wt)-[A-Za-z0-9_=.-]{18,300}|GR1348941[A-Za-z0-9_-]{20,50})",
    ),
    _led(
        "atlassian-token",
        "ATATT3 ATCTT3 ATBB",
        r"AT[AC]TT3[A-Za-z0-9_=-]{60,400}|ATBB[A-Za-z0-9]{28,40}(?![A-Za-z0-9])",
    ),
    _free("npm-token", "npm_", r"npm_[A-Za-z0-9]{36,60}"),
    _led("pypi-token", "pypi-Ag", r"pypi-Ag[A-Za-z0-9_-]{50,2000}"),
    _free("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _free("crates-token", "cio", r"cio[A-Za-z0-9]{32}"),
    _free("nuget-key", "oy2", r"oy2[a-z0-9]{43}"),
    _free("clojars-token", "CLOJARS_", r"CLOJARS_[A-Za-z0-9]{60}"),
    _free("docker-token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,60}"),
    _free("artifactory-key", "AKCp", r"AKCp[A-Za-z0-9]{60,90}"),
    _free("sonar-token", "sqp_ squ_ sqa_", r"sq[pua]_[0-9a-f]{40}"),
    _free("sourcegraph-token", "sgp_", r"sgp_(?:[A-Za-z0-9]{16}_|local_)?[0-9a-f]{40}"),
    _free("circleci-token", "CCIPAT_ CCITOK_", r"CCI(?:PAT|TOK)_[A-Za-z0-9]{16,30}_[0-9a-f]{40}"),
    _free("buildkite-token", "bkua_ bkct_", r"bk(?:ua|ct)_[A-Za-z0-9]{40,60}"),
    _free("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _free("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    _free("figma-token", "figd_ figo_ figu_", r"fig[dou]_[A-Za-z0-9_-]{38,60}"),
    _led("sentry-token", "sntry", r"sntrys_eyJ[A-Za-z0-9+/=_-]{20,600}|sntry[up]_[0-9a-f]{64}"),
    _free(
        "newrelic-key",
        "NRAK- NRII- NRRA- NRAA-",
        r"NR(?:AK|AA|RA)-[A-Za-z0-9]{27,45}|NRII-[A-Za-z0-9_-]{32}",
    ),
    _led(
        "grafana-token",
        "glsa_ glc_ eyJrIjoi",
        r"glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,400}={0,3}|eyJrIjoi[A-Za-z0-9+/]{60,400}={0,2}",
    ),
    _free("infracost-key", "ico-", r"ico-[A-Za-z0-9]{32}"),
    _free("prefect-key", "pnu_", r"pnu_[A-Za-z0-9]{36}"),
)

MODELS = (
    _led("anthropic-key", "sk-ant-", r"sk-ant-(?:[a-z]{2,8}\d{2}-)?[A-Za-z0-9_-]{20,200}"),
    _led("openrouter-key", "sk-or-", r"sk-or-(?:v1-)?[A-Za-z0-9]{32,80}"),
    _led(
        "openai-key",
        "sk-",
        r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,220}|[A-Za-z0-9]{32,64}(?![A-Za-z0-9-]))",
    ),
    _free("huggingface-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,40}"),
    _free("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,60}"),
    _free("xai-key", "xai-", r"xai-[A-Za-z0-9]{60,100}"),
    _free("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    _free("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37,40}"),
    _free("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _free("nvidia-key", "nvapi-", r"nvapi-[A-Za-z0-9_-]{50,80}"),
    _free("tavily-key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,50}"),
    _free("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9_]{40,90}"),
    _free("firecrawl-key", "fc-", r"fc-[0-9a-f]{32}"),
    _free("e2b-key", "e2b_", r"e2b_[0-9a-f]{40}"),
    _free("together-key", "tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{40,60}"),
    _free("fireworks-key", "fw_", r"fw_[A-Za-z0-9]{22,26}"),
    _free("cerebras-key", "csk-", r"csk-[a-z0-9]{40,60}"),
    _free("wandb-key", "wandb_v1_", r"wandb_v1_[A-Za-z0-9_-]{40,100}"),
    _free("elevenlabs-key", "sk_", r"sk_[0-9a-f]{48}"),
)

SERVICES = (
    _led(
        "slack-token",
        "xox xapp-",
        r"(?:xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{20,200})",
    ),
    _kind(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,200})",
    ),
    _kind(
        "discord-webhook",
        "api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/(\d{15,22}/[A-Za-z0-9_-]{40,100})",
    ),
    _kind(
        "discord-token",
        ".",
        rf"{_EDGE}[MNO][A-Za-z0-9_-]{{23,27}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,40}}(?![A-Za-z0-9_-])",
    ),
    _kind(
        "teams-webhook",
        "webhook.office.com",
        r"webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{40,250})",
    ),
    _kind("telegram-token", ":aa", r"(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])"),
    _free("stripe-key", "sk_ rk_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}"),
    _led("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{20,100}={0,2}"),
    _free("twilio-key", "SK", r"SK[0-9a-f]{32}"),
    _led("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    _free("mailgun-key", "key-", r"key-[0-9a-f]{32}"),
    _kind("mailchimp-key", "-us", rf"{_EDGE}[0-9a-f]{{32}}-us\d{{1,2}}(?![A-Za-z0-9_])"),
    _free("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _free("resend-key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}"),
    _free("postmark-token", "pmat_", r"pmat_[A-Za-z0-9]{20,60}"),
    _free("shopify-token", "shp", r"shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}"),
    _free(
        "square-token", "sq0 EAAA", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,50}|EAAA[A-Za-z0-9_-]{56,64}"
    ),
    _led(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    _led("plaid-token", "access-", rf"access-(?:sandbox|development|production)-{_UUID}"),
    _free("notion-token", "ntn_ secret_", r"ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}"),
    _free("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _kind("asana-token", "/1", rf"{_EDGE}[12]/\d{{13,20}}(?:/\d{{13,20}})?:[0-9a-f]{{32}}"),
    _led("hubspot-token", "pat-", rf"pat-(?:na|eu|ap)\d-{_UUID}"),
    _free("typeform-token", "tfp_", r"tfp_[A-Za-z0-9_.=-]{40,70}"),
    _free("contentful-token", "CFPAT-", r"CFPAT-[A-Za-z0-9_-]{40,60}"),
    _free("readme-key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _led("mapbox-token", "sk.eyJ", r"sk\.eyJ[A-Za-z0-9_-]{20,200}\.[A-Za-z0-9_-]{16,60}"),
    _led("dropbox-token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{60,1500}"),
    _free("facebook-token", "EAAC EAAM EAAB EAAA", r"EAA[ABCM][A-Za-z0-9]{80,400}"),
    _kind(
        "twitter-bearer",
        "aaaaaaaaaaaaaaaaaaaa",
        r"(?<![A-Za-z0-9])A{18,24}[A-Za-z0-9%]{50,120}(?![A-Za-z0-9%])",
    ),
    _led("adafruit-key", "aio_", r"aio_[A-Za-z0-9]{28}(?![A-Za-z0-9_])"),
    _led("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9-]{20,60}"),
    _led("easypost-key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _free("age-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,100}"),
)

CARRIERS = (
    _led(
        "jwt",
        "eyJ",
        r"eyJ[A-Za-z0-9_-]{10,4000}\.(?:eyJ[A-Za-z0-9_-]{8,8000}|[A-Za-z0-9_-]{0,1000}\.[A-Za-z0-9_-]{8,100})\.[A-Za-z0-9_-]{10,4000}(?:\.[A-Za-z0-9_-]{10,1000})?",
    ),
    # A token cut off in its middle still shows its claims.
    _led(
        "jwt",
        "eyJ",
        r"eyJ(?:hbGci|0eXAi|raWQi|qa3Ui)[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}",
    ),
    _kind(
        "basic-auth", "basic", r"(?i:\bbasic)[ \t]+([A-Za-z0-9+/]{12,500}={0,2})(?![A-Za-z0-9+/=])"
    ),
    _kind("bearer-token", "bearer", r"(?i:\bbearer)(?:[ \t]+|%20)([A-Za-z0-9_~+/.=-]{16,4000})"),
    _kind(
        "api-token",
        "authorization",
        r"(?i:\bauthorization)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?"
        r"(?i:token|apikey|ssws|key|genie_?key|bot|pat)[ \t=]{1,3}[\"']?"
        r"([A-Za-z0-9_~+/.=:-]{12,1000})",
    ),
    _kind(
        "api-token",
        "authorization",
        r"(?i:\bauthorization)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?([A-Za-z0-9_~+/.=-]{20,1000})",
    ),
    _kind(
        "cookie",
        "cookie:",
        r"(?i:\b(?:set-)?cookie):[ \t]{0,4}([^\s\"'=]{1,60}=[^\r\n\"'\\]{8,4000})",
    ),
    _kind(
        "url-password",
        "://",
        r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s:/@\"'<>?#\[\]]{0,100}"
        r":([^\s/\"'<>\[\]]{1,200})@[A-Za-z0-9\[_.$%-]",
    ),
    _kind("url-token", "://", r"(?<![A-Za-z0-9])https?://([A-Za-z0-9_-]{20,255})@[A-Za-z0-9]"),
    _kind(
        "curl-password",
        "curl wget",
        r"(?:\bcurl\b|\bwget\b)[^\n]{0,300}?\s(?:-u|--user|--proxy-user)[ =]?[\"']?"
        r"[^\s:\"']{1,64}:([^\s\"']{3,200})",
    ),
    _kind(
        "mysql-password",
        "mysql mariadb",
        r"\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,300}?"
        r"\s-p[\"']?([^\s\"'=-][^\s\"']{3,100})",
    ),
    _kind(
        "redis-password",
        "redis-cli",
        r"\bredis-cli\b[^\n|;&]{0,300}?\s-a[ \t]+[\"']?([^\s\"']{3,200})",
    ),
    _kind("sshpass-password", "sshpass", r"\bsshpass[ \t]+-p[ \t]*[\"']?([^\s\"']{3,200})"),
    _kind(
        "netrc-password",
        "login",
        r"\blogin[ \t\n]+\S{1,100}[ \t\n]+password[ \t\n]+([^\s\[]\S{2,200})",
    ),
    _kind(
        "sql-password",
        "identified password",
        r"(?i:\bidentified\s+(?:with\s+\S{1,40}\s+)?by\s+(?:password\s+)?"
        r"|\b(?:user|role)\s+\S{1,64}\s+(?:with\s+)?(?:\w{1,20}\s+){0,4}?password\s+)"
        r"'([^'\n]{3,200})'",
    ),
    _kind(
        "putty-key", "private-lines:", r"Private-Lines:[ \t]*\d{1,3}\s+([A-Za-z0-9+/=\s]{60,8000})"
    ),
)

KINDS: tuple[Kind, ...] = (*CLOUD, *CODE, *MODELS, *SERVICES, *CARRIERS)

_LED = tuple(kind for kind in KINDS if kind.leads)
_SCANNED = tuple(kind for kind in KINDS if not kind.leads)
_ALL_GATES = sorted(
    {gate for kind in _LED for gate in kind.gates}, key=lambda gate: (-len(gate), gate)
)
# One pass finds every place where a secret may begin; the longest gate wins there.
_GATE = re.compile(_EDGE + "(?:" + "|".join(map(re.escape, _ALL_GATES)) + ")")
_BEHIND: Mapping[str, tuple[Kind, ...]] = {
    gate: tuple(kind for kind in _LED if gate.startswith(kind.gates)) for gate in _ALL_GATES
}


def find(text: str, lower: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of the secrets in `text`, whose lower-case form is `lower`.

    They may overlap, and stand in no order.
    """
    for hit in _GATE.finditer(text):
        for kind in _BEHIND[hit[0]]:
            if match := kind.pattern.match(text, hit.start()):
                yield kind.name, *match.span(1 if match.re.groups else 0)
    for kind in _SCANNED:
        if any(gate in lower for gate in kind.gates):
            for match in kind.pattern.finditer(text):
                yield kind.name, *match.span(1 if match.re.groups else 0)
