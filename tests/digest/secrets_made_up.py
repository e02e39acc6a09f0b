"""Made-up secrets, one of each kind, put together so that no scanner takes this file for a leak."""

import random
import string

_DICE = random.Random(20260305)
HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
URL = ALNUM + "-_"


def run(alphabet: str, size: int) -> str:
    """Return `size` characters with at least one letter and two digits at its ends."""
    inner = "".join(_DICE.choice(alphabet) for _ in range(size - 3))
    return f"7{inner}4{'b' if 'b' in alphabet else 'B'}"


def upper(size: int) -> str:
    return run(string.ascii_uppercase + string.digits, size)


def uuid() -> str:
    return "-".join(run(HEX, size) for size in (8, 4, 4, 4, 12))


def _jwt() -> str:
    return f"eyJhbGciOiJIUzI1NiJ9.eyJ{run(URL, 40)}.{run(URL, 43)}"


SHAPED = {
    "aws-access-key": "AKIA" + upper(16),
    "aws-bedrock-key": "ABSK" + run(ALNUM, 120) + "=",
    "gcp-api-key": "AIza" + run(URL, 35),
    "gcp-oauth-token": "ya29." + run(URL, 60),
    "gcp-client-secret": "GOCSPX-" + run(URL, 28),
    "gcp-refresh-token": "1//0" + run(URL, 90),
    "azure-client-secret": "abc8Q~" + run(ALNUM, 34),
    "azure-devops-token": run(ALNUM, 76) + "AZDO" + run(ALNUM, 4),
    "alibaba-access-key": "LTAI" + run(ALNUM, 20),
    "digitalocean-token": "dop_v1_" + run(HEX, 64),
    "heroku-key": "HRKU-" + uuid(),
    "fly-token": "fm2_" + run(ALNUM, 120),
    "netlify-token": "nfp_" + run(ALNUM, 40),
    "supabase-key": "sbp_" + run(HEX, 40),
    "planetscale-token": "pscale_tkn_" + run(URL, 43),
    "pulumi-token": "pul-" + run(HEX, 40),
    "terraform-token": run(ALNUM, 14) + ".atlasv1." + run(ALNUM, 67),
    "vault-token": "hvs." + run(URL, 90),
    "doppler-token": "dp.pt." + run(ALNUM, 43),
    "databricks-token": "dapi" + run(HEX, 32),
    "tailscale-key": "tskey-auth-" + run(ALNUM, 30),
    "github-token": "ghp_" + run(ALNUM, 36),
    "gitlab-token": "glpat-" + run(URL, 20),
    "atlassian-token": "ATATT3" + run(ALNUM, 180),
    "npm-token": "npm_" + run(ALNUM, 36),
    "pypi-token": "pypi-AgEIcHlwaS5vcmc" + run(URL, 120),
    "rubygems-key": "rubygems_" + run(HEX, 48),
    "docker-token": "dckr_pat_" + run(URL, 27),
    "artifactory-key": "AKCp" + run(ALNUM, 69),
    "sonar-token": "sqp_" + run(HEX, 40),
    "postman-key": "PMAK-" + run(HEX, 24) + "-" + run(HEX, 34),
    "linear-key": "lin_api_" + run(ALNUM, 40),
    "figma-token": "figd_" + run(URL, 40),
    "sentry-token": "sntryu_" + run(HEX, 64),
    "newrelic-key": "NRAK-" + upper(27),
    "grafana-token": "glsa_" + run(ALNUM, 32) + "_" + run(HEX, 8),
    "anthropic-key": "sk-ant-api03-" + run(URL, 93) + "AA",
    "openrouter-key": "sk-or-v1-" + run(HEX, 64),
    "openai-key": "sk-proj-" + run(URL, 74),
    "huggingface-token": "hf_" + run(ALNUM, 34),
    "groq-key": "gsk_" + run(ALNUM, 52),
    "xai-key": "xai-" + run(ALNUM, 80),
    "perplexity-key": "pplx-" + run(ALNUM, 48),
    "replicate-token": "r8_" + run(ALNUM, 37),
    "langsmith-key": "lsv2_pt_" + run(HEX, 32) + "_" + run(HEX, 10),
    "nvidia-key": "nvapi-" + run(URL, 64),
    "pinecone-key": "pcsk_" + run(ALNUM, 60),
    "slack-token": "xoxb-" + "-".join(("123456789012", "1234567890123", run(ALNUM, 24))),
    "discord-token": "M" + run(ALNUM, 24) + "." + run(ALNUM, 6) + "." + run(ALNUM, 30),
    "telegram-token": "1234567890:AA" + run(URL, 33),
    "stripe-key": "sk_live_" + run(ALNUM, 24),
    "webhook-secret": "whsec_" + run(ALNUM, 32),
    "twilio-key": "SK" + run(HEX, 32),
    "sendgrid-key": "SG." + run(URL, 22) + "." + run(URL, 43),
    "mailgun-key": "key-" + run(HEX, 32),
    "mailchimp-key": run(HEX, 32) + "-us12",
    "brevo-key": "xkeysib-" + run(HEX, 64) + "-" + run(ALNUM, 16),
    "shopify-token": "shpat_" + run(HEX, 32),
    "square-token": "sq0atp-" + run(URL, 22),
    "plaid-token": "access-sandbox-" + uuid(),
    "notion-token": "ntn_" + run(ALNUM, 46),
    "airtable-token": "pat" + run(ALNUM, 14) + "." + run(HEX, 64),
    "asana-token": "2/1234567890123456/1234567890123456:" + run(HEX, 32),
    "hubspot-token": "pat-na1-" + uuid(),
    "contentful-token": "CFPAT-" + run(URL, 43),
    "facebook-token": "EAAC" + run(ALNUM, 120),
    "age-key": "AGE-SECRET-KEY-1" + upper(58),
    "jwt": _jwt(),
}
"""Kind and secret, told by shape alone."""

