//! Tokens whose own shape says what they are, as data: a beginning that nobody else uses, and what follows it.
//!
//! These are rows beside those of the rule crate: providers that it does not know, and wider forms of those it does. A row has an id, how bad
//! it is, the beginnings of the token in their own case with spaces between them, and a pattern of the rest. The pattern is tried right behind the beginning and nowhere
//! else, so it needs no anchor; where the length is fixed it ends at a border.

use super::Severity::{self, Critical, High, Medium};

pub(super) struct Row {
    pub id: &'static str,
    pub severity: Severity,
    starts: &'static str,
    pub rest: &'static str,
}

const fn row(id: &'static str, severity: Severity, starts: &'static str, rest: &'static str) -> Row {
    Row { id, severity, starts, rest }
}

/// Every beginning of a token, with its row.
pub(super) fn rows() -> impl Iterator<Item = (&'static str, &'static Row)> {
    ROWS.iter().flat_map(|row| row.starts.split(' ').map(move |start| (start, row)))
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Models.
    row("anthropic-api-key", Critical, "sk-ant-", r"[A-Za-z0-9_-]{24,}"),
    row("openai-api-key", Critical, "sk-proj- sk-svcacct- sk-admin-", r"[A-Za-z0-9_-]{24,}"),
    row("openrouter-api-key", Critical, "sk-or-v1-", r"[a-f0-9]{32,}\b"),
    row("llm-api-key", Critical, "sk-", r"(?:[A-Za-z0-9]{48}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[a-f0-9]{32})\b"),
    row("xai-api-key", Critical, "xai-", r"[A-Za-z0-9]{60,}"),
    row("groq-api-key", Critical, "gsk_", r"[A-Za-z0-9]{40,}"),
    row("huggingface-token", Critical, "hf_ api_org_", r"[A-Za-z0-9]{30,}\b"),
    row("replicate-api-token", Critical, "r8_", r"[A-Za-z0-9]{37}\b"),
    row("perplexity-api-key", Critical, "pplx-", r"[A-Za-z0-9]{40,}"),
    row("nvidia-api-key", Critical, "nvapi-", r"[A-Za-z0-9_-]{50,}"),
    row("cerebras-api-key", Critical, "csk-", r"[a-z0-9]{40,}\b"),
    row("langsmith-api-key", Critical, "lsv2_", r"(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b"),
    row("pinecone-api-key", Critical, "pcsk_", r"[A-Za-z0-9_]{40,}"),
    row("tavily-api-key", High, "tvly-", r"[A-Za-z0-9-]{24,}"),
    row("elevenlabs-api-key", Critical, "sk_", r"[a-f0-9]{48}\b"),
    row("langfuse-secret-key", Critical, "sk-lf-", r"[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}\b"),
    row("together-api-key", Critical, "tgp_v1_", r"[A-Za-z0-9_-]{40,}"),
    row("fireworks-api-key", Critical, "fw_", r"[A-Za-z0-9]{22,24}\b"),
    row("jina-api-key", High, "jina_", r"[A-Za-z0-9_-]{50,}"),
    row("firecrawl-api-key", High, "fc-", r"[a-f0-9]{32}\b"),
    row("e2b-api-key", High, "e2b_", r"[a-f0-9]{40}\b"),
    row("wandb-api-key", High, "wandb_v1_", r"[A-Za-z0-9_-]{40,}"),
    row("cursor-api-key", High, "key_", r"[a-f0-9]{64}\b"),
    row("azure-ai-key", Critical, "JQQJ99", r"[A-Za-z0-9]{20,}\b"),
    // Clouds and hosts.
    row("tencent-secret-id", High, "AKID", r"[A-Za-z0-9]{32}\b"),
    row("yandex-api-key", High, "AQVN", r"[A-Za-z0-9_-]{35,38}"),
    row("yandex-iam-token", High, "t1.", r"[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{86}"),
    row("scaleway-access-key", Medium, "SCW", r"[A-Z0-9]{17}\b"),
    row("heroku-api-key", Critical, "HRKU-", r"[A-Za-z0-9_-]{36,}"),
    row("cloudflare-token", Critical, "cfut_ cfat_", r"[A-Za-z0-9]{40,}"),
    row("vercel-blob-token", Critical, "vercel_blob_rw_", r"[A-Za-z0-9]{12,}_[A-Za-z0-9]{20,}"),
    row("gcp-service-account", Critical, "ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3Vud", r"[A-Za-z0-9+/]{100,}={0,2}"),
    row("gcp-service-account", Critical, "eyJ0eXBlIjoic2VydmljZV9hY2NvdW50I eyJ0eXBlIjogInNlcnZpY2VfYWNjb3Vud", r"[A-Za-z0-9+/]{100,}={0,2}"),
    row("aws-bedrock-key", Critical, "ABSK", r"[A-Za-z0-9+/]{100,}={0,2}"),
    row("gcp-oauth-secret", Critical, "GOCSPX-", r"[A-Za-z0-9_-]{24,}"),
    row("gcp-access-token", High, "ya29.", r"[A-Za-z0-9_-]{40,}"),
    row("digitalocean-token", Critical, "doo_v1_ dor_v1_", r"[a-f0-9]{64}\b"),
    row("alibaba-access-key", High, "LTAI", r"[A-Za-z0-9]{20}\b"),
    row("netlify-access-token", Critical, "nfp_", r"[A-Za-z0-9]{36}\b"),
    row("supabase-access-token", Critical, "sbp_", r"[a-f0-9]{40}\b"),
    row("supabase-secret-key", Critical, "sb_secret_", r"[A-Za-z0-9_-]{20,}"),
    row("render-api-key", Critical, "rnd_", r"[A-Za-z0-9]{28,}\b"),
    row("planetscale-token", Critical, "pscale_tkn_", r"[A-Za-z0-9=._-]{32,}"),
    row("planetscale-password", Critical, "pscale_pw_", r"[A-Za-z0-9=._-]{32,}"),
    row("planetscale-oauth-token", Critical, "pscale_oauth_", r"[A-Za-z0-9=._-]{32,}"),
    row("databricks-token", Critical, "dapi", r"[a-f0-9]{32}(?:-\d)?\b"),
    row("neon-api-key", Critical, "napi_", r"[a-z0-9]{40,}\b"),
    row("pulumi-token", Critical, "pul-", r"[a-f0-9]{40}\b"),
    row("terraform-token", Critical, ".atlasv1.", r"[A-Za-z0-9_=-]{60,70}"),
    row("vault-token", Critical, "hvs.", r"[A-Za-z0-9_-]{24,}"),
    row("vault-token", Critical, "hvb.", r"[A-Za-z0-9_-]{60,}"),
    row("doppler-token", Critical, "dp.pt.", r"[A-Za-z0-9]{40,}"),
    row("doppler-token", Critical, "dp.st.", r"[A-Za-z0-9._-]{40,}"),
    row("tailscale-key", Critical, "tskey-", r"[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}"),
    row("openshift-token", High, "sha256~", r"[A-Za-z0-9_-]{43}\b"),
    // Code, packages, images.
    row("github-refresh-token", Critical, "ghr_", r"[A-Za-z0-9]{36,}\b"),
    row("github-token", Critical, "ghs_", r"[A-Za-z0-9_.-]{60,}"),
    row("gitlab-token", Critical, "glpat- gldt- glrt- glptt- glcbt- glsoat- gloas- glagent- glft- glimt-", r"[A-Za-z0-9_.-]{20,}"),
    row("gitlab-token", Critical, "GR1348941", r"[A-Za-z0-9_-]{20}\b"),
    row("buildkite-token", Critical, "bkua_", r"[a-f0-9]{40}\b"),
    row("circleci-token", Critical, "CCIPAT_", r"[A-Za-z0-9]{20,}_[a-f0-9]{40}\b"),
    row("prefect-api-key", High, "pnu_", r"[a-z0-9]{36}\b"),
    row("readme-api-key", High, "rdme_", r"[a-z0-9]{70}\b"),
    row("infracost-api-key", High, "ico-", r"[A-Za-z0-9]{32}\b"),
    row("bitbucket-token", Critical, "ATBB", r"[A-Za-z0-9]{32}\b"),
    row("atlassian-token", Critical, "ATATT3", r"[A-Za-z0-9_=-]{60,}"),
    row("rubygems-token", Critical, "rubygems_", r"[a-f0-9]{48}\b"),
    row("crates-io-token", Critical, "cio", r"[A-Za-z0-9]{32}\b"),
    row("nuget-key", High, "oy2", r"[a-z0-9]{43}\b"),
    row("docker-token", Critical, "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{27,}"),
    row("clojars-token", High, "CLOJARS_", r"[A-Za-z0-9]{60}\b"),
    row("sonarqube-token", High, "squ_ sqp_", r"[a-f0-9]{40}\b"),
    row("postman-key", High, "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}\b"),
    row("jfrog-token", High, "AKCp", r"[A-Za-z0-9]{69}\b"),
    // Watching.
    row("grafana-token", High, "glc_", r"[A-Za-z0-9+/=]{32,}"),
    row("grafana-token", High, "glsa_", r"[A-Za-z0-9]{32}_[a-f0-9]{8}\b"),
    row("newrelic-key", High, "NRAK-", r"[A-Z0-9]{27}\b"),
    row("sentry-token", High, "sntrys_", r"[A-Za-z0-9+/=_-]{60,}"),
    row("sentry-token", High, "sntryu_", r"[a-f0-9]{64}\b"),
    row("dynatrace-token", High, "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}\b"),
    row("datadog-app-key", High, "ddapp_", r"[A-Za-z0-9]{34}\b"),
    row("newrelic-ingest-key", High, "FFFFNRAL", r"\b"),
    row("adafruit-key", High, "aio_", r"[A-Za-z0-9]{28}\b"),
    row("posthog-key", High, "phx_", r"[A-Za-z0-9]{32,}\b"),
    // Talk, work, shops, money.
    row("slack-token", Critical, "xoxb- xoxp- xoxa- xoxr- xoxc-", r"[A-Za-z0-9-]{20,}"),
    row("slack-token", Critical, "xoxd-", r"[A-Za-z0-9%+/=-]{20,}"),
    row("slack-token", Critical, "xoxs- xoxe-", r"[A-Za-z0-9-]{20,}"),
    row("slack-token", Critical, "xoxe.", r"[A-Za-z0-9.-]{20,}"),
    row("slack-token", Critical, "xapp-", r"\d-[A-Z0-9]+-\d+-[a-f0-9]{20,}"),
    row("brevo-api-key", High, "xkeysib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}\b"),
    row("linear-api-key", High, "lin_api_", r"[A-Za-z0-9]{40}\b"),
    row("notion-token", High, "ntn_", r"[A-Za-z0-9]{40,}\b"),
    row("figma-token", High, "figd_", r"[A-Za-z0-9_-]{36,}"),
    row("dropbox-token", High, "sl.u.", r"[A-Za-z0-9_-]{100,}"),
    row("mapbox-token", High, "sk.eyJ", r"[A-Za-z0-9_-]{50,}\.[A-Za-z0-9_-]{20,}"),
    row("notion-token", High, "secret_", r"[A-Za-z0-9]{43}\b"),
    row("contentful-token", High, "CFPAT-", r"[A-Za-z0-9_-]{43}"),
    row("typeform-token", High, "tfp_", r"[A-Za-z0-9_-]{40,}"),
    row("frameio-token", High, "fio-u-", r"[A-Za-z0-9_-]{60,}"),
    row("teams-webhook", High, ".webhook.office.com/webhookb2/", r"[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36}"),
    row("zapier-webhook", Medium, "hooks.zapier.com/hooks/catch/", r"\d{5,}/[a-z0-9]{6,}"),
    row("resend-api-key", Critical, "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b"),
    row("discord-bot-token", Critical, "MTA MTE MTI MTM MTQ MTU MTY MTc MTg MTk", r"[A-Za-z0-9]{20,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b"),
    row("facebook-token", High, "EAA", r"[A-Za-z0-9]{100,}\b"),
    row("instagram-token", High, "IGQV", r"[A-Za-z0-9_-]{60,}"),
    row("twitter-bearer-token", Critical, "AAAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9]{20,}%[A-Za-z0-9%]{40,}"),
    row("shopify-token", Critical, "shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{32}\b"),
    row("stripe-secret-key", Critical, "sk_live_", r"[A-Za-z0-9]{20,}"),
    row("stripe-secret-key", High, "sk_test_", r"[A-Za-z0-9]{20,}"),
    row("stripe-restricted-key", Critical, "rk_live_", r"[A-Za-z0-9]{20,}"),
    row("stripe-restricted-key", High, "rk_test_", r"[A-Za-z0-9]{20,}"),
    row("square-access-token", Critical, "EAAA", r"[A-Za-z0-9_-]{60}\b"),
    row("duffel-token", High, "duffel_live_", r"[A-Za-z0-9_-]{43}"),
    row("easypost-key", High, "EZAK", r"[A-Za-z0-9]{54}\b"),
    row("plaid-token", Critical, "access-production-", r"[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}\b"),
    row("plaid-token", High, "access-sandbox-", r"[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}\b"),
    row("braintree-token", Critical, "access_token$production$", r"[a-z0-9]{16}\$[a-f0-9]{32}\b"),
    row("webhook-secret", High, "whsec_", r"[A-Za-z0-9+/]{24,}={0,2}"),
    row("flutterwave-key", Critical, "FLWSECK-", r"[A-Za-z0-9]{12,}(?:-X)?\b"),
    row("flutterwave-key", Critical, "FLWSECK_", r"(?:TEST-)?[A-Za-z0-9]{12,}(?:-X)?\b"),
    row("telegram-bot-token", Critical, ":AA", r"[A-Za-z0-9_-]{33}\b"),
    // Keys as such.
    row("age-secret-key", Critical, "AGE-SECRET-KEY-1", r"[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    row("1password-token", Critical, "ops_eyJ", r"[A-Za-z0-9+/=_-]{100,}"),
    row("1password-secret-key", Critical, "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b"),
    row("azure-client-secret", Critical, "Q~", r"[A-Za-z0-9_~.-]{31,34}"),
    row("json-web-token", Medium, "eyJ", r"[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}"),
    row("json-web-token", Medium, "ZXlK", r"[A-Za-z0-9+/]{40,}={0,2}"),
];

/// Rows whose token begins before the words that give it away: how many bytes before, and of which sort.
pub(super) fn reaches_back(id: &str) -> usize {
    match id {
        // The number of the bot; three characters and a digit; the name of the token.
        "telegram-bot-token" => 10,
        "azure-client-secret" => 4,
        "azure-ai-key" => 52,
        "terraform-token" => 14,
        "newrelic-ingest-key" => 36,
        _ => 0,
    }
}