PASSWORD = "Tr0ub4dor-and-3"
TOKEN = run(ALNUM, 32)

CARRIED = {
    "url-password": (f"postgres://app:{PASSWORD}@db.internal:5432/shop", PASSWORD),
    "url-password with an at": ("redis://:p@ss9w0rdX@cache:6379/0", "p@ss9w0rdX"),
    "url-token": (f"https://{TOKEN}@github.com/ada/shop.git", TOKEN),
    "bearer": (f"Authorization: Bearer {TOKEN}", TOKEN),
    "basic": ("Authorization: Basic YWRhOlRyMHViNGRvcg==", "YWRhOlRyMHViNGRvcg=="),
    "header token": (f"'Authorization': 'Token {TOKEN}'", TOKEN),
    "header key": (f"X-Api-Key: {TOKEN}", TOKEN),
    "curl user": (f"curl -s -u ada:{PASSWORD} https://host/x", PASSWORD),
    "mysql": (f"mysql -u root -p{PASSWORD} shop", PASSWORD),
    "sshpass": (f"sshpass -p '{PASSWORD}' ssh host", PASSWORD),
    "netrc": (f"machine host login ada password {PASSWORD}", PASSWORD),
    "sql": (f"CREATE USER ada IDENTIFIED BY '{PASSWORD}'", PASSWORD),
    "sql role": (f"CREATE ROLE ada WITH LOGIN PASSWORD '{PASSWORD}'", PASSWORD),
    "azure storage": (
        f"DefaultEndpointsProtocol=https;AccountKey={run(ALNUM, 86)}==;",
        "AccountKey=",
    ),
    "ado.net": (f"Server=db;User Id=sa;Password={PASSWORD};Encrypt=true", PASSWORD),
    "export": (f"export DB_PASSWORD={PASSWORD}", PASSWORD),
    "env": (f"STRIPE_SECRET={TOKEN}", TOKEN),
    "env of letters": ("DB_PASSWORD=supersecretpassword", "supersecretpassword"),
    "env with spaces": (f'DJANGO_SECRET_KEY = "{TOKEN}"', TOKEN),
    "json": (f'{{"apiKey": "{TOKEN}"}}', TOKEN),
    "json in json": (f'{{\\"client_secret\\": \\"{TOKEN}\\"}}', TOKEN),
    "yaml": (f"  password: {PASSWORD}", PASSWORD),
    "python": (f"password = '{PASSWORD}'", PASSWORD),
    "python keyword": (f"connect(password='{PASSWORD}')", PASSWORD),
    "ruby": (f":token => '{TOKEN}'", TOKEN),
    "go": (f'apiKey := "{TOKEN}"', TOKEN),
    "subscript": (f"os.environ['API_TOKEN'] = '{TOKEN}'", TOKEN),
    "option": (f"deploy --token {TOKEN} --dry-run", TOKEN),
    "option with sign": (f"deploy --api-key={TOKEN}", TOKEN),
    "query": (f"https://host/path?access_token={TOKEN}&x=1", TOKEN),
    "xml": (f"<password>{PASSWORD}</password>", PASSWORD),
    "xml pair": (f'<add key="ApiKey" value="{TOKEN}" />', TOKEN),
    "kubernetes": (f"- name: DB_PASSWORD\n  value: {PASSWORD}", PASSWORD),
    "prose": (f"by the way, the password is {PASSWORD}.", PASSWORD),
    "npmrc": (f"//registry.npmjs.org/:_authToken={TOKEN}", TOKEN),
    "cookie": (f"Cookie: sessionid={TOKEN}; theme=dark", TOKEN),
    "diff": (f"+AWS_SECRET_ACCESS_KEY={run(ALNUM, 40)}", "KEY=7"),
    "coloured": (f"API_TOKEN=\x1b[32m{TOKEN}\x1b[0m", TOKEN),
    "php": (f"define('DB_PASSWORD', '{PASSWORD}');", PASSWORD),
    "powershell": (f"$env:API_KEY = '{TOKEN}'", TOKEN),
    "setx": (f"setx API_TOKEN {TOKEN}", TOKEN),
    "aws configure": (f"aws configure set aws_secret_access_key {TOKEN}", TOKEN),
    "one word": (f"PGPASSWORD={PASSWORD} psql -h db", PASSWORD),
    "properties": (f"spring.datasource.password={PASSWORD}", PASSWORD),
    "redis": (f"redis-cli -a {PASSWORD} ping", PASSWORD),
    "prose with colon": (f"here is the api key: {TOKEN}", TOKEN),
    "slack hook": (f"https://hooks.slack.com/services/T0001/B0001/{TOKEN}", TOKEN),
}
"""A text that carries a secret, and the secret."""

LOOK_ALIKES = [
    'if (apiKey == "") {',
    "ANTHROPIC_API_KEY=sk-ant-...",
    'export OPENAI_API_KEY="your-api-key"',
    "token: <token>",
    "password: xxxxxxxx",
    "PASSWORD=********",
    "TOKEN=$TOKEN",
    "TOKEN=${TOKEN:-none}",
    "token: ${{ secrets.DEPLOY_TOKEN }}",
    "const token = process.env.API_TOKEN",
    'token = os.environ["API_TOKEN"]',
    "password = getpass.getpass()",
    "self.token = token",
    "api_key=config.api_key,",
    "password: string;",
    "password?: string | undefined",
    '"password": "Password is required"',
    "setPassword(newPassword)",
    "max_tokens=4096",
    '"total_tokens": 123456, "token_count": 99',
    "tokenizer = AutoTokenizer",
    "token_type: bearer",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "index 83db48f..bf269f4 100644",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kx"',
    "123e4567-e89b-12d3-a456-426614174000",
    "primary_key: order_line_id_2024",
    "cacheKey = `user:profile:v2:${id}`",
    'key="section-header-42"',
    "--- PASS: TestTokenRefresh_Expired (0.00s)",
    "author: Ada Lovelace 1843",
    "keyboard: qwerty-layout-105",
    "secretName: db-credentials",
    "SECRET_NAME=prod/db/credentials1",
    "PASSWORD_FILE=/run/secrets/db_password",
    "SSH_KEY_PATH=~/.ssh/id_ed25519",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq7 ada@shop",
    "-----BEGIN PUBLIC KEY-----",
    "if line == '-----BEGIN PRIVATE KEY-----':",
    "http://localhost:3000/path@2x.png",
    "git@github.com:ada/shop.git",
    "basic authentication is required",
    "the token is invalid",
    "passed: 12, failed: 0",
    "ada@example.org",
]
